package record

const callOffDomain = "cleave/call-off/1"

// CallOffMessage is what each player signs who would call a match off at the
// entry of that index, the last one, and its head (of index 0, head(0)). A
// call-off is no part of the record: with both signatures it proves that
// neither may claim the match.
func CallOffMessage(match ID, index uint32, head Head) []byte {
	return signed(callOffDomain, match, index, head)
}
