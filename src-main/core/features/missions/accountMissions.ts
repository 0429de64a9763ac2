import type {
  Decided,
  Failure,
  Mission,
  MissionDecision,
  Result,
} from '../../../../src-preload/contract/index.ts';
import type { ListPoller } from '../../service/listPoller.ts';
import { decidedOf, type DecisionRecord } from './decisionRecord.ts';
import type { Decisions } from './decisions.ts';
import { MissionBoard, type KnownMission } from './missionBoard.ts';

/** A request under way. */
interface Running {
  readonly decision: MissionDecision;
  readonly answer: Promise<Result<Decided>>;
}

/** The work on missions from the opening of a vault to its close. */
export class AccountMissions {
  readonly board = new MissionBoard();
  readonly ending = new AbortController();
  readonly running = new Map<string, Running>();
  /** Why the account may not decide on a mission, until the next token. */
  readonly notGranted = new Map<string, Failure>();
  /** What events named while a request was under way. */
  readonly heard = new Map<string, MissionDecision>();
  /** Null without a configured list. */
  poller: ListPoller | null = null;
  decisions: Decisions | null = null;
  /** Why there is no office. */
  problem: Failure | null = null;
  lastReadAt: number | null = null;
  cancelTell: (() => void) | null = null;
  readonly #checkable: boolean;
  readonly #work = new Set<Promise<unknown>>();

  constructor(options: { readonly checkable: boolean }) {
    this.#checkable = options.checkable;
  }

  /** Lets the end wait for `work`, which uses what is kept. */
  track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
    return tracked;
  }

  /** Answers when nothing uses what is kept any more. */
  async end(): Promise<void> {
    this.ending.abort();
    this.cancelTell?.();
    await this.poller?.stop();
    await Promise.allSettled([...this.running.values()].map(({ answer }) => answer));
    await Promise.allSettled(this.#work);
    await this.decisions?.repository.settled();
    await this.decisions?.audit.settled();
  }

  /** Whether a mission stays listed for what was decided on it. */
  keeps(id: string): boolean {
    return this.running.has(id) || (this.decisions?.repository.records.has(id) ?? false);
  }

  decided(record: DecisionRecord): Decided {
    return decidedOf(record, {
      now: this.decisions?.decider.serviceNow ?? null,
      checkable: this.#checkable,
    });
  }

  /** Those known, and those that are known only for what was decided on them. */
  missions(): Mission[] {
    const records = this.decisions?.repository.records ?? new Map<string, DecisionRecord>();
    const mission = ({ id, source, seenAt, fields }: KnownMission): Mission => {
      const record = records.get(id);
      const decided = record === undefined ? null : this.decided(record);
      return { id, source, seenAt, fields, notGranted: this.notGranted.get(id) ?? null, decided };
    };
    const known = [...this.board.known.values()].map(mission);
    const others = [...records.values()].filter(({ missionId }) => !this.board.known.has(missionId));
    return known.concat(
      others.map(({ missionId, at }) => mission({ id: missionId, source: 'typed', seenAt: at, fields: [] })),
    );
  }
}
