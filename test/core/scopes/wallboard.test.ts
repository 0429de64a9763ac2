import { afterEach, expect, it } from 'vitest';
import { kioskWithoutPolicy } from '../../../src-main/core/features/policy/policy.ts';
import { verbNames, type VerbName } from '../../../src-preload/contract/index.ts';
import { openConsole, type OpenConsole } from './appFixtures.ts';

const id = 'a'.repeat(32);
const upload = 'b'.repeat(16);
const camera = { longitude: 1, latitude: 2, zoom: 3 };

/**
 * What a display on a wall never does: act on the service, change what is kept, silence or acknowledge an
 * alarm. With requests that are well formed, so that nothing else refuses them.
 */
const acting: Partial<Record<VerbName, object>> = {
  eraseVault: { id, unsent: 0 },
  proposeDeployment: { text: '{}' },
  confirmDeployment: { proposalId: 'p' },
  removeDeployment: { id: 'training' },
  setIncidentQuery: { range: 'all', severities: [], statuses: [], types: [], openOnly: false },
  beginMapImport: { fileName: 'a.pmtiles', bytes: 1 },
  setMapPackage: { id: upload, visible: false },
  moveMapPackage: { id: upload, to: 0 },
  removeMapPackage: { id: upload },
  openInGateway: { cid: 'bafy', gateway: 'https://example.org' },
  beginVerification: { cid: 'bafy', fileName: 'a', bytes: 1 },
  beginUpload: { fileName: 'a', bytes: 1, incidentId: null },
  pauseUpload: { id: null, paused: true },
  moveUpload: { id: upload, to: 0 },
  cancelUpload: { id: upload },
  retryUpload: { id: upload },
  decideUpload: { id: upload, decision: 'send' },
  discardUpload: { id: upload, state: 'failed' },
  discardSentUploads: {},
  giveUploadToken: { token: 'canary' },
  lookUpMission: { missionId: 'M-1' },
  decideMission: { missionId: 'M-1', decision: 'approve', again: false },
  checkDecision: { missionId: 'M-1' },
  exportAudit: {},
  acknowledgeAlarm: { id: 'a' },
  acknowledgeAlarms: {},
  undoAcknowledgement: {},
  snoozeAlarm: { id: 'a', minutes: 15 },
  muteAlarms: { minutes: 60 },
  setAlarms: { sound: false },
  keepLayout: { panel: 'maps' },
  saveView: { name: 'wall', camera, search: '' },
  removeView: { id },
  moveView: { id, to: 0 },
  seeChanges: { incidentId: 'i' },
  seeAllChanges: { last: 0 },
  pinIncident: { incidentId: 'i', pinned: true },
  addNote: { incidentId: 'i', text: 'n' },
  changeNote: { id, text: 'n' },
  removeNote: { id },
  beginShift: {},
  handOver: { summary: 's', successor: '', language: 'en' },
  seeHandover: { id },
  takeOver: { id },
  setTraining: { arrivals: false },
};

let open: OpenConsole | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

const answer = async (verb: VerbName, request: object): Promise<string> => {
  const result = await open?.console.call(verb, request);
  return result === undefined || result.ok ? 'ok' : result.failure.code;
};

it('lets nobody act from a wallboard, and reads all the same', async () => {
  open = await openConsole({ policy: kioskWithoutPolicy('wallboard') });
  expect((await open.signIn()).ok).toBe(true);
  await open.shows(({ workspace }) => workspace?.restored === 1, 'the workspace to be there');
  const refused: Partial<Record<VerbName, string>> = {};
  for (const [verb, request] of Object.entries(acting)) {
    refused[verb as VerbName] = await answer(verb as VerbName, request);
  }
  expect(refused).toEqual(Object.fromEntries(Object.keys(acting).map((verb) => [verb, 'policy-forbids'])));
  expect(open.mirror.slices.workspace?.views).toEqual([]);

  const page = { from: 0, count: 10 };
  expect(await answer('refreshIncidents', {})).toBe('ok');
  expect(await answer('readUploads', page)).toBe('ok');
  expect(await answer('readAudit', page)).toBe('ok');
  expect(await answer('checkHealth', {})).toBe('ok');
  expect(await answer('noteActivity', {})).toBe('ok');
  expect(await answer('lock', {})).toBe('ok');
  expect(await answer('unlock', { password: open.training()?.credentials.password ?? '' })).toBe('ok');
  expect(await answer('leaveKiosk', { code: '' })).toBe('ok');
});

it('refuses none of it in a kiosk that an operator works at', async () => {
  open = await openConsole({ policy: kioskWithoutPolicy('operator') });
  expect((await open.signIn()).ok).toBe(true);
  await open.shows(({ workspace }) => workspace?.restored === 1, 'the workspace to be there');
  expect(await answer('saveView', { name: 'desk', camera, search: '' })).toBe('ok');
  expect(await answer('acknowledgeAlarms', {})).toBe('ok');
  expect(verbNames.length).toBeGreaterThan(Object.keys(acting).length);
});
