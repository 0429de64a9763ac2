import { storageFailure } from '../../../src-main/core/vault/storageFailure.ts';
import { columnNames, failed, ok, type Handover } from '../../../src-preload/contract/index.ts';
import { fetchedEvidence, fetchingContents } from './panels.ts';
import { usualWidth } from '../../../src-renderer/features/incidents/columns.ts';
import {
  outboxReply,
  panelOf,
  recorded,
  recordedNow,
  unreachable,
  working,
  type Change,
  type Difference,
  type GalleryState,
  type Step,
} from '../states.ts';

const dayMs = 86_400_000;
const list = { see: 'main [role="option"]' };
const details: readonly Step[] = [{ press: 'main [role="option"]' }, { see: '.details__fields' }];
const absentContent = { state: 'absent' as const, file: null, kept: false, failure: null };
/** The days before those that a first round has read. */
const unread = Array.from({ length: 11 }, (_, index) => ({
  from: index === 10 ? null : recordedNow - (index + 4) * dayMs,
  to: recordedNow - (index + 3) * dayMs,
  known: 0,
  why: 'unread' as const,
}));
const drawer = (name: string, difference: Difference): GalleryState => working('Drawers', name, difference);
const menu = (
  name: string,
  surface: string,
  press: readonly string[],
  difference: Difference = {},
): GalleryState =>
  working('Menus', name, {
    ...difference,
    steps: [list, ...press.map((one) => ({ press: one }))],
    shows: [surface],
  });
const dialog = (name: string, surface: string, difference: Difference): GalleryState =>
  working('Dialogs', name, { ...difference, shows: [surface] });
const onKey = (key: string): readonly Step[] => [list, { key }, { see: '[role="dialog"]' }];

const layout = recorded.workspace.slices.workspace!.layout;
/** Groups the list by what stands at that place of the menu. */
const grouping = (place: number): readonly Step[] => [
  list,
  { press: '.order__open' },
  { press: `.order .option:nth-last-of-type(${String(4 - place)})` },
  { see: '[role="treeitem"][aria-level="1"]' },
];
const storage = recorded.workspace.slices.storage!;
const vault = {
  id: 'v1',
  username: 'a.lindqvist',
  lastSyncAt: recordedNow - 3_600_000,
  unsent: 2,
  setAside: true,
};
const columns = (['severity', 'type', 'status', 'created'] as const).map((name) => ({ name, width: 100 }));
const manyColumns = columnNames.map((name) => ({ name, width: usualWidth(name) }));
const openTimeline: Change = { workspace: { layout: { ...layout, timeline: true } } };
const plainAction = { severity: null, incidentId: null };
const pinnedIds = recorded.workspace.slices.watch!.pins;
const handover: Handover = {
  id: 'e'.repeat(32),
  from: 'a.lindqvist',
  at: recordedNow - 6.21 * 3_600_000,
  summary:
    'The levee at the north shore holds; the crew looks at it every two hours.\nThe harbour asked for a second flight before dark.',
  successor: 'Night shift, b.okafor',
  counts: { decision: 1, alarm: 14, mission: 1, upload: 1, incident: 2 },
  actions: [
    { ...plainAction, kind: 'decision', text: { text: 'M-0417' } },
    {
      ...plainAction,
      kind: 'alarm',
      text: { text: 'Critical: structural collapse, 12 km NW of Vienna, AT' },
      severity: 'critical',
      incidentId: pinnedIds[0] ?? null,
    },
    { ...plainAction, kind: 'alarm', text: { text: 'The ledger is down.' } },
    { ...plainAction, kind: 'mission', text: { text: 'M-0422' } },
    { ...plainAction, kind: 'upload', text: { text: 'levee-north-shore-0007.jpg' } },
    {
      ...plainAction,
      kind: 'incident',
      text: { text: 'wildfire' },
      severity: 'high',
      incidentId: pinnedIds[1] ?? null,
    },
    { ...plainAction, kind: 'incident', text: { text: '' }, incidentId: 'syn-6-00012' },
  ],
  takenOver: null,
};
const counts = recorded.workspace.slices.outbox!.counts;
const job = {
  id: 'a'.repeat(16),
  subject: 'incidents' as const,
  format: 'geojson' as const,
  fileName: 'incidents-2026-11-20.geojson',
  state: 'writing' as const,
  incidents: 122,
  written: 61,
  leftOut: 2,
  gone: 0,
  bytes: 31_000,
  exportId: null,
  failure: null,
};

export const slowLine = {
  bytesPerSecond: 6_900,
  roundTripMs: 720,
  loss: 0.05,
  hour: { sent: 88_000, received: 1_200_000 },
  day: { sent: 900_000, received: 14_000_000 },
};

const usedUp = {
  used: 5_000_400,
  bytes: 5_000_000,
  until: recordedNow + 1_200_000,
  state: 'used-up',
} as const;

export const overlayStates: readonly GalleryState[] = [
  drawer('sync', { steps: [list, { press: '.status__data' }], shows: ['SyncDrawer'] }),
  drawer('sync, slow link', {
    change: { line: slowLine },
    steps: [list, { press: '.status__data' }],
    shows: ['SyncDrawer'],
  }),
  drawer('sync, data saved', {
    change: { line: { ...slowLine, saving: true } },
    steps: [list, { press: '.status__line' }],
    shows: ['SyncDrawer'],
  }),
  drawer('sync, data used up', {
    change: { line: { ...slowLine, limit: usedUp } },
    steps: [list, { press: '.status__line' }],
    shows: ['SyncDrawer'],
  }),
  drawer('sync, first round', {
    change: {
      sync: {
        phase: 'first',
        completeAsOf: null,
        windows: { complete: 3, planned: 14 },
        uncertain: { count: unread.length, windows: unread },
      },
      incidents: { completeness: 'at-least' },
    },
    steps: [list, { press: '.status__data' }],
    shows: ['SyncDrawer'],
  }),
  drawer('sync, uncertain', {
    change: {
      sync: {
        completeAsOf: null,
        windows: { complete: 3, planned: 5 },
        uncertain: {
          count: 2,
          windows: [
            { from: recordedNow - 60_000, to: recordedNow - 59_000, known: 200, why: 'saturated' },
            { from: null, to: recordedNow - 900_000_000, known: 0, why: 'failed' },
          ],
        },
        notReturned: 4,
      },
      incidents: { completeness: 'at-least' },
    },
    steps: [list, { press: '.status__data' }],
    shows: ['SyncDrawer'],
  }),
  drawer('events', { steps: [list, { press: '.status__stream' }], shows: ['EventsDrawer'] }),
  drawer('events, none', {
    change: { events: { recent: [], received: 0 } },
    steps: [list, { press: '.status__stream' }],
    shows: ['EventsDrawer'],
  }),
  drawer('events, waiting', {
    change: { events: { state: 'waiting', failure: unreachable, until: recordedNow + 20_000 } },
    steps: [list, { press: '.status__stream' }],
    shows: ['EventsDrawer'],
  }),
  drawer('data on this computer', {
    change: { storage: { ...storage, vaults: [vault], bytes: 18_400_000, incidents: 122 } },
    steps: [list, { press: '.status__keeping' }],
    shows: ['StorageDrawer'],
  }),
  {
    ...drawer('training', {
      change: { app: { training: true } },
      steps: [{ press: '.rail__item[aria-expanded="false"]' }],
      shows: ['TrainingDrawer', 'TrainingBand'],
    }),
    slices: {
      ...working('', '', { change: { app: { training: true } } }).slices,
      training: recorded.workspace.slices.training!,
    },
  },
  menu('account', 'AccountMenu', ['.rail > :last-child .rail__item:last-child']),
  menu('views', 'ViewsMenu', ['.views__open']),
  menu('views, none', 'ViewsMenu', ['.views__open'], { change: { workspace: { views: [] } } }),
  menu('columns', 'ColumnsMenu', ['.incidents .panel__head > :nth-child(3)']),
  menu('sets', 'SetMenu', ['.set']),
  menu('order', 'OrderMenu', ['.order__open']),
  working('Menus', 'menu of a row', {
    steps: [list, { menu: 'main [role="option"]' }, { see: '[role="menuitem"]' }],
    shows: ['IncidentMenu'],
  }),
  working('Workspace', 'incidents by type', {
    steps: [...grouping(2), { key: 'ArrowDown' }],
    shows: ['IncidentsPanel'],
  }),
  working('Workspace', 'incidents by town', { steps: grouping(3), shows: ['IncidentsPanel'] }),
  menu('search, help', 'SearchHelp', ['.search__box > [aria-haspopup]']),
  menu('measure', 'MapTools', ['.tools > :nth-child(1)']),
  menu('map layers', 'MapTools 2', ['.tools > :nth-child(2)']),
  working('Menus', 'place, copied as', {
    steps: [...details, { press: '.place__more' }],
    shows: ['PlaceFacts'],
  }),
  working('Menus', 'time, other forms', {
    steps: [...details, { press: '.times__one' }],
    shows: ['TimeForms'],
  }),
  panelOf('integrations', { steps: [{ press: '.what' }], shows: ['StateHelp'] }, 'word, explained'),
  panelOf(
    'missions',
    { steps: [{ press: '.missions .panel__head [aria-haspopup]' }], shows: ['MissionsPanel 2'] },
    'mission, by its id',
  ),
  working('Workspace', 'table', {
    change: { workspace: { layout: { ...layout, columns } } },
    shows: ['IncidentsPanel'],
  }),
  working('Workspace', 'table over the map', {
    change: { workspace: { layout: { ...layout, columns: manyColumns } } },
    shows: ['IncidentsPanel'],
  }),
  working('Workspace', 'missions after details', {
    steps: [...details, { press: '.rail__item:has(.lucide-route)' }],
    shows: ['MissionsPanel'],
  }),
  working('Workspace', 'timeline', { change: openTimeline, shows: ['TimelinePane'] }),
  working('Workspace', 'replay', {
    change: openTimeline,
    steps: [{ press: '.timeline__start' }, { see: '.timeline__replay' }],
    shows: ['TimelinePane'],
  }),
  working('Workspace', 'measuring', {
    steps: [list, { press: '.tools > :nth-child(1)' }, { press: '.measure-menu .option' }],
    shows: ['MapPane'],
  }),
  working('Workspace', 'skip links', { steps: [list, { focus: '.skip__link' }], shows: ['SkipLinks'] }),
  working('Workspace', 'no incident selected', {
    shows: ['Workspace', 'WorkspaceRail', 'StatusBar', 'MapPane'],
  }),
  working('Workspace', 'notes of an incident', {
    steps: details,
    shows: ['IncidentNotes', 'Workspace 2'],
  }),
  working('Workspace', 'evidence of an incident', {
    change: { contents: fetchingContents },
    answers: {
      readEvidence: ({ from, count }) =>
        ok({
          ...recorded.evidence,
          items: recorded.evidence.items
            .slice(0, 3)
            .map((item) => ({ ...item, cid: item.cid ?? 'bafy-none', content: absentContent }))
            .slice(from, from + count),
        }),
    },
    steps: [...details, { see: '.thumbnails' }],
  }),
  { ...working('Workspace', 'second window, list', { shows: ['IncidentsPanel'] }), pane: 'list' },
  { ...working('Workspace', 'second window, map', { shows: ['MapPane'] }), pane: 'map' },
  dialog('alarm, not shown', 'AlarmQuestion', {
    change: {
      alarms: {
        active: recorded.workspace.slices.alarms!.active.map((one) => ({ ...one, count: 175, listed: 175 })),
      },
    },
    steps: [{ press: '.banner__actions .button:last-child' }, { see: '.unseen' }],
  }),
  dialog('note, removal', 'RemoveNoteDialog', {
    answers: { readNotes: () => ok(recorded.notes) },
    steps: [...details, { press: '.notes__acts > :last-child' }],
  }),
  dialog('export', 'ExportDialog', { steps: onKey('e') }),
  dialog('export, under way', 'ExportDialog', {
    change: {
      exports: {
        jobs: [
          job,
          {
            ...job,
            id: 'b'.repeat(16),
            format: 'pdf',
            fileName: 'situation.pdf',
            state: 'ready',
            exportId: 'c'.repeat(32),
          },
        ],
      },
    },
    steps: onKey('e'),
  }),
  dialog('handover', 'HandOverDialog', { steps: onKey('h') }),
  dialog('handover, with its report', 'HandOverDialog', {
    answers: {
      handOver: () =>
        ok({ report: { exportId: '5'.repeat(32), fileName: 'handover.html' }, notStored: null }),
    },
    steps: onKey('h'),
  }),
  dialog('handover, not stored', 'HandOverDialog', {
    answers: { handOver: () => failed(storageFailure('full', recordedNow)) },
    steps: [...onKey('h'), { press: '.dialog .button--primary' }, { see: '.dialog .note' }],
  }),
  dialog('handover, no exports', 'HandOverDialog', {
    change: {
      policy: { exports: false },
      watch: { pins: [] },
      missions: { missions: [] },
      outbox: { unsent: 0, counts: { ...counts, failed: 0 } },
    },
    steps: onKey('h'),
  }),
  dialog('taking over', 'TakeOverDialog', { change: { handovers: { pending: handover, unseen: true } } }),
  dialog('taking over, nothing left', 'TakeOverDialog', {
    change: {
      handovers: {
        pending: {
          ...handover,
          summary: '',
          successor: '',
          counts: { decision: 0, alarm: 0, mission: 0, upload: 0, incident: 0 },
          actions: [],
        },
        unseen: true,
      },
    },
  }),
  {
    ...dialog('words', 'GlossaryDialog', {
      steps: [
        list,
        { press: '.rail > :last-child .rail__item:last-child' },
        { press: '.popover .option:nth-of-type(4)' },
        { see: '.words__list' },
      ],
    }),
    shows: ['GlossaryDialog', 'GlossaryDialog 2'],
  },
  dialog('palette, question', 'CommandPalette', {
    steps: [list, { key: 'Control+k' }, { see: '.palette__input' }],
  }),
  dialog('tour', 'TourOverlay', {
    change: { preferences: { tourDone: false } },
    steps: [{ press: '.tour-offer .button' }],
  }),
  {
    ...panelOf(
      'log',
      { steps: [{ press: '.shift__acts > :last-child' }], shows: ['ShiftLog'] },
      'shift, beginning',
    ),
  },
  panelOf(
    'incidents',
    {
      steps: [
        list,
        { press: '.views__open' },
        {
          file: 'views.json',
          text: JSON.stringify({ views: recorded.workspace.slices.workspace!.views }),
          into: '.views__files input',
        },
      ],
      shows: ['ViewsMenu 2'],
    },
    'views, replaced',
  ),
  panelOf(
    'diagnostics',
    {
      answers: {
        prepareBundle: () =>
          ok({
            exportId: 'd'.repeat(32),
            fileName: 'diagnostics.zip',
            files: [{ name: 'overview.txt', bytes: 4_200, holds: 'The overview as text' }],
          }),
      },
      steps: [{ see: '.diagnostics__read' }, { press: '.diagnostics__foot > .button' }],
      shows: ['BundleDialog'],
    },
    'diagnostics, file',
  ),
  panelOf(
    'diagnostics',
    { steps: [{ see: '.report__section' }], shows: ['ReportSections'] },
    'diagnostics, overview',
  ),
  panelOf(
    'evidence',
    {
      change: {
        evidence: { gateways: ['https://gateway.example.org/ipfs/', 'https://ipfs.example.net/ipfs/'] },
      },
      steps: [{ press: 'main [role="row"] .item' }, { press: '.item__actions > :last-child' }],
      shows: ['GatewayDialog'],
    },
    'gateway',
  ),
  panelOf(
    'evidence',
    {
      change: { contents: fetchingContents },
      answers: fetchedEvidence,
      steps: [
        { press: 'main [role="row"] .item' },
        { press: '.content__actions > :first-child' },
        { see: '.viewer' },
      ],
      shows: ['EvidenceViewer'],
    },
    'evidence, viewer',
  ),
  panelOf(
    'evidence',
    {
      change: { contents: fetchingContents },
      answers: fetchedEvidence,
      steps: [
        { press: 'main [role="row"] .item' },
        { press: '.content__actions > :first-child' },
        { see: '.stage__picture' },
        { press: '.bar__two' },
        { see: '.viewer__panes--two' },
      ],
      shows: ['EvidenceViewer'],
    },
    'evidence, viewer, two',
  ),
  panelOf(
    'evidence',
    {
      change: { contents: fetchingContents },
      answers: { ...fetchedEvidence, countContent: () => ok({ count: 1_240, missing: 1_180, room: 900 }) },
      steps: [{ press: '.contents__actions > :last-child' }, { see: '.keep__line' }],
      shows: ['KeepDialog'],
    },
    'evidence, keep',
  ),
  panelOf(
    'outbox',
    {
      change: { outbox: { revision: 9, unsent: 3, counts: { ...counts, queued: 1, failed: 1 } } },
      answers: { readUploads: () => ok(outboxReply) },
      steps: [{ press: '.upload__button[aria-haspopup]' }],
      shows: ['UploadMenu'],
    },
    'upload, menu',
  ),
  panelOf(
    'outbox',
    {
      change: { outbox: { revision: 9, unsent: 3, counts: { ...counts, queued: 1, failed: 1 } } },
      answers: { readUploads: () => ok(outboxReply) },
      steps: [
        { press: '.upload--failed .upload__button[aria-haspopup]' },
        { press: '.upload-menu > :last-child' },
      ],
      shows: ['DiscardDialog'],
    },
    'upload, discard',
  ),
  panelOf(
    'settings',
    { steps: [{ press: '.about__actions > :last-child' }], shows: ['NoticesDialog'] },
    'licences',
  ),
];
