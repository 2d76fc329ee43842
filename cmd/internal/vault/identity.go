package vault

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
	"filippo.io/age/armor"
	"github.com/tyler-smith/go-bip39"
)

// An Identity is the key pair that is the player. Its file is one line,
//
//	cleave-key-1 SEED CHECK
//
// with the 32-byte Ed25519 seed and the first 4 bytes of
// SHA-256("cleave/key/1" || seed), both in hexadecimal, and a line feed. The
// encrypted export is that line in an armored age file with a passphrase; the
// 24 words are the seed as BIP-39 writes 256 bits of entropy.
type Identity struct {
	private ed25519.PrivateKey
}

const keyMagic = "cleave-key-1"

// Errors of importing a key.
var (
	// ErrWords: not 24 words of the list, or their checksum does not hold.
	ErrWords = errors.New("vault: these are not the 24 words of a key (a word is misspelt, missing, or out of order)")
	// ErrPassphrase: the passphrase does not open the file.
	ErrPassphrase = errors.New("vault: the passphrase does not open this file")
	// ErrKeyFile: not an exported key.
	ErrKeyFile = errors.New("vault: this is not an exported key")
	// ErrHasKey: the profile has another key already.
	ErrHasKey = errors.New("vault: this profile has a key of its own already")
)

func keyCheck(seed []byte) []byte {
	h := sha256.Sum256(append([]byte("cleave/key/1"), seed...))
	return h[:4]
}

// FromSeed is the identity with that secret seed: for practice and tests, where
// a key means nobody.
func FromSeed(seed [32]byte) *Identity { return newIdentity(seed[:]) }

func newIdentity(seed []byte) *Identity {
	return &Identity{private: ed25519.NewKeyFromSeed(seed)}
}

// Key is the public key.
func (id *Identity) Key() (key [32]byte) {
	copy(key[:], id.private.Public().(ed25519.PublicKey))
	return key
}

// Sign returns the Ed25519 signature of message.
func (id *Identity) Sign(message []byte) (sig [64]byte) {
	copy(sig[:], ed25519.Sign(id.private, message))
	return sig
}

// Words is the secret as 24 words. Whoever has them is the player.
func (id *Identity) Words() string {
	w, err := bip39.NewMnemonic(id.private.Seed())
	if err != nil {
		panic("vault: a seed is 32 bytes: " + err.Error())
	}
	return w
}

// ExportWork is how much work (log2) guessing a passphrase of an export costs
// for each guess: a second or so. Tests make it less.
var ExportWork = 18

// Encrypt is the secret as an armored age file under the passphrase.
func (id *Identity) Encrypt(passphrase string) ([]byte, error) {
	r, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, fmt.Errorf("vault: using the passphrase: %w", err)
	}
	r.SetWorkFactor(ExportWork)
	var buf bytes.Buffer
	a := armor.NewWriter(&buf)
	w, err := age.Encrypt(a, r)
	if err != nil {
		return nil, fmt.Errorf("vault: encrypting the key: %w", err)
	}
	if _, err = w.Write(id.line()); err == nil {
		if err = w.Close(); err == nil {
			err = a.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("vault: encrypting the key: %w", err)
	}
	return buf.Bytes(), nil
}

func (id *Identity) line() []byte {
	seed := id.private.Seed()
	return fmt.Appendf(nil, "%s %x %x\n", keyMagic, seed, keyCheck(seed))
}

func parseKeyLine(data []byte) (*Identity, error) {
	f := strings.Split(strings.TrimSuffix(string(data), "\n"), " ")
	if len(f) != 3 || f[0] != keyMagic {
		return nil, ErrKeyFile
	}
	seed, err := hex.DecodeString(f[1])
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, ErrKeyFile
	}
	if f[2] != hex.EncodeToString(keyCheck(seed)) {
		return nil, ErrKeyFile
	}
	return newIdentity(seed), nil
}

// ParseWords reads the 24 words back. Capitals and spaces do not matter.
func ParseWords(words string) (*Identity, error) {
	f := strings.Fields(strings.ToLower(words))
	if len(f) != 24 {
		return nil, ErrWords
	}
	seed, err := bip39.EntropyFromMnemonic(strings.Join(f, " "))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, ErrWords
	}
	return newIdentity(seed), nil
}

// Decrypt reads an encrypted export back: ErrKeyFile, ErrPassphrase.
func Decrypt(file []byte, passphrase string) (*Identity, error) {
	r, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, ErrPassphrase
	}
	// A file from outside may not make us work for minutes.
	r.SetMaxWorkFactor(20)
	file = bytes.TrimSpace(file)
	if !bytes.HasPrefix(file, []byte(armor.Header)) {
		return nil, ErrKeyFile
	}
	plain, err := age.Decrypt(armor.NewReader(bytes.NewReader(file)), r)
	if err != nil {
		var no *age.NoIdentityMatchError
		if errors.As(err, &no) {
			return nil, ErrPassphrase
		}
		return nil, ErrKeyFile
	}
	line, err := io.ReadAll(io.LimitReader(plain, 256))
	if err != nil {
		return nil, ErrKeyFile
	}
	return parseKeyLine(line)
}

// HasKey reports whether the profile has a key yet.
func (v *Vault) HasKey() (bool, error) {
	_, err := v.loadKey()
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Identity returns the profile's key, and makes one if there is none yet. A
// damaged key is an error, never replaced by a new one: it is somebody's
// account, and only an import puts another in its place.
func (v *Vault) Identity() (*Identity, error) {
	v.kept.Lock()
	defer v.kept.Unlock()
	id, err := v.loadKey()
	if !errors.Is(err, ErrNotFound) {
		return id, err
	}
	seed := make([]byte, ed25519.SeedSize)
	if _, err := rand.Read(seed); err != nil {
		return nil, fmt.Errorf("vault: making a key: %w", err)
	}
	id = newIdentity(seed)
	if err := v.storeKey(id); err != nil {
		return nil, err
	}
	return id, nil
}

func (v *Vault) loadKey() (*Identity, error) {
	v.mu.Lock()
	id := v.id
	v.mu.Unlock()
	if id != nil {
		return id, nil
	}
	data, err := v.store.get("key")
	if err != nil {
		return nil, err
	}
	id, err = parseKeyLine(data)
	if err != nil {
		// It stays where it is: without it the profile is nobody, and a
		// fresh key in its place would look as if nothing had happened.
		return nil, &CorruptError{Name: "key", Where: v.where, Reason: "it does not read back; import your words or your exported file with --replace"}
	}
	v.mu.Lock()
	v.id = id
	v.mu.Unlock()
	return id, nil
}

func (v *Vault) storeKey(id *Identity) error {
	if err := v.store.put("key", id.line()); err != nil {
		return fmt.Errorf("storing the key: %w", err)
	}
	v.mu.Lock()
	v.id = id
	v.mu.Unlock()
	return nil
}

// Import makes id the profile's key. A profile that has another one returns
// ErrHasKey, unless replace is set: then the old one is kept beside it. Its
// unused tickets are forgotten, since they are good for nobody else.
func (v *Vault) Import(id *Identity, replace bool) error {
	changed, err := v.importKey(id, replace)
	if err != nil || !changed {
		return err
	}
	return v.changeTickets(func(f *ticketFile) error {
		f.Tickets = nil
		return nil
	})
}

// importKey reports whether the profile is another player now.
func (v *Vault) importKey(id *Identity, replace bool) (changed bool, err error) {
	v.kept.Lock()
	defer v.kept.Unlock()
	old, err := v.loadKey()
	var damaged *CorruptError
	switch {
	case errors.Is(err, ErrNotFound):
	case errors.As(err, &damaged):
		if !replace {
			return false, err
		}
		if e := v.spoil("key", "replaced by an import"); !errors.As(e, &damaged) {
			return false, e
		}
	case err != nil:
		return false, err
	case old.Key() == id.Key():
		return false, nil
	case !replace:
		return false, ErrHasKey
	default:
		k := old.Key()
		if err := v.store.put("key.old-"+hex.EncodeToString(k[:]), old.line()); err != nil {
			return false, fmt.Errorf("keeping the old key: %w", err)
		}
	}
	return true, v.storeKey(id)
}
