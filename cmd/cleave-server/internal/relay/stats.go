package relay

// Stats are the relay's figures. The counters only grow.
type Stats struct {
	Live    int // allocations now
	Streams int // TCP clients now

	Allocations uint64 // ever made
	Refused     uint64 // requests with wrong or expired credentials
	OverQuota   uint64 // allocations refused because the seat or the relay was full
	Packets     uint64 // relayed
	Bytes       uint64 // relayed
	TooFast     uint64 // packets lost to the rate limit or a full queue
	Nowhere     uint64 // packets for an address that nobody holds
}

// Stats returns the present figures.
func (s *Server) Stats() Stats {
	b := s.board
	b.mu.RLock()
	live := len(b.ports)
	b.mu.RUnlock()
	return Stats{
		Live:        live,
		Streams:     s.streams.count(),
		Allocations: b.stats.allocations.Load(),
		Refused:     b.stats.refused.Load(),
		OverQuota:   b.stats.overQuota.Load(),
		Packets:     b.stats.packets.Load(),
		Bytes:       b.stats.bytes.Load(),
		TooFast:     b.stats.tooFast.Load(),
		Nowhere:     b.stats.nowhere.Load(),
	}
}
