import {
  isInMemoryOnly,
  isOutcomeOpen,
  mostCriticalTowns,
  openRule,
  scaleOf,
  type CriticalPlaces,
  type HandoverReport,
  type IsOpen,
  type Language,
  type Note,
  type ReportedIncident,
  type SeverityScale,
  type ShiftEntry,
  type Upload,
  type Watch,
} from '../../../../../src-preload/contract/index.ts';
import { messageOfPlace } from '../../../base/places/placeMessages.ts';
import { townName, towns, type Town } from '../../../base/places/towns.ts';
import { Yielding } from '../../../base/yielding.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import type { LocalAccount } from '../../context.ts';
import { cleanNote } from '../noteText.ts';

/** The sources of a report's facts, beside the store, notes, pins and log. */
export interface FactSources {
  /** A page of the outbox, in the order of sending. */
  readonly readUploads: (
    from: number,
    count: number,
  ) => { readonly total: number; readonly items: readonly Upload[] };
  /** The HMAC of the latest entry of the audit list; null where there is none. */
  readonly auditHash: () => string | null;
}

/** What the operator writes for the next one, and the language for the names of towns. */
export interface HandoverMessages {
  readonly summary: string;
  readonly successor: string;
  readonly language: Language;
}

/** The notes and log lines of a handover report. */
export interface WatchKept {
  readonly shift: NonNullable<Watch['shift']>;
  /** Oldest first. */
  readonly entries: readonly ShiftEntry[];
  /** The latest first. */
  readonly notes: readonly Note[];
  readonly pins: readonly string[];
  readonly damaged: number;
}

type ApiState = HandoverReport['connection']['infrastructure']['state'];

const mostShown = 50;
const mostOtherNotes = 200;
const mostUploads = 100;
const page = 200;

/** Collects the facts of a report without blocking the event loop. */
export async function collectFacts(
  { store, serverNow }: Pick<LocalAccount, 'store' | 'serverNow'>,
  { readUploads, auditHash }: FactSources,
  kept: WatchKept,
  { summary, successor, language }: HandoverMessages,
): Promise<HandoverReport> {
  const { shown, ...open } = await openIncidents(store, language);
  const reported = (record: IncidentRecord): ReportedIncident => reportedIncident(record, language);
  const { shift, entries, notes, pins, damaged } = kept;
  const { known, chosen } = store.slice('deployments');
  const { name, infrastructureHost: host } = known.find(({ id }) => id === chosen) ?? {
    name: '',
    infrastructureHost: '',
  };
  const { session, username } = store.slice('session');
  const { version, training } = store.slice('app');
  const pinned = new Set(pins);
  const others = notes.filter(({ incidentId }) => !pinned.has(incidentId));
  const operators = new Set(entries.map((entry) => entry.username));
  if (username !== null) operators.add(username);
  const { missions, audit } = store.slice('missions');
  const { completeness, count, lastReadAt } = store.slice('incidents');
  const { completeAsOf, uncertain } = store.slice('sync');
  const reached = (api: 'infrastructure' | 'coordination'): { state: ApiState; since: number } => {
    const { state, since } = store.slice('connection')[api];
    return { state, since };
  };
  const uploads = unsentUploads(readUploads);
  return {
    madeAt: serverNow(),
    version,
    training,
    deployment: { name, host },
    operators: [...operators],
    summary: cleanNote(summary),
    successor: cleanNote(successor),
    shift,
    audit,
    auditHash: auditHash(),
    incidents: { completeness, count, lastReadAt },
    sync: { completeAsOf, uncertain: uncertain.count },
    connection: { infrastructure: reached('infrastructure'), coordination: reached('coordination') },
    session: session.state,
    open: { ...open, shown: shown.map(reported) },
    pinned: pins.map((incidentId) => {
      const record = store.incidents.recordOf(incidentId);
      return {
        incidentId,
        incident: record ? reported(record) : null,
        notes: notes.filter((note) => note.incidentId === incidentId),
      };
    }),
    otherNotes: { total: others.length, shown: others.slice(0, mostOtherNotes) },
    entries: [...entries],
    unknownDecisions: missions.flatMap(({ decided }) => {
      if (!decided || !isOutcomeOpen(decided.outcome)) return [];
      const { missionId, decision, at } = decided;
      return [{ missionId, decision, at }];
    }),
    alarms: store
      .slice('alarms')
      .active.filter((alarm) => alarm.recoveredAt === null && !isInMemoryOnly(alarm))
      .map(({ at, sentence }) => ({ at, sentence })),
    uploads: {
      total: uploads.total,
      unsent: uploads.unsent.map(({ state, fileName, why }) => ({ state, fileName, why })),
    },
    damaged,
  };
}

function reportedIncident(record: IncidentRecord, language: Language): ReportedIncident {
  const { id, severity, incidentType, status, createdAt, location } = record;
  const incident = {
    id,
    severity,
    incidentType,
    status,
    createdAt: Number.isNaN(createdAt) ? null : createdAt,
  };
  if (location === null) return { ...incident, location, place: null };
  const { latitude, longitude } = location;
  const place = messageOfPlace(towns.nearest(location), language);
  return { ...incident, location: { latitude, longitude }, place };
}

/** In the order of the list. Severities without a rank come after the critical ones. */
const listedMarks = ['critical', 'unknown', 'high'] as const;
type ListedMark = (typeof listedMarks)[number];

/** Null when the incident is closed or its severity is not listed. */
function markOf(
  { severity, status }: IncidentRecord,
  { scale, isOpen }: { readonly scale: SeverityScale; readonly isOpen: IsOpen },
): ListedMark | null {
  if (!isOpen(status)) return null;
  const { mark } = scale.classOf(severity);
  return listedMarks.find((name) => name === mark) ?? null;
}

async function openIncidents(
  store: LocalAccount['store'],
  language: Language,
): Promise<Omit<HandoverReport['open'], 'shown'> & { readonly shown: readonly IncidentRecord[] }> {
  const { incidents } = store;
  const { severities, closedStatuses } = store.slice('app');
  const scale = scaleOf(severities);
  const isOpen = openRule(closedStatuses);
  const latest: Readonly<Record<ListedMark, IncidentRecord[]>> = { critical: [], unknown: [], high: [] };
  const counts: Record<ListedMark, number> = { critical: 0, unknown: 0, high: 0 };
  const places = new TownCounts();
  const yielding = new Yielding();
  // The ids at this moment: incidents that come meanwhile are not in this report.
  for (const id of [...incidents.ids()]) {
    if (yielding.over) await yielding.next();
    const record = incidents.recordOf(id);
    const mark = record ? markOf(record, { scale, isOpen }) : null;
    if (!record || mark === null) continue;
    counts[mark] += 1;
    if (mark === 'critical') places.add(record);
    latest[mark].push(record);
    if (latest[mark].length >= 2 * mostShown) keepFirst(latest[mark], scale);
  }
  const worst = keepFirst([...latest.critical, ...latest.unknown], scale);
  return {
    critical: counts.critical,
    criticalPlaces: places.most(language),
    unranked: counts.unknown,
    high: counts.high,
    shown: [...worst, ...keepFirst(latest.high, scale)].slice(0, mostShown),
  };
}

/** How many incidents are nearest to each town. */
class TownCounts {
  readonly #counts = new Map<number, { readonly town: Town; count: number }>();
  #noLocation = 0;

  add({ location }: IncidentRecord): void {
    if (location === null) {
      this.#noLocation += 1;
      return;
    }
    const { town } = towns.nearest(location);
    const counted = this.#counts.get(town.id);
    if (counted) counted.count += 1;
    else this.#counts.set(town.id, { town, count: 1 });
  }

  most(language: Language): CriticalPlaces {
    const most = [...this.#counts.values()]
      .sort((a, b) => b.count - a.count || a.town.id - b.town.id)
      .slice(0, mostCriticalTowns);
    return {
      towns: most.map(({ town, count }) => ({ town: townName(town, language), count })),
      noLocation: this.#noLocation,
    };
  }
}

/** The worst, and of those the latest, in order. Changes the list in place. */
function keepFirst(records: IncidentRecord[], { classOf }: SeverityScale): IncidentRecord[] {
  const worse = (a: IncidentRecord, b: IncidentRecord): number =>
    classOf(b.severity).weight - classOf(a.severity).weight;
  // One without a readable time may be the latest.
  const since = ({ createdAt }: IncidentRecord): number => (Number.isNaN(createdAt) ? Infinity : createdAt);
  records.sort((a, b) => worse(a, b) || since(b) - since(a) || (a.id < b.id ? -1 : 1)).splice(mostShown);
  return records;
}

export function unsentUploads(read: FactSources['readUploads']): {
  readonly total: number;
  readonly unsent: readonly Upload[];
} {
  const unsent: Upload[] = [];
  let total = 0;
  for (let from = 0; ; from += page) {
    const { items, total: all } = read(from, page);
    for (const item of items) {
      if (item.state === 'sent') continue;
      total += 1;
      unsent.push(item);
    }
    if (items.length === 0 || from + page >= all) break;
  }
  // Uploads that need a decision come first.
  const urgency = ({ state }: Upload): number =>
    state === 'needs-decision' ? 0 : state === 'failed' ? 1 : 2;
  unsent.sort((a, b) => urgency(a) - urgency(b));
  return { total, unsent: unsent.slice(0, mostUploads) };
}
