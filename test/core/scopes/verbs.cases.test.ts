import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  coordinateFormats,
  exportFormats,
  failureSchema,
  languages,
  lengthUnits,
  panelNames,
  sortColumns,
  textSizes,
  themeNames,
  trainingFaults,
  verbNames,
  verbs,
  type VerbName,
} from '../../../src-preload/contract/index.ts';
import { casesOf } from '../../support/campaign.ts';
import { openConsole, type OpenConsole } from './appFixtures.ts';

let open: OpenConsole;
beforeAll(async () => {
  open = await openConsole();
});
afterAll(async () => {
  await open.close();
});

/** Somebody is signed in and nothing is locked, whatever the call before this one did. */
async function ready(): Promise<void> {
  const password = open.training()?.credentials.password ?? '';
  await open.call('unlock', { password });
  if (!(await open.call('refreshIncidents', {})).ok) await open.signIn();
}

const text = (most: number) => fc.string({ minLength: 1, maxLength: most });
/** What is written for people says something. */
const spoken = (most: number) => text(most).filter((written) => written.trim() !== '');
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const empty = fc.constant({});
const texts = fc.array(fc.string({ maxLength: 256 }), { maxLength: 8 });

const mapId = fc.stringMatching(/^[0-9a-f]{16}$/);

const missionId = fc.stringMatching(/^[\w-]{1,64}$/);
const viewId = fc.stringMatching(/^[0-9a-f]{32}$/);
const whatToKeep = fc.oneof(
  fc.record({ kind: fc.constant('cid'), cid: text(256) }),
  fc.record({ kind: fc.constant('incident'), incidentId: text(1024) }),
  fc.record({
    kind: fc.constant('incidents'),
    keys: fc.array(fc.integer({ min: 0, max: 4_294_967_295 }), { maxLength: 8 }),
  }),
  fc.record({ kind: fc.constant('list') }),
);
const camera = fc.record({
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  zoom: fc.double({ min: 0, max: 24, noNaN: true }),
});
const position = fc.record({
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
});
const pageFacts = fc.record({
  userAgent: fc.string({ maxLength: 512 }),
  webgl: fc.option(fc.string({ maxLength: 256 })),
  language: fc.string({ maxLength: 64 }),
  pixelRatio: fc.double({ min: 0, max: 64, noNaN: true }),
  size: fc.string({ maxLength: 32 }),
});
const page = { from: fc.integer({ min: 0, max: 10_000_000 }), count: fc.integer({ min: 1, max: 200 }) };

/** Requests that a page may send, for every verb. */
const valid: Record<VerbName, fc.Arbitrary<unknown>> = {
  signIn: fc.record({ username: text(256), password: text(1024), uploadToken: some(text(8192)) }),
  signInToProxy: fc.record({
    proxy: text(300),
    username: text(256),
    password: text(1024),
  }),
  renewSession: empty,
  signOut: empty,
  lock: empty,
  unlock: fc.record({ password: text(1024) }),
  openWithPrevious: fc.record({ password: text(1024) }),
  startNewVault: empty,
  eraseVault: fc.record({
    id: fc.stringMatching(/^[0-9a-f]{32}$/),
    unsent: fc.integer({ min: 0, max: 1000 }),
  }),
  dismissStorageNotice: empty,
  startDeploymentCheck: fc.record({
    of: fc.oneof(
      fc.record({ kind: fc.constant('known'), id: text(64) }),
      fc.record({ kind: fc.constant('proposed'), proposalId: fc.string({ maxLength: 64 }) }),
    ),
    username: text(256),
    password: text(1024),
  }),
  cancelDeploymentCheck: empty,
  dismissDeploymentCheck: empty,
  prepareDeploymentCheck: fc.record({ what: fc.constantFrom('report', 'file') }),
  retryGraphics: empty,
  restart: empty,
  chooseDeployment: fc.record({ id: text(64) }),
  proposeDeployment: fc.record({ text: fc.oneof(fc.string({ maxLength: 1000 }), fc.json()) }),
  confirmDeployment: fc.record({ proposalId: fc.string({ maxLength: 64 }) }),
  dismissDeployment: fc.record({ proposalId: fc.string({ maxLength: 64 }) }),
  removeDeployment: fc.record({ id: text(64) }),
  setIncidentQuery: fc.record({
    range: fc.constantFrom('1h', '6h', '24h', '7d', 'all'),
    severities: texts,
    statuses: texts,
    types: texts,
    openOnly: fc.boolean(),
  }),
  refreshIncidents: empty,
  readIncident: fc.record({ key: fc.integer({ min: 0, max: 4_294_967_295 }) }),
  readNearby: fc.record({
    keys: fc.array(fc.integer({ min: 0, max: 4_294_967_295 }), { minLength: 1, maxLength: 200 }),
    language: fc.constantFrom(...languages),
  }),
  readTownList: empty,
  readTowns: fc.record({
    keys: fc.array(fc.integer({ min: 0, max: 4_294_967_295 }), { minLength: 1, maxLength: 200 }),
    language: fc.constantFrom(...languages),
  }),
  checkHealth: empty,
  readDrones: fc.record({ since: fc.option(fc.nat()) }),
  readDrone: fc.record({ id: text(128) }),
  setPreferences: fc.record({
    theme: some(fc.constantFrom('system', 'schedule', ...themeNames)),
    schedule: some(
      fc.record({
        day: fc.constantFrom(...themeNames),
        night: fc.constantFrom(...themeNames),
        dayFrom: fc.integer({ min: 0, max: 1439 }),
        nightFrom: fc.integer({ min: 0, max: 1439 }),
      }),
    ),
    textSize: some(fc.constantFrom(...textSizes)),
    touch: some(fc.constantFrom('auto', 'on', 'off')),
    motion: some(fc.constantFrom('system', 'reduced')),
    language: some(fc.constantFrom('system', ...languages)),
    coordinates: some(fc.constantFrom(...coordinateFormats)),
    units: some(fc.constantFrom(...lengthUnits)),
    singleKeys: some(fc.boolean()),
    tourDone: some(fc.boolean()),
    zone: some(fc.constantFrom('utc', 'local')),
    listWidth: some(fc.integer({ min: 320, max: 560 })),
    zoom: some(fc.double({ min: 0.5, max: 3, noNaN: true })),
    idleLockMinutes: some(fc.option(fc.integer({ min: 1, max: 480 }))),
    tray: some(fc.boolean()),
  }),
  beginMapImport: fc.record({ fileName: text(255), bytes: fc.maxSafeNat() }),
  cancelMapImport: fc.record({ importId: mapId }),
  dismissMapImport: fc.record({ importId: mapId }),
  setMapPackage: fc.record({ id: mapId, visible: fc.boolean() }),
  moveMapPackage: fc.record({ id: mapId, to: fc.integer({ min: 0, max: 255 }) }),
  removeMapPackage: fc.record({ id: mapId }),
  refreshEvidence: empty,
  readEvidence: fc.record({ incidentId: fc.option(fc.string({ maxLength: 1024 })), ...page }),
  openInGateway: fc.record({ cid: text(256), gateway: fc.string({ maxLength: 512 }) }),
  loadContent: fc.record({ cid: text(256), soon: fc.boolean() }),
  cancelContent: fc.record({ cid: text(256) }),
  countContent: fc.record({ of: whatToKeep }),
  keepContent: fc.record({
    of: whatToKeep,
    kept: fc.boolean(),
  }),
  openContent: fc.record({ cid: text(256), unverified: fc.boolean() }),
  closeContent: fc.record({ ticket: fc.stringMatching(/^[0-9a-f]{32}$/) }),
  saveContent: fc.record({ cid: text(256) }),
  beginVerification: fc.record({ cid: text(256), fileName: text(1024), bytes: fc.maxSafeNat() }),
  dismissVerification: fc.record({ verificationId: mapId }),
  beginUpload: fc.record({
    fileName: text(1024),
    bytes: fc.maxSafeNat(),
    incidentId: fc.option(fc.string({ maxLength: 1024 })),
  }),
  readUploads: fc.record(page),
  postponeUpload: fc.record({ id: mapId }),
  exceedDataLimit: empty,
  pauseUpload: fc.record({ id: fc.option(mapId), paused: fc.boolean() }),
  moveUpload: fc.record({ id: mapId, to: fc.integer({ min: 0, max: 10_000_000 }) }),
  cancelUpload: fc.record({ id: mapId }),
  retryUpload: fc.record({ id: mapId }),
  decideUpload: fc.record({ id: mapId, decision: fc.constantFrom('check', 'send') }),
  discardUpload: fc.record({ id: mapId, state: fc.constantFrom('queued', 'sent', 'needs-decision') }),
  discardSentUploads: empty,
  giveUploadToken: fc.record({ token: text(8192) }),
  refreshMissions: empty,
  lookUpMission: fc.record({ missionId }),
  decideMission: fc.record({
    missionId,
    decision: fc.constantFrom('approve', 'reject'),
    again: fc.boolean(),
    reason: some(fc.string({ maxLength: 500 })),
  }),
  checkDecision: fc.record({ missionId }),
  readAudit: fc.record(page),
  exportAudit: empty,
  acknowledgeAlarm: fc.record({
    id: fc.string({ maxLength: 32 }),
    note: some(fc.string({ maxLength: 500 })),
  }),
  undoAcknowledgement: empty,
  snoozeAlarm: fc.record({ id: fc.string({ maxLength: 32 }), minutes: fc.constantFrom(15, 60, null) }),
  acknowledgeAlarms: fc.record(
    { ids: fc.array(fc.string({ maxLength: 32 }), { minLength: 1, maxLength: 200 }) },
    { requiredKeys: [] },
  ),
  readAlarmIncidents: fc.record({ id: fc.string({ maxLength: 32 }) }),
  muteAlarms: fc.record({ minutes: fc.constantFrom(5, 30, 60, null) }),
  setAlarms: fc.record({
    least: some(fc.constantFrom('none', 'critical', 'high', 'medium', 'low')),
    sound: some(fc.boolean()),
    escalateAfterMs: some(fc.constantFrom(60_000, 3_600_000, null)),
    quietHours: some(fc.constantFrom({ from: 0, to: 1_439 }, null)),
    types: some(fc.constantFrom([], [{ type: 'fire', least: 'low' }])),
  }),
  noteActivity: empty,
  leaveKiosk: fc.record({ code: fc.string({ maxLength: 256 }) }),
  keepLayout: fc.record({
    camera: some(fc.option(camera)),
    panel: some(fc.constantFrom(...panelNames)),
    sortBy: some(fc.constantFrom(...sortColumns)),
    sortDirection: some(fc.constantFrom('ascending', 'descending')),
    columns: some(fc.constantFrom(null, [{ name: 'type', width: 200 }])),
    overlays: some(fc.record({ graticule: fc.boolean(), mgrsGrid: fc.boolean() })),
    timeline: some(fc.boolean()),
    detailsWidth: some(fc.option(fc.integer({ min: 320, max: 640 }))),
  }),
  saveView: fc.record({ name: spoken(80), camera: fc.option(camera), search: fc.string({ maxLength: 256 }) }),
  renameView: fc.record({ id: viewId, name: spoken(80) }),
  removeView: fc.record({ id: viewId }),
  moveView: fc.record({ id: viewId, to: fc.integer({ min: 0, max: 63 }) }),
  exportViews: fc.record({ ids: fc.array(viewId, { minLength: 1, maxLength: 8 }) }),
  importViews: fc.record({ text: fc.oneof(fc.string({ maxLength: 1000 }), fc.json()) }),
  setStation: fc.record({ position: fc.option(position) }),
  openWindow: fc.record({ show: fc.constantFrom('map', 'list') }),
  findAnchors: fc.record({ text: text(256) }),
  seeChanges: fc.record({ incidentId: text(1024) }),
  seeAllChanges: fc.record({ last: fc.nat() }),
  pinIncident: fc.record({ incidentId: text(1024), pinned: fc.boolean() }),
  addNote: fc.record({ incidentId: text(1024), text: spoken(4000) }),
  changeNote: fc.record({ id: viewId, text: spoken(4000) }),
  removeNote: fc.record({ id: viewId }),
  readNotes: fc.record({ incidentId: fc.option(text(1024)), ...page }),
  beginShift: empty,
  readShift: fc.record(page),
  handOver: fc.record({
    summary: fc.string({ maxLength: 4_000 }),
    successor: fc.string({ maxLength: 200 }),
    language: fc.constantFrom(...languages),
  }),
  seeHandover: fc.record({ id: viewId }),
  takeOver: fc.record({ id: viewId }),
  beginExport: fc.record({
    subject: fc.constant('incidents' as const),
    format: fc.constantFrom(...exportFormats),
    incidents: fc.integer({ min: 0, max: 10_000_000 }),
    filters: fc.string({ maxLength: 2000 }),
    byteOrderMark: fc.boolean(),
  }),
  cancelExport: fc.record({ jobId: mapId }),
  dismissExport: fc.record({ jobId: mapId }),
  setStartAtLogin: fc.record({ on: fc.boolean() }),
  checkForUpdate: empty,
  takeUpdate: empty,
  takeUpdateFromFolder: empty,
  installUpdate: fc.record({ version: fc.string({ maxLength: 64 }) }),
  dismissUpdate: empty,
  readDiagnostics: fc.record({ page: pageFacts }),
  runSelfTest: fc.record({ page: pageFacts }),
  prepareBundle: fc.record({ page: pageFacts }),
  setTraining: fc.record({
    latencyMs: fc.constant(0),
    fault: some(fc.constantFrom(...trainingFaults.filter((fault) => fault === 'none'))),
    order: some(fc.constantFrom('newest-first', 'oldest-first', 'shuffled')),
    wrapWithCursor: some(fc.boolean()),
  }),
};

describe.each(verbNames)('the verb %s', (verb) => {
  it('answers any junk with a failure that repeats nothing of it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
        async (junk) => {
          const readable = verbs[verb].request.safeParse(junk).success;
          const result = await open.console.call(verb, junk);
          expect(typeof result.ok).toBe('boolean');
          if (readable) return;
          expect(result).toMatchObject({ ok: false, failure: { code: 'malformed-request' } });
        },
      ),
      { numRuns: casesOf({ part: 15, whole: 60 }) },
    );
    const secret = 'canary-secret';
    const result = await open.console.call(verb, { [secret]: secret, password: [secret], username: secret });
    expect(JSON.stringify(result)).not.toContain(secret);
  });

  it('never takes a valid request for a malformed one, and answers as its schema says', async () => {
    await fc.assert(
      fc.asyncProperty(valid[verb], async (request) => {
        await ready();
        expect(verbs[verb].request.safeParse(request).success).toBe(true);
        const result = await open.console.call(verb, request);
        if (result.ok) expect(verbs[verb].reply.safeParse(result.value).success).toBe(true);
        else {
          expect(failureSchema.safeParse(result.failure).success).toBe(true);
          expect(['malformed-request', 'internal', 'signed-out', 'locked']).not.toContain(
            result.failure.code,
          );
        }
      }),
      { numRuns: verb === 'signIn' ? casesOf({ part: 2, whole: 5 }) : casesOf({ part: 6, whole: 25 }) },
    );
  });
});

it.each(['__proto__', 'constructor', 'toString', '', 'signin', 'close'])(
  'there is no verb %j',
  async (verb) => {
    expect(await open.console.call(verb, {})).toMatchObject({
      ok: false,
      failure: { code: 'malformed-request' },
    });
  },
);

it('a request that throws when it is looked at is malformed', async () => {
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
      get: () => {
        throw new Error('no');
      },
    },
  );
  for (const verb of verbNames) {
    expect(await open.console.call(verb, hostile)).toMatchObject({ ok: false });
  }
});
