import { failed, ok, type Result } from '../../../../src-preload/contract/index.ts';
import type { AccountFeatures } from '../accountFeatures.ts';
import { makeFailure } from '../../base/failure.ts';
import { given } from './given.ts';
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

/** Evidence, the outbox, missions and alarms, on the station of the chosen deployment. */
export function actionVerbs({ desk }: VerbContext): Pick<VerbTable, ActionVerb> {
  const gone = (): Result<never> => failed(makeFailure({ code: 'signed-out', at: desk.now() }));
  /** A verb on what the station keeps; without a station there is nobody signed in either. */
  const on =
    <Q, R>(run: (actions: AccountFeatures, request: Q) => Result<R> | Promise<Result<R>>) =>
    async (request: Q): Promise<Result<R>> => {
      if (!desk.station) return gone();
      const { actions } = desk.station;
      await actions.ready;
      return run(actions, request);
    };
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

    beginUpload: on(({ outbox }, { fileName, bytes, incidentId }) =>
      outbox.begin(fileName, bytes, incidentId),
    ),
    readUploads: on(({ outbox }, { from, count }) => ok(outbox.read(from, count))),
    pauseUpload: on(({ outbox }, { id, paused }) => outbox.pause(id, paused)),
    moveUpload: on(({ outbox }, { id, to }) => outbox.move(id, to)),
    cancelUpload: on(({ outbox }, { id }) => outbox.cancel(id)),
    retryUpload: on(({ outbox }, { id }) => outbox.retry(id)),
    decideUpload: on(({ outbox }, { id, decision }) => outbox.decide(id, decision)),
    discardUpload: on(({ outbox }, { id, state }) => outbox.discard(id, state)),
    discardSentUploads: on(({ outbox }) => outbox.discardSent()),
    giveUploadToken: ({ token }) => desk.station?.giveUploadToken(token) ?? gone(),

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
