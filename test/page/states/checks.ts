import {
  failed,
  mostCheckRequests,
  ok,
  type CheckFinding,
  type CheckReport,
  type DeploymentCheckState,
} from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../../../src-main/core/base/failure.ts';
import { atDoor, panelOf, recorded, recordedNow, type Change, type GalleryState } from '../states.ts';

const infrastructureUrl = 'https://infrastructure.example.org';
const coordinationUrl = 'https://coordination.example.org/coordination/v1';
const seen = (id: CheckFinding['id'], requests: number, values: CheckFinding['values']): CheckFinding => ({
  ...{ id, outcome: 'seen', reason: null, values, requests },
});
const notSeen = (
  id: CheckFinding['id'],
  requests: number,
  reason: string,
  values: CheckFinding['values'] = {},
): CheckFinding => ({ ...{ id, outcome: 'not-seen', reason, values, requests } });
const notTried = (id: CheckFinding['id']): CheckFinding => ({
  ...{ id, outcome: 'not-tried', reason: 'has-effect', values: {}, requests: 0 },
});

/** Something of every kind that a report can say. */
const findings: CheckFinding[] = [
  seen('certificate.infrastructure', 1, { daysLeft: 212, validTo: '2027-06-20T12:00:00.000Z' }),
  notSeen('certificate.coordination', 1, 'SELF_SIGNED_CERT_IN_CHAIN'),
  seen('health.infrastructure', 1, {
    texts: ['status', 'ledger'],
    flags: ['ai_analysis', 'ipfs_pinning'],
    numbers: [],
    others: [],
  }),
  notSeen('health.coordination', 1, 'not-found'),
  seen('login', 1, { path: '/login', expiresAt: '2026-11-20T13:00:00.000Z', lifetimeSeconds: 3_600 }),
  seen('clock', 0, { computerAheadSeconds: -42 }),
  seen('incidents', 1, {
    shape: 'array',
    askedFor: 200,
    returned: 200,
    unreadable: 0,
    severities: ['low', 'medium', 'high', 'critical'],
    statuses: ['open', 'resolved'],
  }),
  seen('incidents.token', 1, { needed: true }),
  seen('incidents.order', 0, { order: 'newest-first', rows: 200 }),
  seen('incidents.limit', 1, { honoured: true, askedFor: 5, returned: 5 }),
  seen('incidents.timeUnit', 2, { honoured: true, unit: 'milliseconds' }),
  seen('incidents.severity', 1, { honoured: false, returned: 200, others: 143 }),
  notSeen('incidents.status', 0, 'too-few', { rows: 200 }),
  seen('incidents.pageSize', 2, { askedFor: 1_000, returned: 200, withoutLimit: 50, largest: 200 }),
  notSeen('incidents.cursor', 0, 'no-cursor'),
  seen('evidence', 2, {
    path: '/evidence',
    shape: 'object',
    askedFor: 5,
    returned: 5,
    cursor: true,
    cursorHonoured: null,
    fields: ['id', 'cid', 'incident_id', 'file_name', 'media_type', 'size', 'collected_by', 'created_at'],
  }),
  notSeen('pendingMissions', 3, 'not-granted', {
    tried: ['/admin/missions/pending', '/missions/pending', '/admin/missions'],
  }),
  seen('events', 1, {
    path: '/events',
    listenedMs: 10_000,
    events: 12,
    kinds: ['telemetry', 'incident'],
    comments: 2,
    bytes: 4_812,
    faulty: 0,
    ended: false,
  }),
  seen('requestIds', 0, { answers: 19, withId: 19 }),
  seen('roundTrip', 0, { answers: 17, shortestMs: 41, middleMs: 88, longestMs: 1_240 }),
  ...[notTried('uploads'), notTried('approvals'), notTried('idempotency')],
];

const report: CheckReport = {
  version: 1,
  deployment: { id: 'harbour', infrastructureUrl, coordinationUrl },
  checkedAt: recordedNow - 20_000,
  requests: 19,
  mostRequests: mostCheckRequests,
  logins: 1,
  stopped: null,
  findings,
  keys: [
    { key: 'timestampUnit', value: 'milliseconds', change: 'changed', reason: 'incidents.timeUnit' },
    { key: 'loginPath', value: '/login', change: 'confirmed', reason: 'login' },
    { key: 'evidencePath', value: '/evidence', change: 'confirmed', reason: 'evidence' },
    { key: 'eventsPath', value: '/events', change: 'changed', reason: 'events' },
  ],
};
const file = {
  ...{ version: 1, id: 'harbour', name: 'Harbour station', infrastructureUrl, coordinationUrl },
  ...{ timestampUnit: 'milliseconds', loginPath: '/login', evidencePath: '/evidence', eventsPath: '/events' },
};
const done = (change: Partial<CheckReport> = {}): DeploymentCheckState => ({
  kind: 'done',
  report: { ...report, ...change },
  fileText: `${JSON.stringify(file, null, 2)}\n`,
});

const inDiagnostics = (
  name: string,
  deploymentCheck: DeploymentCheckState,
  more: Partial<Pick<GalleryState, 'answers' | 'steps'>> & { readonly change?: Change } = {},
): GalleryState =>
  panelOf(
    'diagnostics',
    {
      change: { deploymentCheck, ...more.change },
      answers: more.answers ?? {},
      steps: [{ see: '.diagnostics__read' }, { press: '.check-way > .button' }, ...(more.steps ?? [])],
      shows: ['CheckDialog'],
    },
    name,
  );

const proposal = {
  proposalId: 'p1',
  summary: {
    id: 'harbour',
    name: 'Harbour station',
    infrastructureHost: 'infrastructure.example.org',
    coordinationHost: 'coordination.example.org',
    source: 'added' as const,
  },
  infrastructureUrl,
  coordinationUrl,
  replacesSameOrigin: false,
};
const cancelled = findings.map((finding, at) =>
  at < 8 || finding.outcome === 'not-tried' ? finding : notSeen(finding.id, 0, 'cancelled'),
);

export const checkStates: readonly GalleryState[] = [
  inDiagnostics('check', { kind: 'none' }),
  inDiagnostics(
    'check, refused',
    { kind: 'none' },
    {
      answers: {
        readDiagnostics: () => ok(recorded.diagnostics),
        startDeploymentCheck: () => failed(makeFailure({ code: 'deployment-unknown', at: recordedNow })),
      },
      steps: [
        { type: 'operator', into: '#check-username' },
        { type: 'made-up', into: '#check-password' },
        { press: '.check-form [type="submit"]' },
        { see: '.check-form [role="alert"]' },
      ],
    },
  ),
  inDiagnostics('check, running', {
    kind: 'running',
    deploymentId: 'harbour',
    requests: 17,
    mostRequests: mostCheckRequests,
  }),
  inDiagnostics('check, report', done()),
  inDiagnostics('check, report, nothing may be saved', done(), { change: { policy: { exports: false } } }),
  inDiagnostics(
    'check, cancelled',
    done({ stopped: 'cancelled', findings: cancelled, keys: [], requests: 9 }),
  ),
  panelOf(
    'diagnostics',
    {
      change: { policy: { source: 'machine', fixed: ['deployments'] } },
      steps: [{ see: '.check-way__why' }],
      shows: ['DiagnosticsPanel'],
    },
    'check, fixed by policy',
  ),
  atDoor('deployment, check', {
    change: { deployments: { proposal }, deploymentCheck: { kind: 'none' } },
    steps: [{ press: '.check-way > .button' }],
    shows: ['CheckDialog'],
  }),
  atDoor('deployment, check, report', {
    change: { deployments: { proposal }, deploymentCheck: done() },
    answers: { proposeDeployment: () => ok(proposal) },
    steps: [{ press: '.check-way > .button' }],
    shows: ['CheckDialog'],
  }),
];
