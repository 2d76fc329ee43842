package api

import (
	"context"
	"net/http"

	"github.com/cleavegame/cleave/lockstep/record"
)

// answer sends what a question came to, or returns why it came to nothing.
func answer(w http.ResponseWriter, body any, err error) error {
	if err != nil {
		return err
	}
	send(w, http.StatusOK, body)
	return nil
}

// signed answers a request whose body is a Q that its player signed.
func signed[Q, A any](w http.ResponseWriter, r *request, ask func(context.Context, int64, record.Key, Q) (A, error)) error {
	var q Q
	if err := parse(r.body, &q); err != nil {
		return err
	}
	a, err := ask(r.Context(), r.nowMs(), r.key, q)
	return answer(w, a, err)
}

// ofID answers a question about the match or the run that the path names.
func ofID[A any](w http.ResponseWriter, r *request, ask func(context.Context, record.ID) (A, error)) error {
	id, err := parseID(r.PathValue("id"))
	if err != nil {
		return err
	}
	a, err := ask(r.Context(), id)
	return answer(w, a, err)
}

// fileOf answers with the .cleave file of the match or the run that the path
// names.
func fileOf(w http.ResponseWriter, r *request, ask func(context.Context, record.ID) ([]byte, error)) error {
	id, err := parseID(r.PathValue("id"))
	if err != nil {
		return err
	}
	file, err := ask(r.Context(), id)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+r.PathValue("id")+`.cleave"`)
	w.Write(file)
	return nil
}
