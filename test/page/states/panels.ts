import {
  columnNames,
  decodeIncidentFrame,
  encodeIncidentFrame,
  failed,
  ok,
  type Content,
  type IncidentFrame,
  type PanelName,
} from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../../../src-main/core/base/failure.ts';
import { message } from '../../../src-main/core/base/messages/message.ts';
import { usualWidth } from '../../../src-renderer/features/incidents/columns.ts';
import type { Answers } from '../standIn.ts';
import {
  noIncidents,
  panelOf,
  recorded,
  recordedNow,
  unreachable,
  usualAnswers,
  type Change,
  type GalleryState,
} from '../states.ts';

const hour = 3_600_000;
/** Of 57 pixels each: 40 million, where a browser ends at 33. */
const manyUploads = 700_000;
const notGranted = makeFailure({ code: 'not-granted', status: 403, requestId: 'trn-403', at: recordedNow });
const serviceError = makeFailure({
  code: 'service-error',
  status: 503,
  requestId: 'trn-503',
  at: recordedNow,
});
const inMemory = makeFailure({ code: 'storage-failed', at: recordedNow });
const surfaceOf: Readonly<Record<PanelName, string>> = {
  incidents: 'IncidentsPanel',
  drones: 'DronesPanel',
  integrations: 'IntegrationsPanel',
  evidence: 'EvidencePanel',
  outbox: 'UploadsPanel',
  missions: 'MissionsPanel',
  alarms: 'AlarmsPanel',
  log: 'NotesPanel',
  maps: 'MapsPanel',
  settings: 'SettingsPanel',
  diagnostics: 'DiagnosticsPanel',
};
const state = (
  panel: PanelName,
  what: string,
  change: Change,
  more: Partial<GalleryState> = {},
): GalleryState => ({
  ...panelOf(panel, { change, shows: [surfaceOf[panel]] }, `${panel}, ${what}`),
  ...more,
  answers: { ...usualAnswers, ...more.answers },
});

/** What turns text round, shows nothing, or looks like a Latin letter. */
export const hostile = { turned: 'Survey \u202edoof ylppus\u202c east', id: 'd\u0435liver-17\u200b' };
const slices = recorded.workspace.slices;
const [mission] = slices.missions!.missions;
const missionsAlike = [
  { id: 'deliver-17', title: 'Survey supply food east' },
  { id: hostile.id, title: hostile.turned },
].map(({ id, title }) => ({
  ...mission!,
  ...{ id, state: 'pending' as const, decided: null, notGranted: null },
  fields: [{ name: 'title', json: JSON.stringify(title) }],
}));
const [alarm] = slices.alarms!.active;
const alarmOf = (change: Partial<NonNullable<typeof alarm>>) => ({
  ...alarm!,
  ...{ id: 'abcdef0123456789', level: 3, count: 3, severity: null, incidentIds: [], listed: 0 },
  ...change,
});

const minutesAgo = (minutes: number): number => recordedNow - minutes * 60_000;
const rise = { field: 'severity', from: 'high', to: 'critical', at: minutesAgo(7) } as const;
const changed: Change = {
  changes: {
    changed: ['syn-7-nowhere-1', 'syn-7-00022'].map((id) => ({ id, change: rise })),
    fresh: ['syn-7-nowhere-2'],
    last: 3,
  },
};
const answersChanges: Partial<GalleryState> = {
  answers: {
    ...usualAnswers,
    seeChanges: ({ incidentId }) =>
      ok(
        incidentId === 'syn-7-nowhere-2'
          ? { isNew: true, changes: [] }
          : {
              isNew: false,
              changes: [
                rise,
                { field: 'evidence', from: 2, to: 5, at: minutesAgo(5) },
                { field: 'status', from: 'open', to: 'resolved', at: minutesAgo(1) },
              ],
            },
      ),
  },
};
const answersMeanwhile: Partial<GalleryState> = {
  answers: {
    ...usualAnswers,
    seeChanges: () =>
      ok({
        isNew: false,
        changes: [
          {
            field: 'severity',
            from: 'low',
            to: 'low',
            at: minutesAgo(4),
            meanwhile: { value: 'critical', since: minutesAgo(9), until: minutesAgo(4) },
          },
          {
            field: 'status',
            from: 'open',
            to: 'assigned',
            at: minutesAgo(1),
            meanwhile: { value: 'resolved', since: minutesAgo(6), until: minutesAgo(2) },
          },
        ],
      }),
  },
};
const loading: Change = {
  incidents: { count: 0, completeness: 'unknown', lastReadAt: null, reading: true, freshness: 'none' },
};
const openOnly = { ...recorded.workspace.slices.incidents!.query, openOnly: true };
/** How a console begins that nobody has arranged. */
const openFirst: Change = {
  incidents: { query: openOnly },
  workspace: { layout: { ...recorded.workspace.slices.workspace!.layout, sortBy: 'severity' } },
};
const recordedFrame = (): IncidentFrame =>
  decodeIncidentFrame(Uint8Array.from(atob(recorded.workspace.incidents!), (letter) => letter.charCodeAt(0)));
const textOf = (frame: IncidentFrame): string =>
  btoa(Array.from(encodeIncidentFrame(frame), (byte) => String.fromCharCode(byte)).join(''));
/** Ids of those that lie at one place in "incidents, one place". */
export const stackedIds = Array.from(
  recordedFrame().columns.key.subarray(0, 6),
  (key) => recorded.details[key]!.id,
);
function onePlace(): string {
  const frame = recordedFrame();
  frame.columns.latitude.fill(48.2, 0, stackedIds.length);
  frame.columns.longitude.fill(16.37, 0, stackedIds.length);
  return textOf(frame);
}
/** How many of "incidents, alike" read alike: the newest of all. */
export const alikeCount = 6;
function alike(): string {
  const { columns, ...frame } = recordedFrame();
  // The last ones: the first are pinned, noted or changed.
  const [from, to] = [columns.length - alikeCount, columns.length];
  for (const name of ['latitude', 'longitude', 'severity', 'status', 'type'] as const)
    columns[name].fill(columns[name][from]!, from, to);
  columns.createdAt.fill(recordedNow, from, to);
  return textOf({ ...frame, columns });
}
/** Open criticals in "incidents, critical region": longitudes and latitudes around a square of one degree. */
export const criticalPlaces = [0, 0.25, 0.5, 0.75, 1].flatMap((part) =>
  (
    [
      [part, 0],
      [part, 1],
      [0, part],
      [1, part],
    ] as const
  ).map(([right, up]) => [16.5 + right, 49.8 + up] as const),
);
function criticalRegion(): string {
  const { columns, dictionaries, ...frame } = recordedFrame();
  criticalPlaces.forEach(([longitude, latitude], row) => {
    columns.longitude[row] = longitude;
    columns.latitude[row] = latitude;
    columns.severity[row] = dictionaries.severity.indexOf('critical');
    columns.status[row] = dictionaries.status.indexOf('open');
  });
  return textOf({ ...frame, columns, dictionaries });
}
/** The first recorded incident: in one state no longer returned, in another just arrived. */
export const firstId = recorded.details[recordedFrame().columns.key[0]!]!.id;
function oneArrived(): string {
  const frame = recordedFrame();
  frame.columns.arrivedAt[0] = recordedNow;
  return textOf(frame);
}
function withoutOne(): string {
  const frame = recordedFrame();
  frame.columns.notReturned[0] = 1;
  return textOf(frame);
}
const hidden = (text: string): string => `${text}\u202efire`;
const hiddenId = (key: number): string => hostile.id + String(key);
/** A direction override in each severity, status and type, and hidden characters in each id. */
function withHiddenCharacters(): string {
  const { columns, dictionaries, ...frame } = recordedFrame();
  const { severity, status, type } = dictionaries;
  const ids = Array.from(columns.key, (key) => new TextEncoder().encode(hiddenId(key)));
  const idOffsets = new Uint32Array(ids.length + 1);
  for (const [at, { length }] of ids.entries()) idOffsets[at + 1] = idOffsets[at]! + length;
  return textOf({
    ...frame,
    dictionaries: { severity: severity.map(hidden), status: status.map(hidden), type: type.map(hidden) },
    columns: { ...columns, idOffsets, idBytes: Uint8Array.from(ids.flatMap((id) => [...id])) },
  });
}
const table: Change = {
  workspace: {
    layout: {
      ...recorded.workspace.slices.workspace!.layout,
      columns: columnNames.map((name) => ({ name, width: usualWidth(name) })),
    },
  },
};
/** The newest item came without a CID. */
const evidenceInParts = recorded.evidence.items.map((item, at) => (at === 0 ? { ...item, cid: null } : item));
const updates = recorded.workspace.slices.updates!;
const release = { version: '0.4.0', bytes: 96_400_000, releasedAt: recordedNow - 26 * hour };
const update = (name: string, kind: NonNullable<Change['updates']>['state']): GalleryState => ({
  ...state('settings', `update ${name}`, {
    app: { host: 'desktop' },
    updates: { ...updates, offered: 'yes', server: true, lastCheckAt: recordedNow - hour, state: kind! },
  }),
  steps: [{ see: '.part:has(.updates__head) > :last-child' }],
});
const map = {
  id: 'a'.repeat(16),
  name: 'Danube delta, 1:25,000',
  attribution: '© OpenStreetMap contributors',
  format: 'pmtiles' as const,
  kind: 'vector' as const,
  tileType: 'mvt' as const,
  tileSize: 512,
  minZoom: 0,
  maxZoom: 14,
  bounds: [28, 44.4, 29.8, 45.6] as [number, number, number, number],
  bytes: 184_000_000,
  layers: [],
  scheme: 'openmaptiles' as const,
  visible: true,
};
const packages = [
  map,
  {
    ...map,
    id: 'b'.repeat(16),
    name: 'Aerial survey 2026-11',
    kind: 'raster' as const,
    tileType: 'jpg' as const,
    scheme: 'raster' as const,
    visible: false,
  },
];
const taking = {
  id: 'c'.repeat(16),
  fileName: 'harbour.pmtiles',
  bytes: 80_000_000,
  received: 31_000_000,
  failure: null,
};
const seenPicture = {
  kind: 'picture' as const,
  mediaType: 'image/jpeg',
  bytes: 241_000,
  width: 1024,
  height: 768,
};
const nothing = { file: null, kept: false, failure: null };
/** What a picture's bytes can be found to be, an item each. */
const contentStates: readonly Content[] = [
  { state: 'verified', file: seenPicture, kept: true, failure: null },
  { ...nothing, state: 'mismatch' },
  { state: 'unverified', file: seenPicture, kept: false, failure: null },
  { ...nothing, state: 'loading' },
  { ...nothing, state: 'queued', kept: true },
  { ...nothing, state: 'failed', failure: { ...unreachable, sentence: message('gateway.timedOut') } },
  { ...nothing, state: 'absent' },
];
/** The evidence of which bytes were fetched. */
export const fetchedEvidence: Partial<Answers> = {
  readEvidence: ({ from, count }) =>
    ok({
      ...recorded.evidence,
      items: recorded.evidence.items
        .map((item, at) => ({ ...item, content: contentStates[at] ?? item.content }))
        .slice(from, from + count),
    }),
  openContent: () => ok({ ticket: 'e'.repeat(32) }),
  keepContent: () => ok({ count: 42 }),
  countContent: () => ok({ count: 44, missing: 42, room: 9_998 }),
};
export const fetchingContents = {
  preview: 'ask' as const,
  revision: 3,
  bytes: 482_000,
  keptBytes: 241_000,
  kept: 2,
  waiting: 1,
};
const verification = {
  id: '1'.repeat(16),
  cid: recorded.evidence.items[0]!.cid!,
  fileName: 'levee-12.jpg',
  bytes: 4_200_000,
  received: 4_200_000,
  verdict: 'match' as const,
  profile: 'v1-raw-256k' as const,
  failure: null,
};
const emptyList = { items: [], total: 0 };
const segment = (place: number) => ({ press: `.segmented > :nth-child(${String(place)})` });

export const panelStates: readonly GalleryState[] = [
  state('incidents', 'open first', openFirst),
  state('incidents', 'changed', changed, answersChanges),
  state('incidents', 'what changed', changed, {
    ...answersChanges,
    shows: ['IncidentsPanel', 'IncidentDetails', 'IncidentChanges'],
    steps: [{ press: '.changed' }, { see: '.incidents__back' }, { press: '.list__row' }, { see: '.changes' }],
  }),
  state('incidents', 'was meanwhile', changed, {
    ...answersMeanwhile,
    shows: ['IncidentsPanel', 'IncidentDetails', 'IncidentChanges'],
    steps: [{ press: '.changed' }, { see: '.incidents__back' }, { press: '.list__row' }, { see: '.changes' }],
  }),
  state('incidents', 'none open', {
    incidents: { query: openOnly, statuses: ['resolved'] },
    app: { closedStatuses: ['open'] },
  }),
  state('incidents', 'loading', loading, { incidents: noIncidents }),
  state('incidents', 'none known', { incidents: { count: 0 } }, { incidents: noIncidents }),
  state('incidents', 'one place', {}, { incidents: onePlace() }),
  state('incidents', 'alike', {}, { incidents: alike() }),
  state('incidents', 'critical region', {}, { incidents: criticalRegion() }),
  state('incidents', 'no longer returned', { sync: { notReturned: 1 } }, { incidents: withoutOne() }),
  state('incidents', 'just arrived', {}, { incidents: oneArrived() }),
  state('incidents', 'hidden characters', {}, { incidents: withHiddenCharacters() }),
  state(
    'incidents',
    'hidden characters in the ranking',
    {
      ...loading,
      app: {
        severities: ['critical', 'high'].map((name) => ({ name: hidden(name), synonyms: [name] })),
      },
    },
    { incidents: noIncidents },
  ),
  state('incidents', 'hidden characters, table', table, { incidents: withHiddenCharacters() }),
  state('incidents', 'reading', { incidents: { reading: true } }),
  state('incidents', 'service error', { incidents: { failure: serviceError } }),
  state('incidents', 'perhaps more', { incidents: { completeness: 'at-least' } }),
  state('incidents', 'range ignored', { incidents: { rangeIgnored: true } }),
  state('integrations', 'loading', {
    health: { overall: null, integrations: [], history: [], checking: true, lastAnswerAt: null },
  }),
  state('integrations', 'service error', { health: { failure: serviceError, freshness: 'stale' } }),
  state(
    'integrations',
    'none reported',
    { health: { integrations: [] } },
    { shows: ['IntegrationsPanel 2'] },
  ),
  state(
    'evidence',
    'loading',
    { evidence: { count: 0, complete: false, reading: true, lastReadAt: null, freshness: 'none' } },
    { answers: { readEvidence: () => ok({ ...recorded.evidence, ...emptyList }) } },
  ),
  state(
    'evidence',
    'none',
    { evidence: { count: 0 } },
    { answers: { readEvidence: () => ok({ ...recorded.evidence, ...emptyList }) } },
  ),
  state(
    'evidence',
    'not granted',
    {
      evidence: { failure: notGranted, count: 0, complete: false, lastReadAt: null, freshness: 'none' },
      capabilities: {
        refused: [
          { api: 'coordination', operation: 'GET /evidence', resource: '/evidence', failure: notGranted },
        ],
      },
    },
    { answers: { readEvidence: () => ok({ ...recorded.evidence, ...emptyList }) } },
  ),
  state(
    'evidence',
    'fetched',
    {
      contents: {
        ...fetchingContents,
        moving: [{ cid: recorded.evidence.items[3]!.cid!, received: 1_200_000, total: 4_000_000 }],
      },
    },
    { answers: fetchedEvidence },
  ),
  state('evidence', 'unreachable', { evidence: { failure: unreachable, freshness: 'stale' } }),
  state(
    'evidence',
    'in parts',
    { evidence: { complete: false, unreadable: 2, withoutCid: 5 } },
    {
      answers: {
        readEvidence: ({ from, count }) =>
          ok({ ...recorded.evidence, items: evidenceInParts.slice(from, from + count) }),
      },
    },
  ),
  state(
    'evidence',
    'verified',
    {
      evidence: {
        verifications: [
          verification,
          { ...verification, id: '2'.repeat(16), fileName: 'bridge.jpg', verdict: 'differs' },
          { ...verification, id: '3'.repeat(16), fileName: 'quay.tif', verdict: 'not-verifiable' },
          {
            ...verification,
            id: '4'.repeat(16),
            fileName: 'north.mp4',
            verdict: null,
            profile: null,
            received: 1_000_000,
          },
        ],
      },
    },
    { shows: ['VerificationTray'] },
  ),
  state(
    'outbox',
    'empty',
    { outbox: { counts: { ...recorded.workspace.slices.outbox!.counts, sent: 0 } } },
    { answers: { readUploads: () => ok({ ...recorded.uploads, ...emptyList }) } },
  ),
  state(
    'outbox',
    'higher than a browser draws',
    {},
    {
      answers: {
        readUploads: ({ from, count }) =>
          ok({
            ...recorded.uploads,
            total: manyUploads,
            items: Array.from({ length: Math.min(count, manyUploads - from) }, (_, at) => ({
              ...recorded.uploads.items[0]!,
              id: (from + at).toString(16).padStart(16, '0'),
              fileName: `${String(from + at + 1)}.jpg`,
            })),
          }),
      },
    },
  ),
  state(
    'outbox',
    'on a slow link',
    { line: { bytesPerSecond: 6_900, roundTripMs: 720 } },
    {
      answers: {
        readUploads: () =>
          ok({
            ...recorded.uploads,
            total: 2,
            items: ['levee-12.jpg', 'bridge.jpg'].map((fileName, at) => ({
              ...recorded.uploads.items[0]!,
              ...{ fileName, id: String(at).padStart(16, '0'), bytes: 4_000_000, state: 'queued' as const },
              ...{ cid: null, verdict: null, profile: null, sentAt: null, awaitsLink: at === 1 },
              why: at === 1 ? { text: 'Sends when the link is faster.' } : null,
            })),
          }),
      },
    },
  ),
  state('outbox', 'paused', { outbox: { paused: true } }),
  state('outbox', 'not available', { outbox: { available: false, problem: inMemory } }),
  state('outbox', 'token missing', { outbox: { uploadToken: 'missing' } }),
  state('outbox', 'token refused', { outbox: { uploadToken: 'refused' } }),
  state('missions', 'none', { missions: { missions: [] } }),
  state('missions', 'without an id', { missions: { missions: [], withoutId: 2 } }),
  state('missions', 'alike', { missions: { missions: missionsAlike } }),
  state(
    'missions',
    'alike, decision',
    { missions: { missions: missionsAlike } },
    {
      answers: { decideMission: () => failed(serviceError) },
      steps: [
        { press: '.missions [role="option"]:last-child' },
        { press: '.missions .bar .button--primary' },
      ],
      shows: ['MissionsPanel', 'DecisionDialog'],
    },
  ),
  state('missions', 'loading', {
    missions: { missions: [], reading: true, lastReadAt: null, freshness: 'none' },
  }),
  state('missions', 'without list', { missions: { hasList: false, missions: [] } }),
  state('missions', 'not granted', {
    missions: { failure: notGranted, missions: [], freshness: 'none', lastReadAt: null },
  }),
  state(
    'missions',
    'audit broken',
    { missions: { audit: { count: 12, state: 'damaged', problem: null } } },
    { steps: [segment(2)] },
  ),
  state('alarms', 'records set aside', {
    alarms: {
      active: [
        alarmOf({ kind: 'record', sentence: message('alarm.recordsSetAside', { n: 3 }) }),
        alarmOf({
          ...{ id: 'abcdef0123456780', kind: 'incident', severity: '', count: 1 },
          sentence: message('alarm.new', {
            heading: message('alarm.unknown.heading'),
            type: 'erif\u202efire',
            place: message('alarm.noPlace'),
          }),
        }),
      ],
    },
  }),
  state('alarms', 'sound switched off', { siren: { sound: false } }),
  state('alarms', 'mute refused', {}, { answers: { muteAlarms: () => failed(serviceError) } }),
  state('alarms', 'muted', { siren: { mutedUntil: recordedNow + hour / 2 } }),
  state('log', 'pinned', {}, { steps: [segment(2), { see: '.segmented > :nth-child(2)[data-state="on"]' }] }),
  state(
    'log',
    'hidden characters',
    { watch: { pins: [hiddenId(1), hiddenId(2)], noted: [hiddenId(1)] } },
    {
      incidents: withHiddenCharacters(),
      answers: {
        readNotes: () =>
          ok({
            total: 1,
            notes: recorded.notes.notes.slice(0, 1).map((note) => ({ ...note, incidentId: hiddenId(1) })),
          }),
      },
      steps: [segment(3), { see: '.segmented > :nth-child(3)[data-state="on"]' }],
    },
  ),
  state('log', 'notes', {}, { steps: [segment(3), { see: '.segmented > :nth-child(3)[data-state="on"]' }] }),
  state(
    'log',
    'empty',
    {
      watch: {
        pins: [],
        noted: [],
        notes: 0,
        shift: { startedAt: recordedNow, entries: 1, folded: 0, handedOverAt: null },
      },
    },
    { answers: { readShift: () => ok({ ...recorded.shift, total: 0, entries: [] }) } },
  ),
  state(
    'log',
    'alarm acknowledged',
    {},
    {
      answers: {
        readShift: () =>
          ok({
            ...recorded.shift,
            entries: [
              {
                at: recordedNow,
                username: 'trainee',
                kind: 'alarm-acknowledged' as const,
                subject: 'Crew 4 goes',
                alarm: { id: 'alarm.sessionBack', values: { backAt: recordedNow } },
                incidentId: null,
                outcome: null,
              },
              // Of an incident that is no longer known here.
              {
                at: recordedNow,
                username: 'trainee',
                kind: 'incident-unpinned' as const,
                subject: null,
                alarm: null,
                incidentId: 'gone-0001',
                outcome: null,
              },
              ...recorded.shift.entries,
            ].slice(0, recorded.shift.entries.length),
          }),
      },
    },
  ),
  state('log', 'handed over', {
    watch: {
      shift: { startedAt: recordedNow - 8 * hour, entries: 7, folded: 240, handedOverAt: recordedNow - hour },
    },
  }),
  state('log', 'handover waits', {
    handovers: {
      pending: {
        id: 'e'.repeat(32),
        from: 'a.lindqvist',
        at: recordedNow - 6 * hour,
        summary: 'The levee holds.',
        successor: '',
        counts: { decision: 0, alarm: 0, mission: 0, upload: 0, incident: 0 },
        actions: [],
        takenOver: null,
      },
      problem: inMemory,
    },
  }),
  state('log', 'damaged', { watch: { damaged: 2, lost: 'unreadable', problem: inMemory } }),
  state('maps', 'packages', {
    maps: {
      packages,
      imports: [
        { ...taking, state: 'receiving' },
        {
          ...taking,
          id: 'd'.repeat(16),
          fileName: 'survey.mbtiles',
          received: 80_000_000,
          state: 'checking',
        },
        {
          ...taking,
          id: 'e'.repeat(16),
          fileName: 'notes.txt',
          state: 'refused',
          failure: makeFailure({ code: 'map-refused', at: recordedNow }),
        },
      ],
      missing: [
        { id: 'f'.repeat(16), name: 'Old survey', why: 'gone' },
        { id: 'e'.repeat(16), name: 'Shared sheet', why: 'endless' },
      ],
    },
  }),
  {
    ...panelOf(
      'maps',
      {
        change: { maps: { packages } },
        steps: [{ press: '.map-row__actions > :last-child' }],
        shows: ['MapsPanel 2'],
      },
      'map package, removal',
    ),
  },
  panelOf(
    'incidents',
    {
      answers: {
        readIncident: ({ key }) => {
          const detail = recorded.details[key];
          return detail === undefined
            ? failed(makeFailure({ code: 'not-found', at: recordedNow }))
            : ok({ ...detail, notReturnedSince: recordedNow - hour });
        },
      },
      steps: [{ press: 'main [role="option"]' }, { see: '.details .notices > *' }],
    },
    'details, no longer returned',
  ),
  panelOf(
    'incidents',
    {
      answers: {
        ...usualAnswers,
        readIncident: ({ key }) => {
          const detail = recorded.details[key];
          if (detail === undefined) return failed(makeFailure({ code: 'not-found', at: recordedNow }));
          return ok({
            ...detail,
            ...{ id: hostile.id, incidentType: 'erif\u202efire', severity: '', status: '' },
            ...{
              createdAt: null,
              createdAtText: '',
              evidenceCount: null,
              blockchainRecords: [],
              location: null,
            },
            unreadable: [
              { name: 'severity', json: '{"level":"critical\u202e"}' },
              { name: 'status', json: null },
              { name: 'created_at', json: '"yesterday"' },
              { name: 'evidence_count', json: 'null' },
              { name: 'blockchain_records', json: '"none"' },
              { name: 'location', json: '{"latitude":116.3,"longitude":48.2}' },
            ],
          });
        },
      },
      steps: [{ press: 'main [role="option"]' }, { see: '.details__other' }],
    },
    'details, fields unreadable',
  ),
  state(
    'settings',
    'desktop',
    { app: { host: 'desktop' }, desktop: { startsAtLogin: true, tray: true } },
    { shows: ['AppearanceSection', 'PlacesSection', 'ComputerSection', 'ShortcutsSection', 'AboutSection'] },
  ),
  state(
    'settings',
    'policy',
    {
      policy: {
        source: 'machine',
        path: '/etc/field-console/policy.json',
        fixed: ['idleLock', 'exports', 'updates', 'drop'],
        exports: false,
        drop: false,
        updates: false,
        idleLockMs: 600_000,
      },
      updates: { ...updates, offered: 'policy' },
    },
    { shows: ['PolicySection', 'UpdatesSection'] },
  ),
  state('settings', 'policy invalid', {
    policy: {
      source: 'invalid',
      path: '/etc/field-console/policy.json',
      problem: makeFailure({ code: 'policy-invalid', at: recordedNow }),
    },
  }),
  update('idle', { kind: 'idle' }),
  update('checking', { kind: 'checking' }),
  update('current', { kind: 'current' }),
  update('available', { kind: 'available', release }),
  update('taking', { kind: 'taking', release, bytes: 41_000_000 }),
  update('ready', { kind: 'ready', release }),
  update('installing', { kind: 'installing', release }),
  update('refused', { kind: 'refused', failure: makeFailure({ code: 'update-refused', at: recordedNow }) }),
  {
    ...update('question', { kind: 'ready', release }),
    steps: [{ press: '.updates__actions .button--primary' }, { see: '.updates__means' }],
    shows: ['UpdatesSection 2'],
  },
  state('diagnostics', 'connection', {}, { steps: [{ see: '.diagnostics__read' }, segment(3)] }),
  state('diagnostics', 'requests', {}, { steps: [{ see: '.diagnostics__read' }, segment(2)] }),
  state('diagnostics', 'self-test', {}, { steps: [{ see: '.diagnostics__read' }, segment(4)] }),
  state(
    'diagnostics',
    'loading',
    {},
    { answers: { readDiagnostics: () => failed(makeFailure({ code: 'internal', at: recordedNow })) } },
  ),
  state(
    'diagnostics',
    'saving forbidden',
    { policy: { source: 'machine', exports: false } },
    { shows: ['DiagnosticsPanel 2'] },
  ),
];
