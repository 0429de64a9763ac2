import { missionIdSchema } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../../base/json.ts';
import { smallAnswer } from '../../service/transport/answerBounds.ts';
import { parseSmall } from '../../service/transport/decodeJson.ts';

export interface SubjectOptions {
  /** The member that holds a mission's id in this deployment. */
  readonly missionIdField: string;
  readonly knowsIncident: (id: string) => boolean;
}

/** What an event is about, as far as it says so. */
export interface EventSubject {
  readonly incident: boolean;
  /** Null where it says only that it is about one. The incident may not be known yet. */
  readonly incidentId: string | null;
  readonly missionId: string | null;
  readonly evidence: boolean;
}

interface Member {
  /** The name of the object or list that it lies in; empty at the top. */
  readonly parent: string;
  readonly name: string;
  readonly text: string;
}

/** Ids are no longer than this in the incidents that are read. */
const idLimit = 1024;
/** How much of one event is looked through. */
const memberLimit = 256;

const incidentNames: ReadonlySet<string> = new Set(['incident_id', 'incidentId', 'incident']);
const missionNames: ReadonlySet<string> = new Set(['mission_id', 'missionId', 'mission']);
const evidenceNames: ReadonlySet<string> = new Set(['evidence_id', 'evidenceId', 'evidence', 'cid']);
/** `mission` as a word of its own or of a compound, which “permission” is not. */
const missionKind = /(?:^|[^A-Za-z])mission|Mission|(?:^|[^A-Z])MISSION/;

/**
 * Finds out what an event is about. Neither kinds nor payloads are specified (interface: Events), so it
 * goes by what is known: an incident's id anywhere in the first two levels, telling names, or the kind.
 */
export function subjectOf(
  { kind, data }: { readonly kind: string; readonly data: string },
  { missionIdField, knowsIncident }: SubjectOptions,
): EventSubject {
  const members = membersOf(data);
  const isIncident = /incident/i.test(kind);
  const isMission = missionKind.test(kind);
  const find = (test: (member: Member) => boolean): string | null => members.find(test)?.text ?? null;

  const ownId = (): string | null => find(({ parent, name }) => parent === '' && name === 'id');
  const incidentId =
    find(({ parent, name }) => isNamed(incidentNames, parent, name)) ??
    find(({ text }) => knowsIncident(text)) ??
    (isIncident ? ownId() : null);
  const missionId =
    // A field that is called `id` is everybody's: then only the kind tells.
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

/** The texts in the first two levels of JSON; none where the data is no JSON, or more than an answer about one thing may hold. */
function membersOf(data: string): readonly Member[] {
  if (!/^\s*[{["]/.test(data)) return [];
  const value = parseSmall(data, smallAnswer);
  const members: Member[] = [];
  const add = (parent: string, name: string, entry: unknown): void => {
    if (typeof entry !== 'string' || members.length >= memberLimit) return;
    if (entry.length > 0 && entry.length <= idLimit) {
      members.push({ parent, name, text: entry.toWellFormed() });
    }
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
