package record

import "testing"

func TestEachlayerFitsTheOneBefore(t *testing.T) {
	c := NewChance(fill(5), 8)
	link := c.Anchor()
	for round := 1; round <= 8; round++ {
		layer := c.Layer(round)
		if !layerFits(link, layer) {
			t.Fatalf("layer %d does not fit", round)
		}
		if layerFits(layer, link) || layerFits(link, link) || round > 1 && layerFits(c.Anchor(), layer) {
			t.Fatalf("layer %d fits what it must not", round)
		}
		link = layer
	}
	if link != fill(5) {
		t.Error("the last layer is not the secret")
	}
}

func TestAChanceOfNoLayersPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"none":         func() { NewChance(fill(1), 0) },
		"beyond":       func() { NewChance(fill(1), 3).Layer(4) },
		"before":       func() { NewChance(fill(1), 3).Layer(-1) },
		"of the zero":  func() { Chance{}.Layer(1) },
		"negative sum": func() { NewChance(fill(1), -1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
