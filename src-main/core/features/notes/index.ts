import { ok, type handoverVerbs, type noteVerbs } from '../../../../src-preload/contract/index.ts';
import type { AccountContext, VerbHandlers } from '../context.ts';
import type { HandoverSources } from './handover/handover.ts';
import type { Handovers } from './handover/handovers.ts';
import { Notes } from './notes.ts';

export { HandoverRepository } from './handover/handoverRepository.ts';
export { Handovers, handoversAtStart } from './handover/handovers.ts';
export { notesAtStart } from './notesState.ts';

/** Opens notes, pins and the log of the shift, which hears what other features log until all of them have ended. */
export function openNotes(account: AccountContext, sources: HandoverSources): Notes {
  const notes = new Notes(account, sources);
  account.on(
    'shift-line',
    (line) => {
      notes.log(line);
    },
    'at-once',
  );
  return notes;
}

export const noteHandlers = (notes: Notes): VerbHandlers<typeof noteVerbs> => ({
  pinIncident: ({ incidentId, pinned }) => notes.pin(incidentId, pinned),
  addNote: ({ incidentId, text }) => notes.addNote(incidentId, text),
  changeNote: ({ id, text }) => notes.changeNote(id, text),
  removeNote: ({ id }) => notes.removeNote(id),
  readNotes: ({ incidentId, text, from, count }) => ok(notes.readNotes({ incidentId, text }, from, count)),
  beginShift: () => notes.beginShift(),
  readShift: ({ from, count }) => ok(notes.readShift(from, count)),
});

export const handoverHandlers = (handovers: Handovers, notes: Notes): VerbHandlers<typeof handoverVerbs> => ({
  handOver: (messages) => notes.handOver(messages),
  seeHandover: ({ id }) => handovers.see(id),
  takeOver: ({ id }) => handovers.takeOver(id),
});
