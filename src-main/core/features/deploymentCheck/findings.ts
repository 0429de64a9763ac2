import { cappedText, isObject } from '../../base/json.ts';
import { readHeaderCursor } from '../../service/api/headerCursor.ts';
import { readListPage } from '../../service/api/listPage.ts';
import type { Answer } from '../../service/transport/request.ts';
import type { Asked, Asker } from './asker.ts';
import type { Finding, FindingId, FindingValue } from './report.ts';

type Values = Readonly<Record<string, FindingValue>>;

/** What of the service's own words a report takes. */
const longestName = 64;
const mostNames = 32;

/** Why an answer is none that can be looked at; null for an answer. */
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

/** The findings of one check, each with the requests that were sent since the one before it. */
export class Findings {
  readonly #asker: Asker;
  readonly #list: Finding[] = [];
  #counted = 0;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  get list(): readonly Finding[] {
    return this.#list;
  }

  seen(id: FindingId, values: Values): void {
    this.#add(id, 'seen', null, values);
  }

  notSeen(id: FindingId, reason: string, values: Values = {}): void {
    this.#add(id, 'not-seen', reason, values);
  }

  notTried(id: FindingId): void {
    this.#add(id, 'not-tried', 'has-effect', {});
  }

  /** Names that the service chose, bounded, and without those that echo a secret. */
  names(names: Iterable<string>): string[] {
    const shown = [...new Set(names)].filter((name) => !this.#asker.isSecret(name));
    return shown.slice(0, mostNames).map((name) => cappedText(name, longestName));
  }

  #add(id: FindingId, outcome: Finding['outcome'], reason: string | null, values: Values): void {
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

/** The list in an answer; null where there is none. `name` is the member that is meant. */
export function listOf({ body, headers }: Answer, name: string): SeenList | null {
  const page = readListPage(body, readHeaderCursor(headers), name);
  if (page === null) return null;
  return {
    shape: isObject(body) ? 'object' : 'array',
    records: page.records,
    nextCursor: page.nextCursor,
  };
}
