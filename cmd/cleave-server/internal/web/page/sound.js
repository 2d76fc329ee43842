// The sound of the game plays in the browser's audio thread. The library that
// fills it would make this file itself, as a blob, which the page's policy does
// not run: page.js has it take this one. Names and messages are the library's.
const frames = 2048, channels = 2;
class OtoWorkletProcessor extends AudioWorkletProcessor {
	constructor() {
		super();
		this.kept = new Float32Array(0);
		this.asked = false;
		this.port.onmessage = (event) => {
			const more = new Float32Array(this.kept.length + event.data.length);
			more.set(this.kept);
			more.set(event.data, this.kept.length);
			this.kept = more;
			this.asked = false;
		};
	}

	ask() {
		if (!this.asked) {
			this.asked = true;
			this.port.postMessage(null);
		}
	}

	process(inputs, outputs) {
		const output = outputs[0], length = output[0].length;
		if (this.kept.length < length * channels) {
			this.ask();
			return true; // silence
		}
		if (this.kept.length < frames * channels / 2) this.ask();
		for (let i = 0; i < Math.min(channels, output.length); i++) {
			for (let j = 0; j < length; j++) output[i][j] = this.kept[j * channels + i];
		}
		this.kept = this.kept.slice(length * channels);
		return true;
	}
}
registerProcessor("oto-worklet-processor", OtoWorkletProcessor);
