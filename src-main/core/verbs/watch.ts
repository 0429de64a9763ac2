import { failed } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import type { VerbContext, VerbTable } from './table.ts';

type WatchVerb =
  | 'pinIncident'
  | 'addNote'
  | 'changeNote'
  | 'removeNote'
  | 'readNotes'
  | 'beginShift'
  | 'readShift'
  | 'prepareHandover';

/** Watching and handing over: pins, notes, the log of the shift. */
export function watchVerbs({ desk }: VerbContext): Pick<VerbTable, WatchVerb> {
  const signedOut = () => failed(makeFailure({ code: 'signed-out', at: desk.now() }));
  return {
    pinIncident: () => signedOut(),
    addNote: () => signedOut(),
    changeNote: () => signedOut(),
    removeNote: () => signedOut(),
    readNotes: () => signedOut(),
    beginShift: () => signedOut(),
    readShift: () => signedOut(),
    prepareHandover: () => signedOut(),
  };
}
