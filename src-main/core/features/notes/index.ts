import { ok, type handoverVerbs, type noteVerbs } from '../../../../src-preload/contract/index.ts';
import type { AccountContext, VerbHandlers } from '../context.ts';
import type { FactSources } from './handover/facts.ts';
import type { HandoverRepository } from './handover/handoverRepository.ts';
import { Handovers } from './handover/handovers.ts';
import { Notes } from './notes.ts';

export { HandoverRepository } from './handover/handoverRepository.ts';
export { handoversAtStart } from './handover/handovers.ts';
export { notesAtStart } from './notesState.ts';

/**
 * Opens notes, pins, handovers and the log of the shift, which hears what other features log until all of them have
 * ended.
 */
export function openNotes(account: AccountContext, repository: HandoverRepository, sources: FactSources) {
  const handovers = new Handovers(account, repository);
  const notes = new Notes(account, { ...sources, handovers });
  account.on(
    'shift-line',
    (line) => {
      notes.log(line);
    },
    'at-once',
  );
  // Not awaited: a damaged file, or a key store without an answer, must not delay a sign-in.
  void handovers.load();
  const verbs: VerbHandlers<typeof noteVerbs & typeof handoverVerbs> = {
    pinIncident: ({ incidentId, pinned }) => notes.pin(incidentId, pinned),
    addNote: ({ incidentId, text }) => notes.addNote(incidentId, text),
    changeNote: ({ id, text }) => notes.changeNote(id, text),
    removeNote: ({ id }) => notes.removeNote(id),
    readNotes: ({ incidentId, text, from, count }) => ok(notes.readNotes({ incidentId, text }, from, count)),
    beginShift: () => notes.beginShift(),
    readShift: ({ from, count }) => ok(notes.readShift(from, count)),
    handOver: (messages) => notes.handOver(messages),
    seeHandover: ({ id }) => handovers.see(id),
    takeOver: ({ id }) => handovers.takeOver(id),
  };
  return Object.assign(notes, { verbs });
}
