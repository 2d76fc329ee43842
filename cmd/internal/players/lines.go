package players

import (
	"bufio"
	"io"
)

// maxLine is the longest line that is read, in bytes, its end not counted.
const maxLine = 4096

// A line is what was read up to a newline.
type line struct {
	text string
	long bool // it was longer than maxLine; text is its beginning
	size int  // bytes read for it
}

// readLine reads the next line, without \n or \r\n. It keeps no more than
// maxLine bytes of it, and what has no end in eight times as many is returned
// as it is, so that a line without an end is seen. A last line without a
// newline counts.
func readLine(r *bufio.Reader) (line, error) {
	var l line
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		l.size += len(part)
		if room := maxLine + 1 - len(text); len(part) > room {
			part = part[:room]
		}
		text = append(text, part...)
		if err == bufio.ErrBufferFull && l.size < 8*maxLine {
			continue
		}
		if err == bufio.ErrBufferFull {
			break
		}
		if err != nil && (err != io.EOF || l.size == 0) {
			return line{}, err
		}
		break
	}
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	if len(text) > maxLine {
		text, l.long = text[:maxLine], true
	}
	l.text = string(text)
	return l, nil
}
