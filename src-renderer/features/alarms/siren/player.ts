import { patternLength, tonesOf, type SirenLevel } from './tones.ts';

/**
 * Whether a sound would be heard. `off`: not asked for yet. `blocked`: the browser wants a gesture
 * first. `failed`: this computer has no working sound.
 */
export type SoundState = 'off' | 'ready' | 'blocked' | 'failed';

/** A tone begins and ends over this long, in seconds: a square edge would click. */
const edge = 0.012;

/**
 * Plays the patterns through Web Audio. The context is made when it is first wanted. Nothing here ever
 * throws: without sound the page works as before, and says so.
 */
export class SirenPlayer {
  readonly #makeContext: () => AudioContext;
  readonly #onState: (state: SoundState) => void;
  #context: AudioContext | null = null;
  #state: SoundState = 'off';
  /** Until when the present pattern sounds, on the context's clock. */
  #until = 0;

  constructor(options: { makeContext: () => AudioContext; onState: (state: SoundState) => void }) {
    this.#makeContext = options.makeContext;
    this.#onState = options.onState;
  }

  /** Makes the context, so that it is known before the first alarm whether one could be heard. */
  prepare(): void {
    if (this.#context !== null || this.#state === 'failed') return;
    try {
      this.#context = this.#makeContext();
      this.#context.onstatechange = () => {
        this.#note();
      };
    } catch {
      this.#become('failed');
      return;
    }
    this.#note();
  }

  /** After a gesture of the operator's: asks the browser again. */
  async enable(): Promise<void> {
    this.prepare();
    if (this.#context === null || this.#context.state === 'running') return;
    try {
      await this.#context.resume();
    } catch {
      // Refused once more: the sign stays.
    }
    this.#note();
  }

  /** @returns whether it sounds; what can't be heard now is for the caller to keep in mind. */
  play(level: SirenLevel): boolean {
    this.prepare();
    const context = this.#context;
    if (context?.state !== 'running') return false;
    try {
      // A second pattern waits for the first: two at once would be neither.
      const start = Math.max(context.currentTime + 0.02, this.#until);
      this.#until = start + patternLength(level);
      for (const tone of tonesOf(level)) {
        const from = start + tone.at;
        const gain = context.createGain();
        gain.gain.setValueAtTime(0, from);
        gain.gain.linearRampToValueAtTime(tone.peak, from + edge);
        gain.gain.setValueAtTime(tone.peak, from + tone.length * 0.5);
        gain.gain.linearRampToValueAtTime(0, from + tone.length);
        const source = context.createOscillator();
        source.type = tone.wave;
        source.frequency.setValueAtTime(tone.hertz, from);
        source.connect(gain);
        gain.connect(context.destination);
        source.onended = () => {
          gain.disconnect();
        };
        source.start(from);
        source.stop(from + tone.length);
      }
      return true;
    } catch {
      this.#become('failed');
      return false;
    }
  }

  #note(): void {
    if (this.#context === null) return;
    this.#become(this.#context.state === 'running' ? 'ready' : 'blocked');
  }

  #become(state: SoundState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#onState(state);
  }
}
