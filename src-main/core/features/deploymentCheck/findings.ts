import type {
  CheckFinding,
  CheckFindingId,
  CheckFindingValue,
  FollowingKey,
} from '../../../../src-preload/contract/index.ts';
import { cappedText, isObject } from '../../base/json.ts';
import { readHeaderCursor } from '../../service/api/headerCursor.ts';
import { readListPage } from '../../service/api/listPage.ts';
import type { Answer } from '../../service/transport/request.ts';
import type { Asked, Asker } from './asker.ts';

type Values = Readonly<Record<string, CheckFindingValue>>;

/** The most characters of a name of the service in a report. */
const longestName = 64;
const mostNames = 32;
/** In the place of a name that repeats a secret. */
const hidden = '[secret]';

/** Why an answer cannot be used; null when it can. */
export function reasonOf(asked: Asked): string | null {
  switch (asked.kind) {
    case 'answer':
      return null;
    case 'failed':
      return asked.failure.status === 401 ? 'token-refused' : asked.failure.code;
    case 'withheld':
      return asked.reason;
  }
}

/** The findings of one check. Each has the number of requests since the one before it. */
export class Findings {
  readonly #asker: Asker;
  readonly #list: CheckFinding[] = [];
  #counted = 0;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  /** Without secrets: also those that an early answer repeats and a later one gives. */
  get list(): CheckFinding[] {
    const hide = (text: string): string => (this.#asker.isSecret(text) ? hidden : text);
    return this.#list.map((finding) => {
      const values = Object.entries(finding.values).map(([name, value]) => [
        name,
        Array.isArray(value) ? [...new Set(value.map(hide))] : value,
      ]);
      return { ...finding, values: Object.fromEntries(values) as Values };
    });
  }

  seen(id: CheckFindingId, values: Values): void {
    this.#add(id, 'seen', null, values);
  }

  notSeen(id: CheckFindingId, reason: string, values: Values = {}): void {
    this.#add(id, 'not-seen', reason, values);
  }

  notTried(id: CheckFindingId): void {
    this.#add(id, 'not-tried', 'has-effect', {});
  }

  /** Names that the service chose, at most so many and so long. */
  names(names: Iterable<string>): string[] {
    return [...new Set(names)].slice(0, mostNames).map((name) => cappedText(name, longestName));
  }

  #add(id: CheckFindingId, outcome: CheckFinding['outcome'], reason: string | null, values: Values): void {
    const { requests } = this.#asker;
    this.#list.push({ id, outcome, reason, values, requests: requests - this.#counted });
    this.#counted = requests;
  }
}

export interface SeenList {
  readonly shape: 'array' | 'object';
  readonly records: readonly unknown[];
  readonly nextCursor: string | null;
}

/** The list in an answer; null when there is none. `name` is the expected member. */
export function listOf({ body, headers }: Answer, name: string): SeenList | null {
  const page = readListPage(body, readHeaderCursor(headers), name);
  if (page === null) return null;
  return {
    shape: isObject(body) ? 'object' : 'array',
    records: page.records,
    nextCursor: page.nextCursor,
  };
}

type File = Readonly<Record<string, unknown>>;

/** The finding of a service that accepts no limit: the file says null. */
export const noLimit = 'no-limit';

/** The keys that a read can show. Each has the finding and the value that show it. */
const shownKeys = [
  // Only what was refused shows that less has to be asked for.
  { key: ['sync', 'pageSize'], reason: 'incidents', value: 'accepts' },
  { key: ['timestampUnit'], reason: 'incidents.timeUnit', value: 'unit' },
  { key: ['loginPath'], reason: 'login', value: 'path' },
  { key: ['evidencePath'], reason: 'evidence', value: 'path' },
  { key: ['missions', 'pendingPath'], reason: 'pendingMissions', value: 'path' },
  { key: ['eventsPath'], reason: 'events', value: 'path' },
  { key: ['positions'], reason: 'positions', value: 'rule' },
] as const;

/**
 * The deployment file that follows from the findings: the checked file, with each key set that was shown. Other keys
 * keep their value, and get no reason.
 */
export function followingFile(
  checked: File,
  findings: readonly CheckFinding[],
): { readonly file: File; readonly keys: FollowingKey[] } {
  let file = checked;
  const keys: FollowingKey[] = [];
  for (const { key, reason, value: name } of shownKeys) {
    const finding = findings.find(({ id }) => id === reason);
    const shown = finding?.outcome === 'seen' ? finding.values[name] : undefined;
    if (typeof shown !== 'string' && typeof shown !== 'number') continue;
    const value = shown === noLimit ? null : shown;
    const change = valueAt(checked, key) === value ? 'confirmed' : 'changed';
    keys.push({ key: key.join('.'), value: String(value), change, reason });
    file = withValue(file, key, value);
  }
  return { file, keys };
}

function valueAt(file: File, [first, second]: readonly [string, string?]): unknown {
  const value = file[first];
  if (second === undefined) return value;
  return isObject(value) ? value[second] : undefined;
}

function withValue(
  file: File,
  [first, second]: readonly [string, string?],
  value: string | number | null,
): File {
  if (second === undefined) return { ...file, [first]: value };
  const inner = file[first];
  return { ...file, [first]: { ...(isObject(inner) ? inner : {}), [second]: value } };
}
