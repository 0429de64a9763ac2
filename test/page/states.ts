import {
  encodeIncidentFrame,
  failed,
  ok,
  panelNames,
  slicesWhileLocked,
  type ConsoleState,
  type Decided,
  type Health,
  type PanelName,
  type Upload,
  type VerbName,
  type VerbReply,
} from '../../src-preload/contract/index.ts';
import { message } from '../../src-main/core/base/messages/message.ts';
import { unprovenRemedy, unprovenSaid } from '../../src-main/core/features/uploads/messages.ts';
import { makeFailure } from '../../src-main/core/base/failure.ts';
import type { BrowserHost } from './browserHost.ts';
import { recorded } from './recorded.ts';
import { mergeSlices, type Answers } from './standIn.ts';

export { recorded };

export type Change = { readonly [N in keyof ConsoleState]?: Partial<ConsoleState[N]> };

/** One press of a button or key, by which a page alone can be brought into a state. */
export type Step =
  | { readonly press: string }
  /** A press of the second mouse button. */
  | { readonly menu: string }
  | { readonly key: string }
  | { readonly type: string; readonly into: string }
  | { readonly file: string; readonly text: string; readonly into: string }
  | { readonly focus: string }
  | { readonly see: string };

/** A state of the page that has a name and an address: `/?state=NAME` of the gallery's server. */
export interface GalleryState {
  readonly name: string;
  /** What of the page it shows: the heading under which the gallery lists it. */
  readonly group: string;
  readonly slices: Partial<ConsoleState>;
  /** An incident frame as base64; null where the console withholds the rows. */
  readonly incidents: string | null;
  readonly answers: Answers;
  readonly steps: readonly Step[];
  /** The surfaces that it is there for (surfaces.ts). */
  readonly shows?: readonly string[];
  /** The half of the workspace that this window shows, in a second window. */
  readonly pane?: 'map' | 'list';
  /** Where a browser host carries the page, and not the desktop's bridge: what becomes of it. */
  readonly host?: BrowserHost;
}

export interface Difference {
  readonly shows?: readonly string[];
  readonly change?: Change;
  readonly answers?: Answers;
  readonly steps?: readonly Step[];
}

/** Part of a list as a verb answers it: what lies at `from` to `from + count`. */
const partOf =
  <T>(items: readonly T[]) =>
  ({ from, count }: { readonly from: number; readonly count: number }): T[] =>
    items.slice(from, from + count);

/** Answers of the recorded console. */
export const usualAnswers: Answers = {
  readIncident: ({ key }) => {
    const detail = recorded.details[key];
    return detail === undefined ? failed(makeFailure({ code: 'not-found', at: recordedNow })) : ok(detail);
  },
  readNearby: ({ keys }) => ok({ places: recorded.nearby.places.filter(({ key }) => keys.includes(key)) }),
  readTownList: () =>
    ok({ towns: ['48.208|16.372|AT|1691|Vienna|Viena|Vienne|維也納', '50.474|17.334|PL|47|Nysa'] }),
  readTowns: ({ keys }) => {
    const places = new Map(recorded.nearby.places.map((place) => [place.key, place]));
    const ids = [...new Set(recorded.nearby.places.map(({ town, country }) => `${town}, ${country}`))];
    const idOf = (key: number): number => {
      const place = places.get(key);
      return place === undefined ? -1 : ids.indexOf(`${place.town}, ${place.country}`);
    };
    const named = [...new Map(recorded.nearby.places.map((place) => [idOf(place.key), place])).entries()];
    const towns = named.map(([id, { town, country }]) => ({ id, name: town, english: town, country }));
    return ok({ towns, of: keys.map(idOf) });
  },
  readEvidence: (request) => {
    const items = recorded.evidence.items.filter(
      ({ incidentId }) => request.incidentId === null || request.incidentId === incidentId,
    );
    return ok({ ...recorded.evidence, total: items.length, items: partOf(items)(request) });
  },
  readUploads: (request) => ok({ ...recorded.uploads, items: partOf(recorded.uploads.items)(request) }),
  readAudit: (request) => ok({ ...recorded.audit, entries: partOf(recorded.audit.entries)(request) }),
  readNotes: (request) => {
    const notes = recorded.notes.notes.filter(
      ({ incidentId, text }) =>
        (request.incidentId === null || request.incidentId === incidentId) && text.includes(request.text),
    );
    return ok({ total: notes.length, notes: partOf(notes)(request) });
  },
  addNote: (request) => {
    const [note] = recorded.notes.notes;
    return note === undefined
      ? failed(makeFailure({ code: 'not-found', at: recordedNow }))
      : ok({ ...note, id: 'f'.repeat(32), ...request });
  },
  saveView: (request) =>
    ok({
      ...request,
      id: 'f'.repeat(32),
      range: 'all',
      severities: [],
      statuses: [],
      types: [],
      openOnly: false,
      columns: null,
      groupBy: 'none',
      overlays: { graticule: false, mgrsGrid: false },
      packages: null,
    }),
  seeChanges: () => ok({ isNew: false, changes: [] }),
  seeAllChanges: () => ok(null),
  beginVerification: () => failed(makeFailure({ code: 'internal', at: recordedNow })),
  beginExport: () => ok({ jobId: '1'.repeat(16) }),
  handOver: () => ok({ report: null, notStored: null }),
  readShift: (request) => ok({ ...recorded.shift, entries: partOf(recorded.shift.entries)(request) }),
  readDiagnostics: () => ok(recorded.diagnostics),
  runSelfTest: () => ok(recorded.selfTest),
  findAnchors: () => ok({ keys: [], more: false }),
  readAlarmIncidents: () => ok({ ids: recorded.workspace.slices.alarms?.active[0]?.incidentIds ?? [] }),
};

/** A real deployment, so that no state but training's own carries the band "TRAINING". */
export const atWork: Change = {
  app: { training: false },
  preferences: { tourDone: true, theme: 'night', language: 'en', motion: 'reduced' },
  deployments: {
    known: [
      {
        id: 'harbour',
        name: 'Harbour station',
        infrastructureHost: 'infrastructure.example.org',
        coordinationHost: 'coordination.example.org',
        source: 'added',
      },
    ],
    chosen: 'harbour',
  },
};

export const workspaceSlices = { ...mergeSlices(recorded.workspace.slices, atWork), training: null };
export const acknowledged = mergeSlices(workspaceSlices, {
  alarms: { active: [] },
  siren: { unacknowledged: 0, worstSeverity: null, level: 0, kind: null, severity: null },
});
/** The recorded console's clock, Unix ms: every instant of a state is counted from it. */
export const recordedNow = recorded.workspace.slices.time?.serverNow ?? 0;

export const working = (
  group: string,
  name: string,
  { change = {}, answers = {}, steps = [], shows = [] }: Difference,
): GalleryState => ({
  group,
  name,
  slices: mergeSlices(acknowledged, change),
  incidents: recorded.workspace.incidents,
  answers: { ...usualAnswers, ...answers },
  steps,
  shows,
});

export const atDoor = (
  name: string,
  { change = {}, answers = {}, steps = [], shows = [] }: Difference,
): GalleryState => ({
  group: 'Sign-in and lock',
  name,
  slices: { ...mergeSlices(recorded.signedOut.slices, { ...atWork, ...change }), training: null },
  incidents: null,
  answers,
  steps,
  shows,
});

const noRows = new Float64Array(0);
const noKeys = new Uint32Array(0);
const noIndices = new Uint16Array(0);
/** A frame of all rows, of which there are none. */
export const noIncidents = btoa(
  String.fromCharCode(
    ...encodeIncidentFrame({
      complete: true,
      removed: noKeys,
      dictionaries: { severity: [], status: [], type: [] },
      columns: {
        length: 0,
        key: noKeys,
        createdAt: noRows,
        latitude: noRows,
        longitude: noRows,
        arrivedAt: noRows,
        evidenceCount: noKeys,
        anchorCount: noKeys,
        severity: noIndices,
        status: noIndices,
        type: noIndices,
        notReturned: new Uint8Array(0),
        idOffsets: new Uint32Array(1),
        idBytes: new Uint8Array(0),
      },
    }),
  ),
);

/** What a locked console still mirrors, and no other slice (contract/state.ts: slicesWhileLocked). */
export const locked = (name: string, throttledUntil: number | null): GalleryState => ({
  ...atDoor(name, {}),
  slices: {
    ...Object.fromEntries(slicesWhileLocked.map((slice) => [slice, acknowledged[slice]])),
    lock: { locked: true, username: 'operator', deploymentName: 'Harbour station', throttledUntil },
  },
});

export const panelOf = (
  panel: PanelName,
  difference: Difference = {},
  name: string = panel,
  incidents: string | null = recorded.workspace.incidents,
): GalleryState => {
  const layout = recorded.workspace.slices.workspace?.layout;
  if (layout === undefined) throw new Error('The recorded workspace has a layout');
  const change = {
    ...difference.change,
    workspace: {
      ...difference.change?.workspace,
      layout: { ...layout, ...difference.change?.workspace?.layout, panel },
    },
  };
  return { ...working('Panels', name, { ...difference, change }), incidents };
};

export const unreachable = makeFailure({ code: 'unreachable', at: recordedNow });
/** Neither API is reached. */
export const offline: Change = {
  connection: {
    infrastructure: { state: 'offline', since: recordedNow - 60_000, failure: unreachable },
    coordination: { state: 'offline', since: recordedNow - 60_000, failure: unreachable },
  },
  incidents: { freshness: 'stale', failure: unreachable },
  health: { freshness: 'stale', failure: unreachable },
};

export const refused = makeFailure({
  code: 'bad-credentials',
  status: 401,
  requestId: 'trn-401',
  at: recordedNow,
});

export const throttled = makeFailure({
  code: 'too-many-requests',
  status: 429,
  requestId: 'trn-429',
  at: recordedNow,
  retryAt: recordedNow + 12_000,
});

const healthSlice = recorded.workspace.slices.health;
const degradedHealth: Partial<Health> = {
  overall: { text: 'degraded', level: 'degraded', since: recordedNow - 90_000 },
  integrations: (healthSlice?.integrations ?? []).map((one) =>
    one.field === 'ipfs_pinning'
      ? { ...one, value: 'not available', level: 'down', since: recordedNow - 90_000 }
      : one,
  ),
};

const unreachableHealth: Partial<Health> = {
  failure: unreachable,
  freshness: 'stale',
  history: [
    ...(healthSlice?.history ?? []),
    {
      at: recordedNow,
      responseMs: null,
      requestId: null,
      outcome: 'unreachable',
      overall: 'unknown',
      levels: {},
    },
  ],
};

const sentUpload = recorded.uploads.items[0];
const upload = (change: Partial<Upload>): Upload => {
  if (sentUpload === undefined) throw new Error('The recorded outbox holds a file');
  return { ...sentUpload, cid: null, verdict: null, profile: null, requestId: null, sentAt: null, ...change };
};
const uploads: readonly Upload[] = [
  upload({ id: '0000000000000001', fileName: 'breach-east.mp4', state: 'sending', bytes: 48_000_000 }),
  upload({
    id: '0000000000000002',
    fileName: 'levee-12.jpg',
    state: 'queued',
    why: { text: 'The service could not be reached.' },
    remedy: { text: 'It is sent once the service answers.' },
  }),
  upload({
    id: '0000000000000003',
    fileName: 'too-large.tif',
    state: 'failed',
    why: { text: 'The service refused the file: too large.' },
    remedy: { text: 'Make it smaller, and add it again.' },
    failure: makeFailure({ code: 'refused-by-service', status: 413, at: recordedNow }),
  }),
  upload({
    id: '0000000000000004',
    fileName: 'bridge.jpg',
    state: 'needs-decision',
    decision: 'outcome-unknown',
    why: { text: 'The connection was lost before the answer came.' },
  }),
  upload({
    id: '0000000000000005',
    fileName: 'harbour.jpg',
    state: 'unproven',
    why: unprovenSaid('quota exceeded'),
    remedy: unprovenRemedy,
    requestId: 'req-42',
    sentAt: recordedNow - 240_000,
  }),
];
export const outboxReply: VerbReply<'readUploads'> = {
  revision: 9,
  total: uploads.length,
  items: [...uploads],
};

const pending = acknowledged.missions?.missions.find(({ decided }) => decided === null);
export const decidedNow = (change: Partial<Decided>): Change => {
  if (pending === undefined || acknowledged.missions === undefined) throw new Error('A mission is pending');
  const decided: Decided = {
    missionId: pending.id,
    decision: 'approve',
    outcome: 'unknown',
    at: recordedNow,
    answeredAt: null,
    requestId: null,
    failure: unreachable,
    answer: null,
    basis: 'answer',
    listCheck: null,
    checkable: true,
    sameAgainUntil: recordedNow + 82_800_000,
    ...change,
  };
  return { missions: { missions: [{ ...pending, decided }] } };
};
const decidedReply = (change: Partial<Decided>) => () => {
  const decided = decidedNow(change).missions?.missions?.[0]?.decided;
  if (!decided) throw new Error('A decision was made');
  return ok(decided);
};
const exported = { exportId: 'e'.repeat(32), fileName: 'audit.json' };
export const missionAnswers: Answers = {
  decideMission: decidedReply({ outcome: 'done', failure: null, answeredAt: recordedNow }),
  checkDecision: decidedReply({}),
  exportAudit: () => ok(exported),
};
export const chooseMission = { press: 'main [role="option"]' };
const openDecision = [chooseMission, { press: '.bar .button--primary' }, { see: '[role="dialog"]' }];
const alarms: Change = { alarms: workspaceSlices.alarms!, siren: workspaceSlices.siren! };

/** A proxy of the network asks for a sign-in. */
export const proxyAsks: Change = {
  proxy: {
    proxy: 'http://proxy.example.org:3128',
    sentence: message('api.proxyAsks', { proxy: 'http://proxy.example.org:3128' }),
    basic: true,
  },
};

/** Every state that has a name. */
export const states: readonly GalleryState[] = [
  atDoor('sign in', { shows: ['SignInPage', 'SignInPage 4'] }),
  {
    ...atDoor('sign in, training', { shows: ['SignInPage 3'] }),
    slices: mergeSlices(recorded.signedOut.slices, { preferences: atWork.preferences ?? {} }),
  },
  atDoor('sign in, service unreachable', {
    change: {
      connection: {
        infrastructure: { state: 'offline', since: recordedNow, failure: unreachable },
        coordination: { state: 'offline', since: recordedNow, failure: unreachable },
      },
    },
  }),
  atDoor('signing in', { change: { session: { session: { state: 'signing-in' } } } }),
  atDoor('wrong password', {
    change: { session: { session: { state: 'rejected', failure: refused } } },
    answers: { signIn: () => failed(refused) },
  }),
  locked('locked', null),
  locked('locked, throttled', recordedNow + 30_000),
  ...panelNames.map((panel) => panelOf(panel)),
  panelOf('alarms', { change: alarms }, 'alarm'),
  panelOf(
    'alarms',
    {
      steps: [{ press: '.segmented > :nth-child(2)' }, { see: '#alarms-least' }],
      shows: ['AlarmSettings', 'AlarmSettings 2', 'AlarmSettings 3', 'AlarmSettings 4'],
    },
    'alarm settings',
  ),
  panelOf('incidents', { change: alarms, shows: ['AlarmBanner'] }, 'incidents, alarm'),
  panelOf(
    'incidents',
    {
      change: alarms,
      steps: [{ press: '.banner .button' }, { see: '.only' }],
    },
    'incidents of an alarm',
  ),
  panelOf(
    'missions',
    { answers: missionAnswers, steps: openDecision, shows: ['DecisionDialog'] },
    'decision',
  ),
  panelOf(
    'missions',
    { change: decidedNow({}), answers: missionAnswers, steps: [chooseMission] },
    'decision unknown',
  ),
  panelOf(
    'missions',
    { change: decidedNow({ outcome: 'sending', failure: null }), steps: [chooseMission] },
    'decision sent',
  ),
  panelOf(
    'missions',
    { change: { missions: { blocked: unreachable } }, steps: [chooseMission], shows: ['DecisionBar'] },
    'missions, offline',
  ),
  panelOf(
    'missions',
    {
      answers: missionAnswers,
      steps: [{ press: '.segmented > :nth-child(2)' }, { see: '[role="row"]' }],
    },
    'audit list',
  ),
  panelOf('integrations', { change: { health: degradedHealth } }, 'integrations, one down'),
  panelOf('integrations', { change: { health: unreachableHealth } }, 'integrations, unreachable'),
  panelOf(
    'incidents',
    {
      steps: [{ press: '.filter__open' }, { see: '[role="dialog"]' }],
      shows: ['FilterMenu'],
    },
    'filter',
  ),
  panelOf(
    'incidents',
    {
      change: {
        incidents: {
          count: 0,
          query: {
            range: '1h',
            severities: ['critical'],
            statuses: [],
            types: [],
            openOnly: false,
          },
        },
      },
    },
    'no match',
    noIncidents,
  ),
  panelOf(
    'outbox',
    {
      change: {
        outbox: {
          revision: 9,
          unsent: 3,
          counts: {
            receiving: 0,
            queued: 1,
            sending: 1,
            waiting: 0,
            sent: 0,
            unproven: 1,
            'needs-decision': 1,
            failed: 1,
          },
        },
      },
      answers: {
        readUploads: () => ok(outboxReply),
        beginUpload: () => ok({ uploadId: '0000000000000006' }),
      },
    },
    'outbox, in every state',
  ),
  panelOf(
    'incidents',
    {
      steps: [{ press: 'main [role="option"]' }, { see: '.details__fields' }],
      shows: ['IncidentDetails'],
    },
    'details',
  ),
  panelOf(
    'incidents',
    {
      answers: { readNotes: () => ok({ total: recorded.notes.total + 57, notes: recorded.notes.notes }) },
      steps: [{ press: 'main [role="option"]' }, { see: '.notes__more' }],
    },
    'details, many notes',
  ),
  working('Troubles', 'offline', { change: offline }),
  working('Troubles', 'throttled', {
    change: { incidents: { freshness: 'ageing', failure: throttled }, health: { failure: throttled } },
  }),
  working('Troubles', 'signed out by the service', {
    change: {
      session: {
        session: {
          state: 'rejected',
          failure: makeFailure({ code: 'session-rejected', status: 401, at: recordedNow }),
        },
      },
    },
  }),
  ...(
    [
      ['palette', 'Control+k', 'CommandPalette'],
      ['shortcuts', '?', 'ShortcutSheet'],
    ] as const
  ).map(([name, key, surface]) =>
    working('Dialogs', name, {
      steps: [{ see: 'main [role="option"]' }, { key }, { see: '[role="dialog"]' }],
      shows: [surface],
    }),
  ),
];

/** Verbs that a page may call in any state without being asked to. */
export const unasked: readonly VerbName[] = [
  'noteActivity',
  'keepLayout',
  'readNearby',
  'readTownList',
  'readTowns',
  'readDrones',
];
