import { missionIdSchema } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../../base/json.ts';
import { smallAnswer } from '../../service/transport/answerBounds.ts';
import { parseSmall } from '../../service/transport/decodeJson.ts';

/** What an event is about, as far as it says so. */
export interface EventSubject {
  readonly incident: boolean;
  /** Null where it names no incident. The incident may be unknown. */
  readonly incidentId: string | null;
  readonly missionId: string | null;
  readonly evidence: boolean;
}

interface SubjectEvent {
  readonly kind: string;
  readonly data: string;
  /** The value of `data`, if the caller has read it. */
  readonly payload?: unknown;
}

interface Member {
  /** The name of the object or list around it; empty at the top. */
  readonly parent: string;
  readonly name: string;
  readonly text: string;
}

/** No incident has a longer id. */
const idLimit = 1024;
/** The most members of one event that are read. */
const memberLimit = 256;

const incidentNames: ReadonlySet<string> = new Set(['incident_id', 'incidentId', 'incident']);
const missionNames: ReadonlySet<string> = new Set(['mission_id', 'missionId', 'mission']);
const idNames: ReadonlySet<string> = new Set([...incidentNames, ...missionNames]);
const evidenceNames: ReadonlySet<string> = new Set(['evidence_id', 'evidenceId', 'evidence', 'cid']);
/** `mission` as a word, alone or in a compound. “permission” does not match. */
const missionKind = /(?:^|[^A-Za-z])mission|Mission|(?:^|[^A-Z])MISSION/;

/**
 * Finds out what an event is about. The specification gives neither kinds nor payloads (interface: Events), so this
 * looks for the id of a known incident in the first two levels, for telling names, or at the kind. `missionIdField` is the
 * member with a mission's id in this deployment.
 */
export function subjectOf(
  { kind, data, payload = payloadOf(data) }: SubjectEvent,
  missionIdField: string,
  knowsIncident: (id: string) => boolean,
): EventSubject {
  const members = membersOf(payload);
  const isIncident = /incident/i.test(kind);
  const isMission = missionKind.test(kind);
  const find = (test: (member: Member) => boolean): string | null => members.find(test)?.text ?? null;

  const ownId = (): string | null => find(({ parent, name }) => parent === '' && name === 'id');
  const incidentId =
    find(({ parent, name }) => isNamed(incidentNames, parent, name)) ??
    find(({ text }) => knowsIncident(text)) ??
    (isIncident ? ownId() : null);
  const missionId =
    // A field called `id` may mean anything: then only the kind decides.
    find(({ name }) => name === missionIdField && name !== 'id') ??
    find(({ parent, name }) => isNamed(missionNames, parent, name)) ??
    (isMission ? ownId() : null);
  return {
    incident: isIncident || incidentId !== null,
    incidentId,
    missionId: missionId !== null && missionIdSchema.safeParse(missionId).success ? missionId : null,
    evidence: /evidence/i.test(kind) || find(({ name }) => evidenceNames.has(name)) !== null,
  };
}

/** `incident_id`, or the `id` within an `incident`. */
const isNamed = (names: ReadonlySet<string>, parent: string, name: string): boolean =>
  names.has(name) || (name === 'id' && names.has(parent));

/** The JSON value of an event; undefined when it is not JSON, or larger than an answer about one thing may be. */
export const payloadOf = (data: string): unknown =>
  /^\s*[{["]/.test(data) ? parseSmall(data, smallAnswer) : undefined;

/** The texts in the first two levels of an event's value, and ids that are whole numbers. */
function membersOf(value: unknown): readonly Member[] {
  const members: Member[] = [];
  const add = (parent: string, name: string, entry: unknown): void => {
    // Some services count their incidents and missions; any other number is none of their ids.
    const isId = Number.isSafeInteger(entry) && (name === 'id' || idNames.has(name));
    const text = isId ? String(entry) : entry;
    if (typeof text !== 'string' || members.length >= memberLimit) return;
    if (text.length > 0 && text.length <= idLimit) members.push({ parent, name, text: text.toWellFormed() });
  };
  if (typeof value === 'string') add('', '', value);
  for (const [name, entry] of entriesOf(value)) {
    add('', name, entry);
    for (const [inner, innerEntry] of entriesOf(entry)) add(name, inner, innerEntry);
  }
  return members;
}

function* entriesOf(value: unknown): Generator<[string, unknown]> {
  if (Array.isArray(value)) {
    for (const entry of value.slice(0, memberLimit) as unknown[]) yield ['', entry];
  } else if (isObject(value)) {
    for (const name of Object.keys(value).slice(0, memberLimit)) yield [name, ownValue(value, name)];
  }
}
