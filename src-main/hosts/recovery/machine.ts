/**
 * What is done when the console's page or a part of the console dies, the same in both hosts. Pure.
 *
 *   watching --page trouble--> a reload is due --(its time comes)--> watching
 *   watching --4th page trouble in 5 minutes, 3rd of the GPU, a lost worker, a break--> leaving (relaunch)
 *   watching --the same after 3 relaunches within an hour--> stopped
 *   watching --10 minutes well--> watching, nothing remembered
 *
 * A reload keeps the operator's session, a relaunch does not, so reloads come first. A relaunch that
 * was asked for lasts for the life of the process; how many there were survives it (`Remembered`).
 */

export type RecoveryEvent =
  /** The page's process died, its browser ended, or its document could not be loaded. */
  | { readonly kind: 'page-gone' }
  /** The system says that the page does not react. */
  | { readonly kind: 'page-unresponsive' }
  /** The page leaves what it is told unanswered. */
  | { readonly kind: 'page-silent' }
  | { readonly kind: 'gpu-failing' }
  /** A thread of the console died and could not be started again. */
  | { readonly kind: 'worker-died' }
  /** Something was thrown in the main process that nothing caught. */
  | { readonly kind: 'console-broke' }
  /** The operator wants the GPU back: the next start uses it. */
  | { readonly kind: 'gpu-wanted' }
  /** The page answered. */
  | { readonly kind: 'page-well' };

export type StopReason = Exclude<RecoveryEvent['kind'], 'gpu-wanted' | 'page-well'>;

export type RecoveryStep =
  | { readonly kind: 'none' }
  /** `hard`: what hangs does not let go by itself and is ended first. */
  | { readonly kind: 'reload'; readonly afterMs: number; readonly hard: boolean }
  | { readonly kind: 'relaunch'; readonly reason: StopReason }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** What outlives the process, in `recovery.json`. Times are Unix milliseconds of the computer's clock. */
export interface Remembered {
  readonly relaunches: readonly number[];
  /** Since when the GPU is not used; null while it is. */
  readonly gpuOffSince: number | null;
  /** When the process before this one ended because something was thrown; null once a start has said so. */
  readonly brokeAt: number | null;
}

export interface RecoveryState {
  readonly phase: 'watching' | 'leaving' | 'stopped';
  /** When pages were, or are about to be, loaded again; milliseconds of `Clock.elapsed()`. */
  readonly reloads: readonly number[];
  readonly gpuFailures: readonly number[];
  readonly wellSince: number | null;
  readonly remembered: Remembered;
}

/** `elapsed` and `wall` as the Clock tells them. */
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

/** A relaunch of an hour ago counts no more; neither does one that a wrong clock put into the future. */
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
      // The reload that is due will answer this one too: a page that hangs is often also silent and gone.
      if (last !== undefined && now.elapsed < last) return unchanged;
      const afterMs = backoffMs[reloads.length];
      if (reloads.length >= mostReloads || afterMs === undefined) return leave(state, event.kind, now);
      return {
        state: { ...state, reloads: [...reloads, now.elapsed + afterMs], wellSince: null },
        step: { kind: 'reload', afterMs, hard: event.kind !== 'page-gone' },
      };
    }
    case 'gpu-failing': {
      // Without the GPU there is nothing left to take away from it.
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
  // An answer of the old page that was still on its way says nothing of the next one.
  if (now.elapsed < (state.reloads.at(-1) ?? 0)) return state;
  if (state.wellSince === null) return { ...state, wellSince: now.elapsed };
  if (now.elapsed - state.wellSince < wellAfterMs) return state;
  if (state.reloads.length === 0 && state.remembered.relaunches.length === 0) return state;
  return { ...state, reloads: [], remembered: { ...state.remembered, relaunches: [] } };
}
