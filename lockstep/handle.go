package lockstep

// maxBad is how many Bad events one call and one second may show at most, so
// that a peer that sends rubbish cannot flood whoever watches.
const maxBad = 32

// bad shows that a frame of the peer broke the rules.
func (s *Session) bad(k FrameKind, r Reason) {
	if s.badLeft > 0 {
		s.badLeft--
		s.show(Bad{Frame: k, Reason: r})
	}
}

// handle takes the body of one frame, each numbered frame once and in order.
func (s *Session) handle(kind FrameKind, body []byte) {
	if s.phase == phaseClosed {
		return
	}
	if !s.greeted && kind.numbered() && kind != FrameHello && kind != FrameBye {
		s.bad(kind, BadPlace) // whoever it is says so first
		return
	}
	switch kind {
	case FrameHello:
		take(s, kind, body, parseHello, s.onHello)
	case FrameResume:
		take(s, kind, body, parseResume, s.onResume)
	case FrameRoom:
		take(s, kind, body, parseRoom, s.onRoom)
	case FrameReady:
		take(s, kind, body, parseReady, s.onReady)
	case FrameStart:
		take(s, kind, body, parseStart, s.onStart)
	case FrameAccept:
		take(s, kind, body, parseAccept, s.onAccept)
	case FrameSign:
		take(s, kind, body, parseSign, s.onSign)
	case FrameRefuse:
		take(s, kind, body, parseRefuse, s.onRefuse)
	case FrameTerms:
		take(s, kind, body, parseTermsFrame, s.onTerms)
	case FrameEntries:
		take(s, kind, body, parseEntries, s.onEntries)
	case FrameSeal:
		s.onSeal(body)
	case FrameDesync:
		take(s, kind, body, parseDesync, s.onDesync)
	case FrameCallOff:
		take(s, kind, body, parseCallOff, s.onCallOff)
	case FrameEnded:
		take(s, kind, body, parseEnded, s.onEnded)
	case FrameRematch:
		take(s, kind, body, parseRematch, s.onRematch)
	case FrameBye:
		take(s, kind, body, parseBye, s.onBye)
	case FramePing:
		s.onPing(body)
	case FramePong:
		s.onPong(body)
	case FrameAck:
		if len(body) != 0 {
			s.bad(kind, BadFrame)
		}
	case FramePreview:
		take(s, kind, body, parsePreview, s.onPreview)
	case FrameChat:
		take(s, kind, body, parseChat, s.onChat)
	case FrameExpression:
		s.onExpression(body)
	}
}

// take parses a body and hands it on.
func take[M any](s *Session, kind FrameKind, body []byte, parse func([]byte) (M, Reason), on func(M)) {
	m, bad := parse(body)
	if bad != 0 {
		s.bad(kind, bad)
		return
	}
	on(m)
}
