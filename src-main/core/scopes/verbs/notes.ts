import { failed, ok, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { Handovers } from '../../features/notes/handover/handovers.ts';
import type { Notes } from '../../features/notes/notes.ts';
import type { AccountFeatures } from '../accountFeatures.ts';
import type { VerbContext, VerbTable } from './table.ts';

type WatchVerb =
  | 'pinIncident'
  | 'addNote'
  | 'changeNote'
  | 'removeNote'
  | 'readNotes'
  | 'beginShift'
  | 'readShift'
  | 'handOver'
  | 'seeHandover'
  | 'takeOver';

/** Watching and handing over: pins, notes, the log of the shift. */
export function noteVerbs({ deploymentSwitch }: VerbContext): Pick<VerbTable, WatchVerb> {
  const onAccount =
    <Q, R>(run: (actions: AccountFeatures, request: Q) => Result<R> | Promise<Result<R>>) =>
    async (request: Q): Promise<Result<R>> => {
      if (!deploymentSwitch.current)
        return failed(makeFailure({ code: 'signed-out', at: deploymentSwitch.now() }));
      const { account } = deploymentSwitch.current;
      await account.ready;
      return run(account, request);
    };
  const on = <Q, R>(run: (notes: Notes, request: Q) => Result<R> | Promise<Result<R>>) =>
    onAccount<Q, R>(({ notes }, request) => run(notes, request));
  const onHandovers = <Q, R>(run: (handovers: Handovers, request: Q) => Promise<Result<R>>) =>
    onAccount<Q, R>(({ handovers }, request) => run(handovers, request));
  return {
    pinIncident: on((notes, { incidentId, pinned }) => notes.pin(incidentId, pinned)),
    addNote: on((notes, { incidentId, text }) => notes.addNote(incidentId, text)),
    changeNote: on((notes, { id, text }) => notes.changeNote(id, text)),
    removeNote: on((notes, { id }) => notes.removeNote(id)),
    readNotes: on((notes, { incidentId, text, from, count }) =>
      ok(notes.readNotes({ incidentId, text }, from, count)),
    ),
    beginShift: on((notes) => notes.beginShift()),
    readShift: on((notes, { from, count }) => ok(notes.readShift(from, count))),
    handOver: on((notes, messages) => notes.handOver(messages)),
    seeHandover: onHandovers((handovers, { id }) => handovers.see(id)),
    takeOver: onHandovers((handovers, { id }) => handovers.takeOver(id)),
  };
}
