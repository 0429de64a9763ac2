/** How urgent an alarm sounds: 3 for the most. */
export type SirenLevel = 1 | 2 | 3;

/** One tone of a pattern. Times in seconds from its start; `peak` is linear gain, 1 for full scale. */
export interface Tone {
  readonly at: number;
  readonly length: number;
  readonly hertz: number;
  readonly peak: number;
  readonly wave: 'sine' | 'triangle';
}

/** One soft chime: something is there to be read. */
const chime: readonly Tone[] = [
  { at: 0, length: 0.5, hertz: 587, peak: 0.22, wave: 'sine' },
  { at: 0, length: 0.35, hertz: 1174, peak: 0.06, wave: 'sine' },
];

/** Two rising pairs: look at it soon. */
const rising: readonly Tone[] = [0, 0.55].flatMap((at): Tone[] => [
  { at, length: 0.17, hertz: 659, peak: 0.3, wave: 'triangle' },
  { at: at + 0.2, length: 0.24, hertz: 988, peak: 0.3, wave: 'triangle' },
]);

/** Three bursts of a fast high-low, unlike anything else on a desk: now. Never near full scale. */
const urgent: readonly Tone[] = [0, 0.75, 1.5].flatMap((from) =>
  [0, 1, 2, 3].map((step): Tone => ({
    at: from + step * 0.14,
    length: 0.12,
    hertz: step % 2 === 0 ? 1175 : 784,
    peak: 0.42,
    wave: 'triangle',
  })),
);

const patterns: Readonly<Record<SirenLevel, readonly Tone[]>> = { 1: chime, 2: rising, 3: urgent };

/** Which tones sound when for a level. */
export const tonesOf = (level: SirenLevel): readonly Tone[] => patterns[level];

/** How long a level's pattern lasts, in seconds. */
export const patternLength = (level: SirenLevel): number =>
  Math.max(...patterns[level].map(({ at, length }) => at + length));
