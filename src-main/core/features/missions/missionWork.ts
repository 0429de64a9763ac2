import type {
  Decided,
  Failure,
  Mission,
  MissionDecision,
  Result,
  ShownField,
} from '../../../../src-preload/contract/index.ts';
import { parsedJson } from '../../base/json.ts';
import { decidedOf, type DecisionRecord } from './decisionRecord.ts';
import type { Decisions } from './decisions.ts';
import { MissionBoard, type KnownMission } from './missionBoard.ts';
import { isStateField, stateWord } from './stateWords.ts';

/** A running request. */
interface Running {
  readonly decision: MissionDecision;
  readonly answer: Promise<Result<Decided>>;
}

/** The known missions, and the running requests. */
export class MissionWork {
  readonly board = new MissionBoard();
  readonly running = new Map<string, Running>();
  /** Why the account may not decide on a mission, until the next token. */
  readonly notGranted = new Map<string, Failure>();
  /** States that events named during a request. */
  readonly heard = new Map<string, MissionDecision>();
  /** Null until the stored records are read, and when they cannot be: then `problem` says why. */
  decisions: Decisions | null = null;
  problem: Failure | null = null;
  readonly #checkable: boolean;
  readonly #work = new Set<Promise<unknown>>();

  constructor(options: { readonly checkable: boolean }) {
    this.#checkable = options.checkable;
  }

  /** Makes the end of the account wait for `work`, which uses the stored data. */
  track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
    return tracked;
  }

  /** Resolves when nothing uses the records. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.running.values()].map(({ answer }) => answer));
    await Promise.allSettled(this.#work);
    await this.decisions?.repository.settled();
    await this.decisions?.audit.settled();
  }

  /** Whether a mission stays listed because of a decision on it. */
  keeps(id: string): boolean {
    return this.running.has(id) || (this.decisions?.repository.records.has(id) ?? false);
  }

  decided(record: DecisionRecord): Decided {
    return decidedOf(record, {
      now: this.decisions?.decider.serviceNow ?? null,
      checkable: this.#checkable,
    });
  }

  /** How a mission stands: a decision is settled by what the service said of it, and only then. */
  stateOf(id: string): Mission['state'] {
    const record = this.decisions?.repository.records.get(id);
    switch (record?.outcome) {
      case 'done':
        return record.decision;
      case 'no-longer-listed':
        return 'gone';
      case 'conflict': {
        const state = record.found?.state ?? 'pending';
        return state === 'gone' && this.board.listed(id) === 'pending' ? 'pending' : state;
      }
      case 'sending':
      case 'unknown':
      case 'not-sent':
      case 'refused':
      case undefined:
        return 'pending';
    }
  }

  /** Why a mission that another operator settled cannot be decided on; null where nothing says so. */
  settledBy(id: string): Failure | null {
    const record = this.decisions?.repository.records.get(id);
    return record?.outcome === 'conflict' && this.stateOf(id) !== 'pending' ? record.failure : null;
  }

  /** The known missions, and those that are known only because of a decision on them. */
  missions(): Mission[] {
    const records = this.decisions?.repository.records ?? new Map<string, DecisionRecord>();
    const mission = (known: KnownMission): Mission => {
      const { id } = known;
      const record = records.get(id);
      const decided = record === undefined ? null : this.decided(record);
      const state = this.stateOf(id);
      const fields = settledFields(known.fields, state, record?.found?.word ?? null);
      return { ...known, fields, state, notGranted: this.notGranted.get(id) ?? null, decided };
    };
    const known = [...this.board.known.values()].map(mission);
    const others = [...records.values()].filter(({ missionId }) => !this.board.known.has(missionId));
    return known.concat(
      others.map(({ missionId, at }) =>
        mission({ id: missionId, source: 'typed', seenAt: at, requestedAt: null, fields: [] }),
      ),
    );
  }
}

const settledWords = { approve: 'approved', reject: 'rejected' } as const;

/** The listed fields of a mission that stands as `state`: one that names another state is out of date. */
function settledFields(
  fields: readonly ShownField[],
  state: Mission['state'],
  word: string | null,
): ShownField[] {
  if (state === 'pending') return [...fields];
  const now = word ?? (state === 'approve' || state === 'reject' ? settledWords[state] : null);
  return fields.flatMap((field) => {
    const value = parsedJson(field.json);
    const named = isStateField(field.name) && typeof value === 'string' ? stateWord(value) : null;
    if (named === null || named === state) return [field];
    return now === null ? [] : [{ ...field, json: JSON.stringify(now) }];
  });
}
