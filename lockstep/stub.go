package lockstep

func (s *Session) begin(now Now)            {}
func (s *Session) finish() []Action         { return nil }
func (s *Session) greet()                   {}
func (s *Session) bad(FrameKind, Reason)    {}
func (s *Session) handle(FrameKind, []byte) {}
