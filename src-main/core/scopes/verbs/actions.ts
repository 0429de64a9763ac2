import { failed, ok } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { given } from './given.ts';
import { onAccount } from './onAccount.ts';
import type { VerbContext, VerbTable } from './table.ts';

type ActionVerb =
  | 'refreshEvidence'
  | 'readEvidence'
  | 'openInGateway'
  | 'beginVerification'
  | 'dismissVerification'
  | 'beginUpload'
  | 'readUploads'
  | 'pauseUpload'
  | 'moveUpload'
  | 'cancelUpload'
  | 'retryUpload'
  | 'decideUpload'
  | 'discardUpload'
  | 'discardSentUploads'
  | 'giveUploadToken'
  | 'refreshMissions'
  | 'lookUpMission'
  | 'decideMission'
  | 'checkDecision'
  | 'readAudit'
  | 'exportAudit'
  | 'acknowledgeAlarm'
  | 'acknowledgeAlarms'
  | 'undoAcknowledgement'
  | 'snoozeAlarm'
  | 'readAlarmIncidents'
  | 'muteAlarms'
  | 'setAlarms';

/** Evidence, the outbox, missions and alarms, on the deployment scope of the chosen deployment. */
export function actionVerbs({ deploymentSwitch }: VerbContext): Pick<VerbTable, ActionVerb> {
  const on = onAccount(deploymentSwitch);
  return {
    refreshEvidence: on(({ evidence }) => evidence.refresh()),
    readEvidence: on(({ evidence }, request) => ok(evidence.read(request))),
    openInGateway: on(({ evidence }, { cid, gateway }) => evidence.open(cid, gateway)),
    beginVerification: on(({ evidence }, { cid, fileName, bytes }) =>
      evidence.beginVerification(cid, fileName, bytes),
    ),
    dismissVerification: on(({ evidence }, { verificationId }) =>
      evidence.dismissVerification(verificationId),
    ),

    beginUpload: on(({ uploads }, { fileName, bytes, incidentId }) =>
      uploads.begin(fileName, bytes, incidentId),
    ),
    readUploads: on(({ uploads }, { from, count }) => ok(uploads.read(from, count))),
    pauseUpload: on(({ uploads }, { id, paused }) => uploads.pause(id, paused)),
    moveUpload: on(({ uploads }, { id, to }) => uploads.move(id, to)),
    cancelUpload: on(({ uploads }, { id }) => uploads.cancel(id)),
    retryUpload: on(({ uploads }, { id }) => uploads.retry(id)),
    decideUpload: on(({ uploads }, { id, decision }) => uploads.decide(id, decision)),
    discardUpload: on(({ uploads }, { id, state }) => uploads.discard(id, state)),
    discardSentUploads: on(({ uploads }) => uploads.discardSent()),
    giveUploadToken: ({ token }) =>
      deploymentSwitch.current?.giveUploadToken(token) ??
      failed(makeFailure({ code: 'signed-out', at: deploymentSwitch.now() })),

    refreshMissions: on(({ missions }) => missions.refresh()),
    lookUpMission: on(({ missions }, { missionId }) => missions.lookUp(missionId)),
    decideMission: on(({ missions }, request) => missions.decide(request)),
    checkDecision: on(({ missions }, { missionId }) => missions.check(missionId)),
    readAudit: on(({ missions }, { from, count }) => ok(missions.readAudit(from, count))),
    exportAudit: on(({ missions }) => missions.exportAudit()),

    acknowledgeAlarm: on(({ alarms }, { id, note }) => alarms.acknowledge(id, note)),
    acknowledgeAlarms: on(({ alarms }, { ids }) =>
      ids === undefined ? alarms.acknowledgeAll() : alarms.acknowledgeThese(ids),
    ),
    undoAcknowledgement: on(({ alarms }) => alarms.undo()),
    snoozeAlarm: on(({ alarms }, { id, minutes }) => alarms.snooze(id, minutes)),
    readAlarmIncidents: on(({ alarms }, { id }) => alarms.incidentsOf(id)),
    muteAlarms: on(({ alarms }, { minutes }) => alarms.mute(minutes)),
    setAlarms: on(({ alarms }, change) => alarms.set(given(change))),
  };
}
