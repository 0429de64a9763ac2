import { ok } from '../../../../src-preload/contract/index.ts';
import { onAccount } from './onAccount.ts';
import type { VerbContext, VerbTable } from './table.ts';

type WatchVerb =
  | 'pinIncident'
  | 'addNote'
  | 'changeNote'
  | 'removeNote'
  | 'readNotes'
  | 'beginShift'
  | 'readShift'
  | 'announceMapPicture'
  | 'handOver'
  | 'seeHandover'
  | 'takeOver';

/** Watching and handing over: pins, notes, the log of the shift. */
export function noteVerbs({ deploymentSwitch }: VerbContext): Pick<VerbTable, WatchVerb> {
  const on = onAccount(deploymentSwitch);
  return {
    pinIncident: on(({ notes }, { incidentId, pinned }) => notes.pin(incidentId, pinned)),
    addNote: on(({ notes }, { incidentId, text }) => notes.addNote(incidentId, text)),
    changeNote: on(({ notes }, { id, text }) => notes.changeNote(id, text)),
    removeNote: on(({ notes }, { id }) => notes.removeNote(id)),
    readNotes: on(({ notes }, { incidentId, text, from, count }) =>
      ok(notes.readNotes({ incidentId, text }, from, count)),
    ),
    beginShift: on(({ notes }) => notes.beginShift()),
    readShift: on(({ notes }, { from, count }) => ok(notes.readShift(from, count))),
    announceMapPicture: on(({ notes }) => notes.announceMapPicture()),
    handOver: on(({ notes }, { summary, successor, wording = null, pictureId = null }) =>
      notes.handOver({ summary, successor, wording, pictureId }),
    ),
    seeHandover: on(({ handovers }, { id }) => handovers.see(id)),
    takeOver: on(({ handovers }, { id }) => handovers.takeOver(id)),
  };
}
