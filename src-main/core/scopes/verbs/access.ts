import { verbs, type PolicyState, type VerbName } from '../../../../src-preload/contract/index.ts';

/** Whether a locked console answers this call. */
export function isAnsweredLocked(verb: VerbName, request: object): boolean {
  switch (verbs[verb].access.whileLocked) {
    case 'answered':
      return true;
    case 'theme':
      return Object.keys(request).every((name) => name === 'theme');
    case 'refused':
      return false;
  }
}

/** Whether the computer's policy lets this be called at all. */
export function isAllowed(verb: VerbName, policy: Pick<PolicyState, 'exports' | 'kiosk'>): boolean {
  switch (verbs[verb].access.needs) {
    case 'exports':
      return policy.exports;
    case 'hands':
      return policy.kiosk !== 'wallboard';
    case null:
      return true;
  }
}
