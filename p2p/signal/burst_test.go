package signal

// burst is how many messages a test's server sends at once.
const burst = 500
