/** How long a control is held before it acts, in milliseconds. */
export const holdMs = 1_500;

/**
 * A control that acts only when it is held: what a click, a double click or a repeating key can't do by
 * accident. One object for one confirmation.
 *
 *   idle   nothing holds it
 *   held   pressed since `since`, by `by`; letting go leads back to idle
 *   spent  it has acted, once; nothing leads on from here
 */
export type Hold =
  | { readonly state: 'idle' }
  | { readonly state: 'held'; readonly by: HoldSource; readonly since: number }
  | { readonly state: 'spent' };
export type HoldSource = 'pointer' | 'key';

export type HoldInput =
  /** `repeat`: a key that was down before, as the one that opened the dialog, begins nothing. */
  | { readonly kind: 'press'; readonly by: HoldSource; readonly repeat: boolean }
  | { readonly kind: 'release'; readonly by: HoldSource }
  /** Focus, pointer or window were lost. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'tick' };

export const idle: Hold = { state: 'idle' };

/** The next state; `at` is a time that only grows, in milliseconds. */
export function holdStep(hold: Hold, input: HoldInput, at: number): Hold {
  if (hold.state === 'spent') return hold;
  switch (input.kind) {
    case 'press':
      // The first to press holds it: a second finger or a key beside it neither helps nor hurts.
      return hold.state === 'held' || input.repeat ? hold : { state: 'held', by: input.by, since: at };
    case 'release':
      return hold.state === 'held' && hold.by === input.by ? idle : hold;
    case 'leave':
      return idle;
    case 'tick':
      return hold.state === 'held' && at - hold.since >= holdMs ? { state: 'spent' } : hold;
  }
}

/** How far it is, 0 to 1. */
export function holdProgress(hold: Hold, at: number): number {
  switch (hold.state) {
    case 'idle':
      return 0;
    case 'spent':
      return 1;
    case 'held':
      return Math.min(1, Math.max(0, (at - hold.since) / holdMs));
  }
}

/** The same in five steps, for those who want no motion. */
export const stepped = (progress: number): number => Math.floor(progress * 5) / 5;
