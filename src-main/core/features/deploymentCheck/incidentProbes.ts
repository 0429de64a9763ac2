import { failed, ok, type CheckFindingId, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { readIncidentRecord, type IncidentRecord } from '../../state/incident.ts';
import { isRefusal, probeUnit } from '../incidents/index.ts';
import type { Asked, Asker } from './asker.ts';
import { listOf, noLimit, reasonOf, type Findings, type SeenList } from './findings.ts';

const firstLimit = 200;
/** The limits that are tried where the service refuses the one before; undefined for none. */
const lessLimits = [100, 50, undefined] as const;
const smallLimit = 5;
/** More than the largest page of the specification. */
const largeLimit = 1_000;

type Query = Readonly<Record<string, string | number | undefined>>;

interface Page extends SeenList {
  readonly rows: readonly IncidentRecord[];
}

const follow: readonly CheckFindingId[] = [
  'incidents.token',
  'incidents.order',
  'incidents.limit',
  'incidents.timeUnit',
  'incidents.severity',
  'incidents.status',
  'incidents.pageSize',
  'incidents.cursor',
];

/** Checks GET /incidents: which parameters it needs, and which the service follows. */
export async function lookAtIncidents(asker: Asker, findings: Findings): Promise<void> {
  const look = new IncidentProbes(asker, findings);
  await look.run();
}

class IncidentProbes {
  readonly #asker: Asker;
  readonly #findings: Findings;
  /** The ids in all answers so far. */
  readonly #ids = new Set<string>();
  /** The limit that the service accepts; undefined for none. */
  #accepted: number | undefined = firstLimit;
  /** How it answers a window without incidents; null where none was asked for. */
  #empty: '[]' | 'null' | '204' | '404' | null = null;

  constructor(asker: Asker, findings: Findings) {
    this.#asker = asker;
    this.#findings = findings;
  }

  async run(): Promise<void> {
    const findings = this.#findings;
    let asked = await this.#ask({ limit: firstLimit }, true);
    for (const limit of lessLimits) {
      if (asked.kind !== 'failed' || !isRefusal(asked.failure)) break;
      this.#accepted = limit;
      asked = await this.#ask({ limit }, true);
    }
    const page = asked.kind === 'answer' ? this.#pageOf(asked) : null;
    if (page === null) {
      const reason = reasonOf(asked) ?? 'no-list';
      findings.notSeen('incidents', reason);
      for (const id of follow) findings.notSeen(id, reason);
      return;
    }
    findings.seen('incidents', {
      shape: page.shape,
      askedFor: this.#accepted ?? null,
      ...(this.#accepted === firstLimit ? {} : { accepts: this.#accepted ?? noLimit }),
      returned: page.records.length,
      unreadable: page.records.length - page.rows.length,
      severities: findings.names(page.rows.map(({ severity }) => severity)),
      statuses: findings.names(page.rows.map(({ status }) => status)),
    });
    await this.#token();
    const order = this.#order(page);
    await this.#limit(page);
    const unit = await this.#unit(page);
    await this.#filter(page, 'severity');
    await this.#filter(page, 'status');
    await this.#pageSize(order, unit);
    await this.#cursor(page);
  }

  #ask(query: Query, withToken: boolean): Promise<Asked> {
    return this.#asker.get({ api: 'infrastructure', path: '/incidents', query, withToken, isList: true });
  }

  #pageOf(asked: Asked): Page | null {
    if (asked.kind !== 'answer') return null;
    const list = listOf(asked.answer, 'incidents');
    if (list === null) return null;
    const rows: IncidentRecord[] = [];
    for (const raw of list.records) {
      const reading = readIncidentRecord(raw);
      if (reading.readable) rows.push(reading.record);
    }
    for (const { id } of rows) this.#ids.add(id);
    return { ...list, rows };
  }

  async #token(): Promise<void> {
    const asked = await this.#ask({ limit: 1 }, false);
    const status = asked.kind === 'failed' ? asked.failure.status : null;
    if (asked.kind === 'answer') this.#findings.seen('incidents.token', { needed: false });
    else if (status === 401 || status === 403) this.#findings.seen('incidents.token', { needed: true });
    else this.#findings.notSeen('incidents.token', reasonOf(asked) ?? 'no-list');
  }

  #order({ rows }: Page): 'newest-first' | 'oldest-first' | 'none' | null {
    const times = rows.map(({ createdAt }) => createdAt);
    if (new Set(times).size < 2) {
      this.#findings.notSeen('incidents.order', 'too-few', { rows: rows.length });
      return null;
    }
    const follows = (before: (earlier: number, later: number) => boolean): boolean =>
      times.every((time, at) => at === 0 || before(times[at - 1] ?? time, time));
    const order = follows((a, b) => a >= b)
      ? 'newest-first'
      : follows((a, b) => a <= b)
        ? 'oldest-first'
        : 'none';
    this.#findings.seen('incidents.order', { order, rows: rows.length });
    return order;
  }

  async #limit(first: Page): Promise<void> {
    if (this.#accepted === undefined) return this.#findings.notSeen('incidents.limit', 'bad-request');
    if (first.records.length <= smallLimit) {
      this.#findings.notSeen('incidents.limit', 'too-few', { rows: first.records.length });
      return;
    }
    const asked = await this.#ask({ limit: smallLimit }, true);
    const page = this.#pageOf(asked);
    if (page === null) return this.#findings.notSeen('incidents.limit', reasonOf(asked) ?? 'no-list');
    const returned = page.records.length;
    this.#findings.seen('incidents.limit', {
      honoured: returned <= smallLimit,
      askedFor: smallLimit,
      returned,
    });
  }

  async #unit({ rows }: Page): Promise<'seconds' | 'milliseconds' | null> {
    const read: Parameters<typeof probeUnit>[1] = async ({ startTime, endTime }) => {
      const asked = await this.#ask(
        { start_time: startTime, end_time: endTime, limit: this.#accepted },
        true,
      );
      const isBlank = asked.kind === 'answer' && asked.answer.body === null;
      const page = isBlank ? { rows: [] } : this.#pageOf(asked);
      if (isBlank) this.#empty = asked.answer.status === 204 ? '204' : 'null';
      else if (page?.rows.length === 0) this.#empty = '[]';
      else if (asked.kind === 'failed' && asked.failure.status === 404) this.#empty = '404';
      if (page !== null) return ok(page);
      return asked.kind === 'failed' ? failed(asked.failure) : this.#unread();
    };
    const finding = await probeUnit(rows, read);
    if (!finding.ok) {
      this.#findings.notSeen('incidents.timeUnit', this.#asker.stopped ?? finding.failure.code);
      return null;
    }
    switch (finding.value.unit) {
      case 'seconds':
      case 'milliseconds': {
        const { unit, isOdd } = finding.value;
        this.#findings.seen('incidents.timeUnit', {
          honoured: !isOdd,
          unit,
          ...(this.#empty === null ? {} : { empty: this.#empty }),
        });
        return unit;
      }
      case 'ignored':
        this.#findings.seen('incidents.timeUnit', { honoured: false });
        return null;
      case 'undecided':
        this.#findings.notSeen('incidents.timeUnit', rows.length === 0 ? 'too-few' : 'undecided');
        return null;
    }
  }

  #unread(): Result<never> {
    return failed(makeFailure({ code: 'unreadable-answer', at: this.#asker.serverTime.serverNow() }));
  }

  async #filter({ rows }: Page, name: 'severity' | 'status'): Promise<void> {
    const id = `incidents.${name}` as const;
    const value = rows[0]?.[name];
    if (value === undefined || rows.every((row) => row[name] === value)) {
      this.#findings.notSeen(id, 'too-few', { rows: rows.length });
      return;
    }
    const asked = await this.#ask({ [name]: value, limit: this.#accepted }, true);
    const page = this.#pageOf(asked);
    if (page === null) return this.#findings.notSeen(id, reasonOf(asked) ?? 'no-list');
    const others = page.rows.filter((row) => row[name] !== value).length;
    if (page.rows.length === 0) return this.#findings.notSeen(id, 'too-few', { rows: 0 });
    this.#findings.seen(id, { honoured: others === 0, returned: page.rows.length, others });
  }

  /** A page was certainly cut if other answers had more incidents that belong in it. */
  async #pageSize(order: string | null, unit: 'seconds' | 'milliseconds' | null): Promise<void> {
    const withoutLimit = this.#pageOf(await this.#ask({}, true));
    const asked = await this.#ask({ limit: largeLimit }, true);
    const page = this.#pageOf(asked);
    if (page === null) return this.#findings.notSeen('incidents.pageSize', reasonOf(asked) ?? 'no-list');
    const returned = page.records.length;
    const times = page.rows.map(({ createdAt }) => createdAt).sort((a, b) => a - b);
    if (returned < largeLimit && unit !== null && times.length > 0) {
      const bound = (time: number): number => Math.floor(time / (unit === 'seconds' ? 1_000 : 1));
      const middle = times[times.length >> 1] ?? 0;
      const query: Query =
        order === 'oldest-first'
          ? { start_time: bound(times.at(-1) ?? 0) }
          : { end_time: bound(order === 'newest-first' ? (times[0] ?? 0) : middle) };
      this.#pageOf(await this.#ask({ ...query, limit: this.#accepted }, true));
    }
    const cut = returned < largeLimit && (page.nextCursor !== null || this.#ids.size > page.rows.length);
    this.#findings.seen('incidents.pageSize', {
      askedFor: largeLimit,
      returned,
      withoutLimit: withoutLimit?.records.length ?? null,
      largest: cut ? returned : null,
    });
  }

  async #cursor(first: Page): Promise<void> {
    if (first.nextCursor === null) {
      this.#findings.notSeen('incidents.cursor', 'no-cursor');
      return;
    }
    const asked = await this.#ask({ limit: this.#accepted, cursor: first.nextCursor }, true);
    const page = this.#pageOf(asked);
    if (page === null) return this.#findings.notSeen('incidents.cursor', reasonOf(asked) ?? 'no-list');
    const before = new Set(first.rows.map(({ id }) => id));
    const again = page.rows.filter(({ id }) => before.has(id)).length;
    this.#findings.seen('incidents.cursor', {
      honoured: page.rows.length > 0 && again === 0,
      returned: page.rows.length,
      again,
    });
  }
}
