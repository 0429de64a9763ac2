import {
  isOutcomeOpen,
  openRule,
  scaleOf,
  type Alarm,
  type ConsoleState,
  type Decided,
  type IsOpen,
  type Note,
  type SeverityScale,
  type ShiftEntry,
  type Upload,
  type Watch,
  type Wording,
} from '../../../../../src-preload/contract/index.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import { cleanNote } from '../noteText.ts';

/** Where a report's facts come from, beside notes, pins and log. */
export interface HandoverSources {
  readonly store: ConsoleStore;
  readonly serverTime: { readonly serverNow: () => number };
  /** A page of the outbox, in the order of sending. */
  readonly readUploads: (
    from: number,
    count: number,
  ) => { readonly total: number; readonly items: readonly Upload[] };
  /** The HMAC of the latest entry of the audit list; null where there is none. */
  readonly auditHash: () => string | null;
}

/** What an operator writes for the next one; `wording` is of the report, in English without it. */
export interface HandoverMessages {
  readonly summary: string;
  readonly successor: string;
  readonly wording: Wording | null;
}

/** What of the watch goes into a handover report. */
export interface WatchKept {
  readonly shift: NonNullable<Watch['shift']>;
  /** Oldest first. */
  readonly entries: readonly ShiftEntry[];
  /** The latest first. */
  readonly notes: readonly Note[];
  readonly pins: readonly string[];
  readonly damaged: number;
}

export interface PinnedFacts {
  readonly incidentId: string;
  /** Null where the incident is not known on this computer. */
  readonly incident: IncidentRecord | null;
  readonly notes: readonly Note[];
}

/** All that a handover report says. Times are server time, Unix milliseconds. */
export interface HandoverFacts {
  readonly madeAt: number;
  readonly version: string;
  readonly zone: ConsoleState['preferences']['zone'];
  readonly training: boolean;
  readonly deployment: { readonly name: string; readonly host: string };
  readonly operators: readonly string[];
  /** What the operator wrote for the next one, and who that is; empty where nothing was typed. */
  readonly summary: string;
  readonly successor: string;
  readonly shift: NonNullable<Watch['shift']>;
  readonly incidents: ConsoleState['incidents'];
  readonly sync: ConsoleState['sync'];
  readonly connection: ConsoleState['connection'];
  readonly session: ConsoleState['session']['session']['state'];
  /** Critical, unranked and high ones that are not over: the worst first, of those the latest. */
  readonly open: {
    readonly critical: number;
    readonly unranked: number;
    readonly high: number;
    readonly shown: readonly IncidentRecord[];
  };
  readonly pinned: readonly PinnedFacts[];
  /** Notes on incidents that are not pinned, the latest first. */
  readonly otherNotes: { readonly total: number; readonly shown: readonly Note[] };
  /** Oldest first. */
  readonly entries: readonly ShiftEntry[];
  /** By its count a reader sees later that an older copy of the data folder was put back. */
  readonly audit: ConsoleState['missions']['audit'];
  /** The HMAC of its latest entry; null where there is none. */
  readonly auditHash: string | null;
  /** Decisions of which nobody knows what became. */
  readonly unknownDecisions: readonly Decided[];
  readonly alarms: readonly Alarm[];
  readonly uploads: {
    readonly counts: ConsoleState['outbox']['counts'];
    readonly total: number;
    readonly unsent: readonly Upload[];
  };
  readonly damaged: number;
}

const mostShown = 50;
const mostOtherNotes = 200;
const mostUploads = 100;
/** How many incidents are looked at before the event loop gets its turn. */
const stride = 5_000;
const page = 200;

/** Collects what a report says, without holding up the event loop. */
export async function collectFacts(
  { store, serverTime, readUploads, auditHash }: HandoverSources,
  kept: WatchKept,
  { summary, successor }: HandoverMessages,
): Promise<HandoverFacts> {
  const open = await openIncidents(store);
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
  return {
    madeAt: serverTime.serverNow(),
    version,
    zone: store.slice('preferences').zone,
    training,
    deployment: { name, host },
    operators: [...operators],
    summary: cleanNote(summary),
    successor: cleanNote(successor),
    shift,
    audit,
    auditHash: auditHash(),
    incidents: store.slice('incidents'),
    sync: store.slice('sync'),
    connection: store.slice('connection'),
    session: session.state,
    open,
    pinned: pins.map((incidentId) => ({
      incidentId,
      incident: store.incidents.recordOf(incidentId) ?? null,
      notes: notes.filter((note) => note.incidentId === incidentId),
    })),
    otherNotes: { total: others.length, shown: others.slice(0, mostOtherNotes) },
    entries,
    unknownDecisions: missions.flatMap(({ decided }) =>
      decided && isOutcomeOpen(decided.outcome) ? [decided] : [],
    ),
    alarms: store.slice('alarms').active.filter(({ recoveredAt }) => recoveredAt === null),
    uploads: { counts: store.slice('outbox').counts, ...unsentUploads(readUploads) },
    damaged,
  };
}

/** In the order in which they are listed; what has no rank stands beside the critical ones. */
const listedMarks = ['critical', 'unknown', 'high'] as const;
type ListedMark = (typeof listedMarks)[number];

/** Null for one whose severity is not listed, or that is over. */
function markOf(
  { severity, status }: IncidentRecord,
  { scale, isOpen }: { readonly scale: SeverityScale; readonly isOpen: IsOpen },
): ListedMark | null {
  if (!isOpen(status)) return null;
  const { mark } = scale.classOf(severity);
  return listedMarks.find((name) => name === mark) ?? null;
}

async function openIncidents(store: ConsoleStore): Promise<HandoverFacts['open']> {
  const { incidents } = store;
  const { severities, closedStatuses } = store.slice('app');
  const scale = scaleOf(severities);
  const isOpen = openRule(closedStatuses);
  const latest: Readonly<Record<ListedMark, IncidentRecord[]>> = { critical: [], unknown: [], high: [] };
  const counts: Record<ListedMark, number> = { critical: 0, unknown: 0, high: 0 };
  let looked = 0;
  // The ids as they are now: what comes while others have their turn is not in this report.
  for (const id of [...incidents.ids()]) {
    looked += 1;
    if (looked % stride === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    const record = incidents.recordOf(id);
    const mark = record ? markOf(record, { scale, isOpen }) : null;
    if (!record || mark === null) continue;
    counts[mark] += 1;
    latest[mark].push(record);
    if (latest[mark].length >= 2 * mostShown) keepFirst(latest[mark], scale);
  }
  const worst = keepFirst([...latest.critical, ...latest.unknown], scale);
  return {
    critical: counts.critical,
    unranked: counts.unknown,
    high: counts.high,
    shown: [...worst, ...keepFirst(latest.high, scale)].slice(0, mostShown),
  };
}

/** The worst of them and of those the latest, in order; in place. */
function keepFirst(records: IncidentRecord[], { classOf }: SeverityScale): IncidentRecord[] {
  const worse = (a: IncidentRecord, b: IncidentRecord): number =>
    classOf(b.severity).weight - classOf(a.severity).weight;
  records
    .sort((a, b) => worse(a, b) || b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
    .splice(mostShown);
  return records;
}

export function unsentUploads(
  read: HandoverSources['readUploads'],
): Pick<HandoverFacts['uploads'], 'total' | 'unsent'> {
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
  // What only a person can settle stands first.
  const urgency = ({ state }: Upload): number =>
    state === 'needs-decision' ? 0 : state === 'failed' ? 1 : 2;
  unsent.sort((a, b) => urgency(a) - urgency(b));
  return { total, unsent: unsent.slice(0, mostUploads) };
}
