import {
  failed,
  ok,
  type alarmVerbs,
  type changeVerbs,
  type contentVerbs,
  type droneVerbs,
  type evidenceVerbs,
  type handoverVerbs,
  type missionVerbs,
  type noteVerbs,
  type uploadVerbs,
  type viewVerbs,
  type WhatToKeep,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { Evidence } from '../../features/evidence/evidence.ts';
import { given, onAccount, type VerbContext, type VerbHandlers } from './table.ts';

type OnAccount = ReturnType<typeof onAccount>;

/** The verbs of an account's features. The dispatcher calls them only while an operator is signed in. */
export function accountHandlers(context: VerbContext) {
  const on = onAccount(context.deploymentSwitch);
  // A layout that arrives before the stored one is loaded must be refused: taken later, it would replace the stored
  // one.
  const atOnce = onAccount(context.deploymentSwitch, { waits: false });
  return {
    ...evidenceHandlers(on, context),
    ...contentHandlers(on, context),
    ...droneHandlers(on, context),
    ...uploadHandlers(on, context),
    ...missionHandlers(on),
    ...alarmHandlers(on),
    ...viewHandlers(atOnce, context),
    ...changeHandlers(atOnce),
    ...noteHandlers(on),
    ...handoverHandlers(on),
  };
}

const evidenceHandlers = (
  on: OnAccount,
  { store, deploymentSwitch }: VerbContext,
): VerbHandlers<typeof evidenceVerbs> => ({
  refreshEvidence: on(({ evidence }) => evidence.refresh()),
  readEvidence: on(({ evidence }, request) => ok(evidence.read(request))),
  openInGateway: on(({ evidence }, { cid, gateway }) =>
    // A browser would be a way out of a kiosk.
    store.slice('policy').kiosk === 'off'
      ? evidence.open(cid, gateway)
      : failed(makeFailure({ code: 'policy-forbids', at: deploymentSwitch.now() })),
  ),
  beginVerification: on(({ evidence }, { cid, fileName, bytes }) =>
    evidence.beginVerification(cid, fileName, bytes),
  ),
  dismissVerification: on(({ evidence }, { verificationId }) => evidence.dismissVerification(verificationId)),
});

const contentHandlers = (on: OnAccount, { store }: VerbContext): VerbHandlers<typeof contentVerbs> => ({
  loadContent: on(({ contents }, { cid, soon }) => contents.want(cid, soon)),
  cancelContent: on(({ contents }, { cid }) => contents.cancel(cid)),
  countContent: on(({ contents, evidence }, { of }) => ok(contents.count(cidsOf(of, evidence, store)))),
  keepContent: on(({ contents, evidence }, { of, kept }) => contents.keep(cidsOf(of, evidence, store), kept)),
  openContent: on(({ contents }, { cid, unverified }) => contents.open(cid, unverified)),
  closeContent: on(({ contents }, { ticket }) => contents.close(ticket)),
  saveContent: on(({ contents }, { cid }) => contents.save(cid)),
});

const droneHandlers = (
  on: OnAccount,
  { deploymentSwitch }: VerbContext,
): VerbHandlers<typeof droneVerbs> => ({
  readDrones: on(({ drones }, { since }) => ok(drones.read(since))),
  readDrone: on(async ({ drones }, { id }) => {
    const detail = await drones.detail(id);
    if (detail !== null) return ok(detail);
    return failed(
      makeFailure({
        code: 'not-found',
        at: deploymentSwitch.now(),
        sentence: message('drone.gone'),
        remedy: null,
      }),
    );
  }),
});

function cidsOf(of: WhatToKeep, evidence: Evidence, store: VerbContext['store']): readonly string[] {
  switch (of.kind) {
    case 'cid':
      return [of.cid];
    case 'incident':
      return evidence.cids([of.incidentId]);
    case 'incidents':
      return evidence.cids(of.keys.flatMap((key) => store.incidentId(key) ?? []));
    case 'list':
      return evidence.cids(null);
  }
}

const uploadHandlers = (
  on: OnAccount,
  { deploymentSwitch }: VerbContext,
): VerbHandlers<typeof uploadVerbs> => ({
  beginUpload: on(({ uploads }, { fileName, bytes, incidentId }) =>
    uploads.begin(fileName, bytes, incidentId),
  ),
  readUploads: on(({ uploads }, { from, count }) => ok(uploads.read(from, count))),
  pauseUpload: on(({ uploads }, { id, paused }) => uploads.pause(id, paused)),
  postponeUpload: on(({ uploads }, { id }) => uploads.pause(id, 'slow-link')),
  moveUpload: on(({ uploads }, { id, to }) => uploads.move(id, to)),
  cancelUpload: on(({ uploads }, { id }) => uploads.cancel(id)),
  retryUpload: on(({ uploads }, { id }) => uploads.retry(id)),
  decideUpload: on(({ uploads }, { id, decision }) => uploads.decide(id, decision)),
  discardUpload: on(({ uploads }, { id, state }) => uploads.discard(id, state)),
  discardSentUploads: on(({ uploads }) => uploads.discardSent()),
  // Not on the account: the token belongs to the connection.
  giveUploadToken: ({ token }) =>
    deploymentSwitch.current?.session.giveUploadToken(token) ??
    failed(makeFailure({ code: 'signed-out', at: deploymentSwitch.now() })),
});

const missionHandlers = (on: OnAccount): VerbHandlers<typeof missionVerbs> => ({
  refreshMissions: on(({ missions }) => missions.refresh()),
  lookUpMission: on(({ missions }, { missionId }) => missions.lookUp(missionId)),
  decideMission: on(({ missions }, request) => missions.decide(request)),
  checkDecision: on(({ missions }, { missionId }) => missions.check(missionId)),
  readAudit: on(({ missions }, { from, count }) => ok(missions.readAudit(from, count))),
  exportAudit: on(({ missions }) => missions.exportAudit()),
});

const alarmHandlers = (on: OnAccount): VerbHandlers<typeof alarmVerbs> => ({
  acknowledgeAlarm: on(({ alarms }, { id, note }) => alarms.acknowledge(id, note)),
  acknowledgeAlarms: on(({ alarms }, { ids }) =>
    ids === undefined ? alarms.acknowledgeAll() : alarms.acknowledgeThese(ids),
  ),
  undoAcknowledgement: on(({ alarms }) => alarms.undo()),
  snoozeAlarm: on(({ alarms }, { id, minutes }) => alarms.snooze(id, minutes)),
  readAlarmIncidents: on(({ alarms }, { id }) => alarms.incidentsOf(id)),
  muteAlarms: on(({ alarms }, { minutes }) => alarms.mute(minutes)),
  setAlarms: on(({ alarms }, change) => alarms.set(given(change))),
});

const viewHandlers = (
  on: OnAccount,
  { deploymentSwitch, store, control }: VerbContext,
): VerbHandlers<typeof viewVerbs> => ({
  keepLayout: on(({ views }, change) => views.keepLayout(given(change))),
  saveView: on(({ views }, { name, camera, search }) => views.saveView(name, camera, search)),
  renameView: on(({ views }, { id, name }) => views.renameView(id, name)),
  removeView: on(({ views }, { id }) => views.removeView(id)),
  moveView: on(({ views }, { id, to }) => views.moveView(id, to)),
  exportViews: on(({ views }, { ids }) => views.exportViews(ids)),
  importViews: on(({ views }, { text }) => views.importViews(text)),
  setStation: on(({ views }, { position }) => views.setStation(position)),
  openWindow: ({ show }) => {
    const at = deploymentSwitch.now();
    if (store.slice('policy').kiosk !== 'off') {
      const sentence = message('window.kiosk');
      return failed(makeFailure({ code: 'policy-forbids', at, sentence, remedy: null }));
    }
    if (control.openWindow) return ok({ url: control.openWindow(show) });
    const sentence = message('window.one');
    return failed(makeFailure({ code: 'not-found', at, sentence, remedy: null }));
  },
});

const changeHandlers = (on: OnAccount): VerbHandlers<typeof changeVerbs> => ({
  seeChanges: on(({ changes }, { incidentId }) => ok(changes.see(incidentId))),
  seeAllChanges: on(({ changes }, { last }) => {
    changes.seeAll(last);
    return ok(null);
  }),
});

const noteHandlers = (on: OnAccount): VerbHandlers<typeof noteVerbs> => ({
  pinIncident: on(({ notes }, { incidentId, pinned }) => notes.pin(incidentId, pinned)),
  addNote: on(({ notes }, { incidentId, text }) => notes.addNote(incidentId, text)),
  changeNote: on(({ notes }, { id, text }) => notes.changeNote(id, text)),
  removeNote: on(({ notes }, { id }) => notes.removeNote(id)),
  readNotes: on(({ notes }, { incidentId, text, from, count }) =>
    ok(notes.readNotes({ incidentId, text }, from, count)),
  ),
  beginShift: on(({ notes }) => notes.beginShift()),
  readShift: on(({ notes }, { from, count }) => ok(notes.readShift(from, count))),
});

const handoverHandlers = (on: OnAccount): VerbHandlers<typeof handoverVerbs> => ({
  handOver: on(({ notes }, messages) => notes.handOver(messages)),
  seeHandover: on(({ handovers }, { id }) => handovers.see(id)),
  takeOver: on(({ handovers }, { id }) => handovers.takeOver(id)),
});
