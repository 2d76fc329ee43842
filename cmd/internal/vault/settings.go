package vault

import (
	"encoding/json"
	"errors"
	"fmt"
)

// loadJSON fills to from the blob; a damaged one is quarantined and reads as
// absent. It reports whether there was one.
func (v *Vault) loadJSON(name string, to any) (bool, error) {
	data, err := v.store.get(name)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the %s: %w", name, err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		var c *CorruptError
		if e := v.spoil(name, err.Error()); !errors.As(e, &c) {
			return false, e
		}
		return false, nil
	}
	return true, nil
}

func (v *Vault) storeJSON(name string, from any) error {
	data, err := json.MarshalIndent(from, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the %s: %w", name, err)
	}
	if err := v.store.put(name, append(data, '\n')); err != nil {
		return fmt.Errorf("storing the %s: %w", name, err)
	}
	return nil
}

// Setting reads one setting into to and reports whether it is set.
func (v *Vault) Setting(key string, to any) (bool, error) {
	v.kept.Lock()
	defer v.kept.Unlock()
	all := map[string]json.RawMessage{}
	if _, err := v.loadJSON("settings", &all); err != nil {
		return false, err
	}
	raw, ok := all[key]
	if !ok {
		return false, nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return false, fmt.Errorf("vault: the setting %q is of another form: %w", key, err)
	}
	return true, nil
}

// SetSetting stores one setting; nil removes it. All others stay as they are,
// those of other versions too.
func (v *Vault) SetSetting(key string, value any) error {
	v.kept.Lock()
	defer v.kept.Unlock()
	all := map[string]json.RawMessage{}
	if _, err := v.loadJSON("settings", &all); err != nil {
		return err
	}
	if all == nil { // the file said null
		all = map[string]json.RawMessage{}
	}
	if value == nil {
		delete(all, key)
	} else {
		raw, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("vault: the setting %q: %w", key, err)
		}
		all[key] = raw
	}
	return v.storeJSON("settings", all)
}

// Name is the player's display name, "" until one was chosen.
func (v *Vault) Name() (string, error) {
	var name string
	_, err := v.Setting("name", &name)
	return name, err
}

// SetName stores the player's display name.
func (v *Vault) SetName(name string) error { return v.SetSetting("name", name) }
