/**
 * The state machine for when the console's page or a part of the console fails, the same in both hosts. Pure.
 *
 *   watching --page trouble--> a reload is due --(its time comes)--> watching
 *   watching --4th page trouble in 5 minutes, 3rd of the GPU, a lost worker, a break--> leaving (relaunch)
 *   watching --the same after 3 relaunches within an hour--> stopped
 *   watching --10 minutes well--> watching, nothing remembered
 *
 * A reload does not end the operator's session, but a relaunch does, so reloads come first. After the request to
 * relaunch, this process does nothing else; the number of relaunches survives it (`Remembered`).
 */

export type RecoveryEvent =
  /** The page's process crashed, its browser ended, or its document could not be loaded. */
  | { readonly kind: 'page-gone' }
  /** The system reports that the page does not react. */
  | { readonly kind: 'page-unresponsive' }
  /** The page does not answer messages. */
  | { readonly kind: 'page-silent' }
  | { readonly kind: 'gpu-failing' }
  /** A thread of the console failed and could not be started again. */
  | { readonly kind: 'worker-died' }
  /** An uncaught exception in the main process. */
  | { readonly kind: 'console-broke' }
  /** The operator wants to use the GPU again: the next start uses it. */
  | { readonly kind: 'gpu-wanted' }
  /** The page answered. */
  | { readonly kind: 'page-well' };

export type StopReason = Exclude<RecoveryEvent['kind'], 'gpu-wanted' | 'page-well'>;

export type RecoveryStep =
  | { readonly kind: 'none' }
  /** `hard`: a hung page does not close, and is killed first. */
  | { readonly kind: 'reload'; readonly afterMs: number; readonly hard: boolean }
  | { readonly kind: 'relaunch'; readonly reason: StopReason }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** The state that survives the process, in `recovery.json`. Times are Unix milliseconds of the computer's clock. */
export interface Remembered {
  readonly relaunches: readonly number[];
  /** Since when the GPU is not used; null while it is. */
  readonly gpuOffSince: number | null;
  /** When the process before this one ended because of an exception; null after a start has reported it. */
  readonly brokeAt: number | null;
}

export interface RecoveryState {
  readonly phase: 'watching' | 'leaving' | 'stopped';
  /** When pages were, or will be, loaded again; milliseconds of `Clock.elapsed()`. */
  readonly reloads: readonly number[];
  readonly gpuFailures: readonly number[];
  readonly wellSince: number | null;
  readonly remembered: Remembered;
}

/** `elapsed` and `wall` from the Clock. */
export interface Now {
  readonly elapsed: number;
  readonly wall: number;
}

const minute = 60_000;
export const mostReloads = 3;
export const reloadWindowMs = 5 * minute;
export const mostRelaunches = 3;
export const relaunchWindowMs = 60 * minute;
export const wellAfterMs = 10 * minute;
const mostGpuFailures = 3;
/** The wait before the first, the second and the third reload. */
const backoffMs = [1_000, 5_000, 20_000] as const;

export const nothingRemembered: Remembered = { relaunches: [], gpuOffSince: null, brokeAt: null };

export const startRecovery = (remembered: Remembered): RecoveryState => ({
  phase: 'watching',
  reloads: [],
  gpuFailures: [],
  wellSince: null,
  remembered,
});

/** A relaunch over an hour ago no longer counts, and neither does one in the future, which came from a wrong clock. */
const recent = (relaunches: readonly number[], { wall }: Now): readonly number[] =>
  relaunches.filter((at) => Math.abs(wall - at) < relaunchWindowMs);

export function recover(
  state: RecoveryState,
  event: RecoveryEvent,
  now: Now,
): { readonly state: RecoveryState; readonly step: RecoveryStep } {
  const unchanged = { state, step: { kind: 'none' } } as const;
  if (state.phase !== 'watching') return unchanged;
  switch (event.kind) {
    case 'page-well':
      return { state: well(state, now), step: { kind: 'none' } };
    case 'page-gone':
    case 'page-unresponsive':
    case 'page-silent': {
      const reloads = state.reloads.filter((at) => now.elapsed - at < reloadWindowMs);
      const last = reloads.at(-1);
      // The planned reload covers this trouble too: a page that hangs is often also silent and gone.
      if (last !== undefined && now.elapsed < last) return unchanged;
      const afterMs = backoffMs[reloads.length];
      if (reloads.length >= mostReloads || afterMs === undefined) return leave(state, event.kind, now);
      return {
        state: { ...state, reloads: [...reloads, now.elapsed + afterMs], wellSince: null },
        step: { kind: 'reload', afterMs, hard: event.kind !== 'page-gone' },
      };
    }
    case 'gpu-failing': {
      // The GPU is already off.
      if (state.remembered.gpuOffSince !== null) return unchanged;
      const gpuFailures = [
        ...state.gpuFailures.filter((at) => now.elapsed - at < reloadWindowMs),
        now.elapsed,
      ];
      if (gpuFailures.length < mostGpuFailures) return { ...unchanged, state: { ...state, gpuFailures } };
      const remembered = { ...state.remembered, gpuOffSince: now.wall };
      return leave({ ...state, gpuFailures, remembered }, event.kind, now);
    }
    case 'gpu-wanted':
      if (state.remembered.gpuOffSince === null) return unchanged;
      return {
        state: { ...state, gpuFailures: [], remembered: { ...state.remembered, gpuOffSince: null } },
        step: { kind: 'none' },
      };
    case 'worker-died':
      return leave(state, event.kind, now);
    case 'console-broke':
      return leave({ ...state, remembered: { ...state.remembered, brokeAt: now.wall } }, event.kind, now);
  }
}

function leave(
  state: RecoveryState,
  reason: StopReason,
  now: Now,
): { readonly state: RecoveryState; readonly step: RecoveryStep } {
  const relaunches = recent(state.remembered.relaunches, now);
  if (relaunches.length >= mostRelaunches) {
    const remembered = { ...state.remembered, relaunches };
    return { state: { ...state, phase: 'stopped', remembered }, step: { kind: 'stop', reason } };
  }
  const remembered = { ...state.remembered, relaunches: [...relaunches, now.wall] };
  return { state: { ...state, phase: 'leaving', remembered }, step: { kind: 'relaunch', reason } };
}

function well(state: RecoveryState, now: Now): RecoveryState {
  // A late answer of the old page says nothing about the next one.
  if (now.elapsed < (state.reloads.at(-1) ?? 0)) return state;
  if (state.wellSince === null) return { ...state, wellSince: now.elapsed };
  if (now.elapsed - state.wellSince < wellAfterMs) return state;
  if (state.reloads.length === 0 && state.remembered.relaunches.length === 0) return state;
  return { ...state, reloads: [], remembered: { ...state.remembered, relaunches: [] } };
}
