/**
 * A replay of a period:
 *
 *   off ──start──▶ playing ──(its end is reached)──▶ ended
 *    ▲              │   ▲                             │ play: from the start again
 *    │            pause play                          ▼
 *    └───stop───  paused ◀──step, seek── (any)     playing
 *
 * Pure: time is handed in as what has passed, and `window` says what is shown.
 */
export type Replay = { readonly state: 'off' } | RunningReplay;

export interface RunningReplay {
  readonly state: 'playing' | 'paused' | 'ended';
  /** The period, Unix ms, both ends inclusive. */
  readonly from: number;
  readonly to: number;
  /** How far it is: incidents up to here are shown. */
  readonly at: number;
}

export interface Period {
  readonly from: number;
  readonly to: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Milliseconds replayed in one second. */
export const speeds = [minute, 10 * minute, hour, 6 * hour, day] as const;
export type Speed = (typeof speeds)[number];

/** How long an incident stays shown, in milliseconds; null for all that came so far. */
export const tails = [null, 5 * minute, 15 * minute, hour, 6 * hour, day] as const;
export type Tail = (typeof tails)[number];

export const off: Replay = { state: 'off' };

/** How long a replay may take at the speed it begins with, in seconds. */
const longest = 60;

/** The slowest speed that replays a period within a minute, else the fastest. */
export const fittingSpeed = ({ from, to }: Period): Speed =>
  speeds.find((speed) => to - from <= speed * longest) ?? day;

export const start = ({ from, to }: Period): Replay => ({
  state: 'playing',
  from,
  to: Math.max(from, to),
  at: from,
});

/** Plays on; from the start where it had come to its end. */
export function play(replay: Replay): Replay {
  switch (replay.state) {
    case 'off':
    case 'playing':
      return replay;
    case 'paused':
      return { ...replay, state: 'playing' };
    case 'ended':
      return { ...replay, state: 'playing', at: replay.from };
  }
}

export const pause = (replay: Replay): Replay =>
  replay.state === 'playing' ? { ...replay, state: 'paused' } : replay;

/** What so many milliseconds of the operator's time do to it. */
export function advance(replay: Replay, elapsedMs: number, speed: Speed): Replay {
  if (replay.state !== 'playing') return replay;
  const at = replay.at + (Math.max(0, elapsedMs) * speed) / 1_000;
  return at >= replay.to ? { ...replay, state: 'ended', at: replay.to } : { ...replay, at };
}

/** Goes to an instant of the period and waits there. */
export function seek(replay: Replay, at: number): Replay {
  if (replay.state === 'off') return replay;
  const there = Math.max(replay.from, Math.min(at, replay.to));
  return { ...replay, state: there === replay.to ? 'ended' : 'paused', at: there };
}

/** What is shown of the period; null where no replay is. */
export function shownOf(replay: Replay, tail: Tail): Period | null {
  if (replay.state === 'off') return null;
  const { from, at } = replay;
  return { from: tail === null ? from : Math.max(from, at - tail), to: at };
}
