// Package e2e plays whole programs against each other: cleavectl and
// cleave-server are built once and run as processes, on machines that a test
// makes of network namespaces. It has nothing but tests.
package e2e
