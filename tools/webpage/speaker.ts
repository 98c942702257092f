// The buzzer, through Web Audio: one square wave at a time, as a piezo is driven.

// As loud as a piezo across a table, and a ramp so that no tone begins or ends with a crack.
const VOLUME = 0.04;
const RAMP_S = 0.004;

export class Speaker {
  private context: AudioContext | null = null;
  private oscillator: OscillatorNode | null = null;
  private gain: GainNode | null = null;

  /** Browsers let a page sound only after a key or touch: call this at each of them. */
  wake(): void {
    if (!this.context) {
      if (typeof AudioContext === "undefined") return;
      this.context = new AudioContext();
      this.oscillator = new OscillatorNode(this.context, { type: "square" });
      this.gain = new GainNode(this.context, { gain: 0 });
      this.oscillator.connect(this.gain).connect(this.context.destination);
      this.oscillator.start();
    }
    // It may not be allowed yet; the next key asks again.
    if (this.context.state === "suspended") this.context.resume().catch(() => undefined);
  }

  /** Start a tone; hz 0 is silence. */
  tone(hz: number, ms: number): void {
    const { context, oscillator, gain } = this;
    if (!context || !oscillator || !gain || context.state !== "running") return;
    const now = context.currentTime;
    const volume = gain.gain;
    volume.cancelScheduledValues(now);
    if (hz <= 0) {
      volume.setTargetAtTime(0, now, RAMP_S);
      return;
    }
    oscillator.frequency.setValueAtTime(hz, now);
    volume.setTargetAtTime(VOLUME, now, RAMP_S);
    volume.setTargetAtTime(0, now + ms / 1000, RAMP_S);
  }
}
