import { patternLength, tonesOf, type SirenLevel } from './tones.ts';

/**
 * Whether a sound would be heard. `off`: not asked for yet. `blocked`: the browser wants a gesture
 * first. `failed`: this computer has no working sound.
 */
export type SoundState = 'off' | 'ready' | 'blocked' | 'failed';

/** How long a context runs on in silence before it rests, and how long it may take to run again, in milliseconds. */
const lingerMs = 1_000;
const wakeMs = 1_000;

/** A tone begins and ends over this long, in seconds: a square edge would click. */
const edge = 0.012;

/**
 * Plays the patterns through Web Audio. The context is made when it is first wanted. Nothing here ever
 * throws: without sound the page works as before, and says so.
 *
 * A context that runs wakes the computer a hundred times a second, though it plays nothing: between patterns
 * it is suspended. The browser let it run once and lets it run again, so it stays `ready` while it rests.
 */
export class SirenPlayer {
  readonly #makeContext: () => AudioContext;
  readonly #onState: (state: SoundState) => void;
  #context: AudioContext | null = null;
  #state: SoundState = 'off';
  /** Until when the present pattern sounds, on the context's clock. */
  #until = 0;
  /** Suspended here, not by the browser; or on its way back from that. */
  #rests = false;
  #wakes = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

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
    if (this.#context === null || this.#context.state === 'running' || this.#rests) return;
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
    if (context === null || (context.state !== 'running' && !this.#rests && !this.#wakes)) return false;
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
      if (this.#rests) this.#wake(context);
      else if (!this.#wakes) this.#restLater(context);
      return true;
    } catch {
      this.#become('failed');
      return false;
    }
  }

  #note(): void {
    if (this.#context === null) return;
    const runs = this.#context.state === 'running';
    if (runs && this.#state !== 'ready') this.#restLater(this.#context);
    this.#become(runs || this.#rests || this.#wakes ? 'ready' : 'blocked');
  }

  /** Once what is planned has sounded. */
  #restLater(context: AudioContext): void {
    clearTimeout(this.#timer);
    const leftMs = Math.max(0, this.#until - context.currentTime) * 1_000;
    this.#timer = setTimeout(() => {
      if (context.state !== 'running') return;
      this.#rests = true;
      void context.suspend().catch(() => {
        this.#rests = false;
      });
    }, leftMs + lingerMs);
  }

  /** The clock of a context at rest stands: what was planned meanwhile sounds when it runs. */
  #wake(context: AudioContext): void {
    this.#rests = false;
    this.#wakes = true;
    const done = (): void => {
      if (!this.#wakes) return;
      this.#wakes = false;
      this.#restLater(context);
      this.#note();
    };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(done, wakeMs);
    void context.resume().then(done, done);
  }

  #become(state: SoundState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#onState(state);
  }
}
