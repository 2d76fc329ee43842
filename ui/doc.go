// Package ui is the screen of Cleave. It shows a match and takes a player's
// decisions; it decides nothing about a match. It is the only home of
// Ebitengine and ebitenui.
//
// A scene is a small file: its Update takes Controls, what a player did since
// the last tick whatever the device, and returns the scene to go on with; its
// Draw only reads. What a scene knows of the world beyond the screen, it gets
// through the small interfaces that it declares itself, as plain values.
package ui
