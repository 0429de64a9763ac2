import { failed, ok, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { AccountFeatures } from '../accountFeatures.ts';
import type { Handovers } from '../../features/notes/handover/handovers.ts';
import type { Notes } from '../../features/notes/notes.ts';
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
export function watchVerbs({ desk }: VerbContext): Pick<VerbTable, WatchVerb> {
  const onActions =
    <Q, R>(run: (actions: AccountFeatures, request: Q) => Result<R> | Promise<Result<R>>) =>
    async (request: Q): Promise<Result<R>> => {
      if (!desk.station) return failed(makeFailure({ code: 'signed-out', at: desk.now() }));
      const { actions } = desk.station;
      await actions.ready;
      return run(actions, request);
    };
  const on = <Q, R>(run: (watch: Notes, request: Q) => Result<R> | Promise<Result<R>>) =>
    onActions<Q, R>(({ watch }, request) => run(watch, request));
  const onHandovers = <Q, R>(run: (handovers: Handovers, request: Q) => Promise<Result<R>>) =>
    onActions<Q, R>(({ handovers }, request) => run(handovers, request));
  return {
    pinIncident: on((watch, { incidentId, pinned }) => watch.pin(incidentId, pinned)),
    addNote: on((watch, { incidentId, text }) => watch.addNote(incidentId, text)),
    changeNote: on((watch, { id, text }) => watch.changeNote(id, text)),
    removeNote: on((watch, { id }) => watch.removeNote(id)),
    readNotes: on((watch, { incidentId, text, from, count }) =>
      ok(watch.readNotes({ incidentId, text }, from, count)),
    ),
    beginShift: on((watch) => watch.beginShift()),
    readShift: on((watch, { from, count }) => ok(watch.readShift(from, count))),
    announceMapPicture: on((watch) => watch.announceMapPicture()),
    handOver: on((watch, { summary, successor, wording = null, pictureId = null }) =>
      watch.handOver({ summary, successor, wording, pictureId }),
    ),
    seeHandover: onHandovers((handovers, { id }) => handovers.see(id)),
    takeOver: onHandovers((handovers, { id }) => handovers.takeOver(id)),
  };
}
