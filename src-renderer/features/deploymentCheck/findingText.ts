import type { CheckFinding, CheckFindingId, CheckFindingValue } from '../../../src-preload/contract/index.ts';
import { count, dateTime, inRow, responseTime, span, type Zone } from '../../base/format.ts';
import { bytesText } from '../../base/storage.ts';
import { i18n, t, type MessageKey } from '../../i18n/index.ts';

/** What a finding says of one thing, as a name and its value. */
export interface FindingFact {
  readonly name: string;
  readonly value: string;
  /** Words of the service or of the file, which are shown as they came. */
  readonly mono: boolean;
  /** Whether the service does not do what it was asked. */
  readonly loud: boolean;
}

type Path<K extends CheckFindingId> = K extends 'incidents' ? 'incidents.list' : K;
const pathOf = (id: CheckFindingId) => (id === 'incidents' ? 'incidents.list' : id) as Path<CheckFindingId>;

export const findingTitle = (id: CheckFindingId): string => t(`deploymentCheck.findings.${pathOf(id)}`);

const hows: Readonly<Record<CheckFindingId, MessageKey>> = {
  'certificate.infrastructure': 'deploymentCheck.how.certificate',
  'certificate.coordination': 'deploymentCheck.how.certificate',
  'health.infrastructure': 'deploymentCheck.how.health',
  'health.coordination': 'deploymentCheck.how.health',
  login: 'deploymentCheck.how.login',
  clock: 'deploymentCheck.how.clock',
  incidents: 'deploymentCheck.how.incidentsList',
  'incidents.token': 'deploymentCheck.how.incidentsToken',
  'incidents.order': 'deploymentCheck.how.incidentsOrder',
  'incidents.limit': 'deploymentCheck.how.incidentsLimit',
  'incidents.timeUnit': 'deploymentCheck.how.incidentsTimeUnit',
  'incidents.severity': 'deploymentCheck.how.incidentsFilter',
  'incidents.status': 'deploymentCheck.how.incidentsFilter',
  'incidents.pageSize': 'deploymentCheck.how.incidentsPageSize',
  'incidents.cursor': 'deploymentCheck.how.incidentsCursor',
  evidence: 'deploymentCheck.how.evidence',
  pendingMissions: 'deploymentCheck.how.pendingMissions',
  events: 'deploymentCheck.how.events',
  positions: 'deploymentCheck.how.positions',
  requestIds: 'deploymentCheck.how.requestIds',
  roundTrip: 'deploymentCheck.how.roundTrip',
  uploads: 'deploymentCheck.effects.uploads',
  approvals: 'deploymentCheck.effects.approvals',
  idempotency: 'deploymentCheck.effects.idempotency',
};

/** How it was looked at, null where it was not; of what was not tried, which effect it would have. */
export const findingHow = ({ id, outcome, requests }: CheckFinding): string | null =>
  outcome === 'not-seen' && requests === 0 ? null : t(hows[id]);

const reasons: Readonly<Record<string, MessageKey>> = {
  budget: 'deploymentCheck.reasons.budget',
  'token-refused': 'deploymentCheck.reasons.tokenRefused',
  cancelled: 'deploymentCheck.reasons.cancelled',
  'signed-out': 'deploymentCheck.reasons.signedOut',
  'no-tls': 'deploymentCheck.reasons.noTls',
  proxy: 'deploymentCheck.reasons.proxy',
  'no-answer': 'deploymentCheck.reasons.noAnswer',
  'no-object': 'deploymentCheck.reasons.noObject',
  'no-date': 'deploymentCheck.reasons.noDate',
  'no-list': 'deploymentCheck.reasons.noList',
  'too-few': 'deploymentCheck.reasons.tooFew',
  undecided: 'deploymentCheck.reasons.undecided',
  'no-cursor': 'deploymentCheck.reasons.noCursor',
  'no-stream': 'deploymentCheck.reasons.noStream',
  'no-position': 'deploymentCheck.reasons.noPosition',
  off: 'deploymentCheck.reasons.positionsOff',
  'credentials-refused': 'deploymentCheck.reasons.credentialsRefused',
  'not-found': 'deploymentCheck.reasons.notFound',
};

/** Why something was not seen: one of the check's own reasons, a failure of the console, or a code of the system's. */
export function findingReason({ outcome, reason }: CheckFinding): string | null {
  if (outcome !== 'not-seen' || reason === null) return null;
  if (Object.hasOwn(reasons, reason)) return t(reasons[reason] ?? 'deploymentCheck.reasons.other');
  const failure = `core.failure.${reason}.sentence`;
  if (i18n.global.te(failure, 'en')) return t(failure as MessageKey);
  return t('deploymentCheck.reasons.other', { code: reason });
}

export function outcomeName(outcome: CheckFinding['outcome']): string {
  switch (outcome) {
    case 'seen':
      return t('deploymentCheck.outcomes.seen');
    case 'not-seen':
      return t('deploymentCheck.outcomes.notSeen');
    case 'not-tried':
      return t('deploymentCheck.outcomes.notTried');
  }
}

const words: Readonly<Record<string, MessageKey>> = {
  array: 'deploymentCheck.words.array',
  object: 'deploymentCheck.words.object',
  'newest-first': 'deploymentCheck.words.newestFirst',
  'oldest-first': 'deploymentCheck.words.oldestFirst',
  none: 'deploymentCheck.words.noOrder',
  'no-limit': 'deploymentCheck.words.noLimit',
  seconds: 'deploymentCheck.words.seconds',
  milliseconds: 'deploymentCheck.words.milliseconds',
};

/** How a number or a text of each name is said; the others are counts, and texts as they came. */
const forms: Readonly<Record<string, (value: number | string, zone: Zone) => string>> = {
  validTo: (value, zone) => dateTime(Date.parse(String(value)), zone),
  expiresAt: (value, zone) => dateTime(Date.parse(String(value)), zone),
  lifetimeSeconds: (value) => span(Number(value) * 1_000),
  computerAheadSeconds: (value) => span(Math.abs(Number(value)) * 1_000),
  listenedMs: (value) => span(Number(value)),
  bytes: (value) => bytesText(Number(value)),
  shortestMs: (value) => responseTime(Number(value)),
  middleMs: (value) => responseTime(Number(value)),
  longestMs: (value) => responseTime(Number(value)),
};
/** Texts of the check's own, which are said in the page's language. */
const ownTexts: ReadonlySet<string> = new Set(['accepts', 'shape', 'order', 'unit']);

function valueText(name: string, value: CheckFindingValue, zone: Zone): string {
  if (value === null)
    return t(name === 'largest' ? 'deploymentCheck.words.noBound' : 'deploymentCheck.words.notKnown');
  if (typeof value === 'boolean') return t(value ? 'deploymentCheck.words.yes' : 'deploymentCheck.words.no');
  if (typeof value === 'object') return inRow(value);
  const form = forms[name];
  if (form !== undefined) return form(value, zone);
  if (typeof value === 'number') return count(value);
  const word = ownTexts.has(name) ? words[value] : undefined;
  return word === undefined ? value : t(word);
}

function nameKey(id: CheckFindingId, name: string, value: CheckFindingValue): MessageKey {
  if (name === 'computerAheadSeconds')
    return Number(value) < 0 ? 'deploymentCheck.values.clockBehind' : 'deploymentCheck.values.clockAhead';
  if (name === 'others' && id.startsWith('health.')) return 'deploymentCheck.values.otherFields';
  return `deploymentCheck.values.${name}` as MessageKey;
}

/** What was observed but for lists that hold nothing, in the order in which the check says it. */
export const findingFacts = ({ id, values }: CheckFinding, zone: Zone): readonly FindingFact[] =>
  Object.entries(values)
    .filter(([, value]) => !Array.isArray(value) || value.length > 0)
    .map(([name, value]) => ({
      name: t(nameKey(id, name, value)),
      value: valueText(name, value, zone),
      mono:
        Array.isArray(value) ||
        (typeof value === 'string' && !ownTexts.has(name) && !Object.hasOwn(forms, name)),
      loud: value === false && (name === 'honoured' || name === 'cursorHonoured'),
    }));
