import type { Failure, Release, UpdatesState } from '../../../../src-preload/contract/index.ts';

/**
 *   idle, current, available, refused --check--> checking --found--> available
 *                                                checking --nothing--> current
 *   idle, current --found--> available            (an automatic check, which is not shown)
 *   available, checking --take--> taking --progress--> taking --taken--> ready --install--> installing
 *   idle, current, checking, taking, ready, installing --refuse--> refused
 *   all but installing --dismiss--> idle
 */
export type UpdateState = UpdatesState['state'];

export type UpdateEvent =
  | { readonly kind: 'check' | 'nothing' | 'taken' | 'install' | 'dismiss' }
  | { readonly kind: 'found' | 'take'; readonly release: Release }
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'refuse'; readonly failure: Failure };

/** The state after an event; null when that event does not happen in this state. */
export function nextUpdateState(state: UpdateState, event: UpdateEvent): UpdateState | null {
  const inOne = (...kinds: readonly UpdateState['kind'][]): boolean => kinds.includes(state.kind);
  switch (event.kind) {
    case 'check':
      return inOne('idle', 'current', 'available', 'refused') ? { kind: 'checking' } : null;
    case 'nothing':
      return inOne('checking') ? { kind: 'current' } : null;
    case 'found':
      return inOne('checking', 'idle', 'current') ? { kind: 'available', release: event.release } : null;
    case 'take':
      return inOne('available', 'checking') ? { kind: 'taking', release: event.release, bytes: 0 } : null;
    case 'progress':
      return state.kind === 'taking' ? { ...state, bytes: event.bytes } : null;
    case 'taken':
      return state.kind === 'taking' ? { kind: 'ready', release: state.release } : null;
    case 'install':
      return state.kind === 'ready' ? { kind: 'installing', release: state.release } : null;
    case 'refuse':
      return inOne('available', 'refused') ? null : { kind: 'refused', failure: event.failure };
    case 'dismiss':
      return inOne('installing') ? null : { kind: 'idle' };
  }
}
