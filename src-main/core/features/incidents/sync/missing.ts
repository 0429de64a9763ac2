import type { Failure } from '../../../../../src-preload/contract/index.ts';
import { Absences } from './absences.ts';
import type { Ledger } from './ledger.ts';
import { isRefusal, type ListPages, type SyncCall } from './listReader.ts';
import type { Lists } from './lists.ts';
import type { ListsAccount } from './syncAccount.ts';
import { areInside, boundsOf } from './unitProbe.ts';
import { isOpen, settledMs, tickOf, type LedgerWindow, type Span } from './window.ts';

/** Answers in a row of a service that returned what it had lacked, so that each of its replicas is asked. */
const doubtedAnswers = 3;
/** So many intervals a fickle service has to return an incident before that is asked for. */
const fickleIntervals = 20;
/** So many answers in a row of a fickle service that lacked an incident were cut, and came not from another replica. */
const mostLacks = 4;

/** Asks for incidents that an answer lacked: either that answer was cut, or the service no longer returns them. */
export class Missing {
  readonly #account: ListsAccount;
  readonly #lists: Lists;
  readonly #ledger: () => Ledger;
  readonly absences: Absences;
  /** By so much an answer may be older than its time: one lacked a young incident that another one had. */
  lagMs = 0;

  constructor(account: ListsAccount, lists: Lists, ledger: () => Ledger) {
    this.#account = account;
    this.#lists = lists;
    this.#ledger = ledger;
    this.absences = new Absences({ apartMs: account.deployment.pollIntervals.incidentsMs });
  }

  /** Whether answers contradicted each other within the last hour. */
  get isDoubted(): boolean {
    return this.absences.isDoubted(this.#account.serverNow());
  }

  /** The service returned incidents: one that its own window lacked contradicts all that was read meanwhile. */
  returned(ids: readonly string[]): void {
    const now = this.#account.serverNow();
    if (!this.absences.returned(ids, now)) return;
    this.#ledger().unsettle(now);
    this.#ledger().pages.relearn();
  }

  /** Takes those that a whole answer for `window` lacked. `first`: it was never read before. */
  async lacked(
    missing: readonly string[],
    {
      window,
      rows,
      first,
    }: { readonly window: LedgerWindow; readonly rows: number; readonly first: boolean },
    call: SyncCall,
  ): Promise<Failure | null> {
    const { store, serverNow, deployment } = this.#account;
    window.lacks = missing.length > 0 ? window.lacks + 1 : 0;
    const now = serverNow();
    const isFickle = this.absences.isFickle(now);
    const lacksOften = isFickle && window.lacks >= mostLacks;
    const isKnown = (id: string): boolean =>
      lacksOften ? this.absences.wasAsked(id) : this.absences.has(id);
    const lacked = missing
      .filter((id) => !isKnown(id))
      .flatMap((id) => store.incidents.recordOf(id) ?? [])
      .map(({ id, createdAt: at, status }) => ({ id, at, order: isOpen(status) ? 0 : 1 }))
      .sort((a, b) => a.order - b.order);
    const [sample] = lacked;
    if (!sample) return null;
    // Replicas that differ return most of them soon.
    const rest = (isFickle ? fickleIntervals : 1) * deployment.pollIntervals.incidentsMs;
    for (const one of lacked) this.absences.add(one, now + rest);
    // Parts of a window help where answers are cut, not where replicas differ: those differ from answer to answer.
    if (isFickle && !lacksOften) {
      this.#ledger().unsettle(now);
      return null;
    }
    const failure = await this.#ask([sample], call, false);
    if (failure !== null || this.absences.has(sample.id)) return failure;
    const isOld = sample.at < now - settledMs;
    if (!isOld) this.lagMs = settledMs;
    this.#ledger().short(window, !isFickle && isOld ? rows : null, first, serverNow());
    return null;
  }

  /** Asks for those that are due, by their own window. The caller has waited for the first turn. */
  ask(call: SyncCall): Promise<Failure | null> {
    return this.#ask(this.absences.next(this.#account.serverNow(), !this.#ledger().pages.strict), call, true);
  }

  /** Asks several times, where the service returned what it had lacked. */
  async #ask(
    wanted: readonly { readonly id: string; readonly at: number }[],
    call: SyncCall,
    hasTurn: boolean,
  ): Promise<Failure | null> {
    const { store, serverNow } = this.#account;
    const lists = this.#lists;
    const { bounds } = this.#ledger();
    if (bounds === null || wanted.length === 0) return null;
    const ticks = wanted.map(({ at }) => tickOf(at, bounds.unit));
    const span = { from: Math.min(...ticks), to: Math.max(...ticks) + 1 };
    const params = boundsOf(bounds, span.from, span.to);
    const ids = wanted.map(({ id }) => id);
    for (let left = this.isDoubted ? doubtedAnswers : 1; ; left -= 1) {
      const pages = await (hasTurn ? lists.read(params, call, {}) : lists.peek(params, call));
      hasTurn = false;
      if (!pages.ok && !isRefusal(pages.failure)) return pages.failure;
      const isGood = pages.ok && this.#provesAbsence(pages.value, span);
      if (isGood && left > 1) continue;
      if (pages.ok && pages.value.isBlank) this.absences.lackedByOwn(ids, serverNow());
      const marks = this.absences.answered(ids, isGood, serverNow());
      if (marks.length > 0) await store.applyRows({ upserts: [], removals: [], marks });
      return null;
    }
  }

  /** Whether an incident of a window's time that is not in its answer is not among what the service returns. */
  #provesAbsence({ rows, unreadableCount, cut, isBlank }: ListPages, span: Span): boolean {
    const { bounds, pages } = this.#ledger();
    // Where answers were cut below every limit, so may this one be before the incident.
    const isFull = rows.length >= (pages.strict ? 1 : (this.#lists.limit ?? Infinity));
    const isWhole = !cut && !isBlank && unreadableCount === 0 && !isFull;
    return isWhole && bounds !== null && areInside(rows, span, bounds);
  }
}
