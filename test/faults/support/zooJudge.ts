import { Oracle, type Exclusion } from '../../support/zoo/oracle.ts';
import type { Traits } from '../../support/zoo/traits.ts';
import { changes, existsSince, type Life } from '../../support/zoo/world.ts';
import { intervalMs, openZooConsole, type ZooConsole } from './zooConsole.ts';

/**
 * How long a word may be false, milliseconds: four polls. What was away for good reason may count as no longer returned
 * for one round over all windows, 40 polls, and four more.
 */
export const mostFalseMs = 4 * intervalMs;
const mostReturnMs = 44 * intervalMs;
/** How long a case lasts, and from when on nothing changes: a round and the proof of what is gone. */
const lastsMs = changes.until + 210_000;
const stepMs = 1_000;
/**
 * How much longer it goes on while something is not known: a window at rest is read every 40 polls, and four whole
 * answers in a row have to lack an incident before a service whose replicas differ is asked for its parts.
 */
const mostLaterMs = 5 * 40 * intervalMs;
/** The span at the end in which requests are counted, milliseconds. */
const calmMs = 20 * intervalMs;

export interface Verdict {
  /** What must not be; empty for a console that was right. */
  readonly faults: readonly string[];
  readonly word: string;
  /** Something was known only later than anything else. */
  readonly isLate: boolean;
  /** Incidents that left for good, and do not count as no longer returned. */
  readonly unmarked: number;
  readonly requests: number;
  /** Requests for one interval, at the end. */
  readonly pace: number;
  readonly excluded: ReadonlyMap<Exclusion, number>;
}

/** Runs a console on a service until all has come to rest, and holds it against the oracle at each second. */
export async function judge(traits: Traits): Promise<Verdict> {
  const console = await openZooConsole(traits);
  try {
    const oracle = new Oracle(traits, console.start);
    const lasting = new Lasting();
    const step = async (): Promise<void> => {
      await console.advance(stepMs);
      lookAtWords(console, oracle, lasting);
    };
    while (console.now() < lastsMs) await step();
    const isLate = missingFaults(console, oracle).length > 0;
    while (missingFaults(console, oracle).length > 0 && console.now() < lastsMs + mostLaterMs) await step();
    const faults = [
      ...lasting.faults(),
      ...(await urgentFaults(console, oracle)),
      ...missingFaults(console, oracle),
      ...paceFaults(console, oracle),
    ];
    const excluded = new Map<Exclusion, number>();
    for (const life of oracle.visible(console.now())) {
      const why = oracle.excluded(life);
      if (why !== null) excluded.set(why, (excluded.get(why) ?? 0) + 1);
    }
    const word = console.store.slice('incidents').completeness;
    const unmarked = oracle
      .removed(console.now())
      .filter(({ id }) => console.store.incidents.stored(id)?.notReturnedSince === null).length;
    return {
      ...{ faults, word, isLate, unmarked },
      ...{ requests: console.lists.length, pace: paceOf(console.lists), excluded },
    };
  } finally {
    await console.close();
  }
}

/** How long each untrue word lasted. */
class Lasting {
  readonly #since = new Map<string, number>();
  readonly #longest = new Map<string, { ms: number; said: string }>();

  /** `untrue`: at time `at`, what is untrue, or null. */
  note(word: string, at: number, untrue: string | null): void {
    if (untrue === null) {
      this.#since.delete(word);
      return;
    }
    const since = this.#since.get(word) ?? at;
    this.#since.set(word, since);
    if (at - since >= (this.#longest.get(word)?.ms ?? 0))
      this.#longest.set(word, { ms: at - since, said: `${untrue} at ${String(at / 1_000)} s` });
  }

  faults(): string[] {
    return [...this.#longest]
      .filter(([, { ms }]) => ms > mostFalseMs)
      .map(([word, { ms, said }]) => `false "${word}" for ${String(ms / 1_000)} s: ${said}`);
  }
}

function lookAtWords(console: ZooConsole, oracle: Oracle, lasting: Lasting): void {
  const { store } = console;
  const at = console.now();
  const visible = oracle.visible(at);
  const { completeAsOf } = store.slice('sync');
  const asOf = Math.min(at, completeAsOf === null ? at : completeAsOf - console.service.epoch);
  const missing =
    store.slice('incidents').completeness === 'complete'
      ? visible.filter(
          (life) =>
            existsSince(life, at) <= asOf && !store.incidents.has(life.id) && !oracle.isUnseeable(life),
        )
      : [];
  lasting.note(
    'complete',
    at,
    missing.length === 0 ? null : `${String(missing.length)} missing, ${examples(missing)}`,
  );
  const marked = visible.filter((life) => isWronglyMarked(console, life, at));
  lasting.note(
    'no longer returned',
    at,
    marked.length === 0 ? null : `${String(marked.length)} are returned, ${examples(marked)}`,
  );
}

function isWronglyMarked({ store }: ZooConsole, life: Life, at: number): boolean {
  if (typeof store.incidents.stored(life.id)?.notReturnedSince !== 'number') return false;
  const wasAway = life.away.some(([leaves, returns]) => leaves <= at && returns - leaves > mostFalseMs);
  return !wasAway || at - existsSince(life, at) > mostReturnMs;
}

/** An open critical incident that any answer had must be a row, and must have alarmed; records without an id too. */
async function urgentFaults({ lists, store, alarmed }: ZooConsole, oracle: Oracle): Promise<string[]> {
  const urgent = new Set<Life>();
  let isNameless = false;
  for (const { at, answer } of lists)
    for (const { id } of answer.lives) {
      const life = oracle.life(id);
      if (life === null || at > lastsMs - mostFalseMs) continue;
      if (oracle.excluded(life) === 'no id') isNameless = true;
      else if (oracle.isUrgent(life, at)) urgent.add(life);
    }
  const named = await alarmed();
  const rowless = [...urgent].filter(({ id }) => !store.incidents.has(id));
  const silent = [...urgent].filter(({ id }) => !named.has(id));
  const { active, past } = store.slice('alarms');
  const kinds: readonly string[] = [...active, ...past].map(({ kind }) => kind);
  return [
    ...(isNameless && !kinds.includes('record') ? ['no alarm of records without an id'] : []),
    ...(rowless.length > 0 ? [`${String(rowless.length)} urgent without a row, ${examples(rowless)}`] : []),
    ...(silent.length > 0 ? [`${String(silent.length)} urgent without an alarm, ${examples(silent)}`] : []),
  ];
}

function missingFaults({ store, now }: ZooConsole, oracle: Oracle): string[] {
  const at = now();
  const missing = oracle
    .visible(at)
    .filter(
      (life) =>
        existsSince(life, at) <= changes.until &&
        oracle.excluded(life) === null &&
        !store.incidents.has(life.id),
    );
  if (missing.length === 0) return [];
  return [
    `${String(missing.length)} of ${String(oracle.visible(at).length)} not known, ${examples(missing)}`,
  ];
}

/** A looping reader uses up the budget; a patient one reads each of the smaller pages about once an interval. */
function paceFaults({ lists }: ZooConsole, oracle: Oracle): string[] {
  const pages = lists.filter(({ answer }) => answer.cut).map(({ answer }) => answer.lives.length);
  const page = pages.sort((a, b) => a - b)[Math.floor(pages.length / 10)] ?? Infinity;
  const most = 12 + 3 * Math.ceil(oracle.visible(lastsMs).length / Math.max(1, page));
  const pace = paceOf(lists);
  return pace > most ? [`${pace.toFixed(1)} requests an interval, of at most ${String(most)}`] : [];
}

/** Requests for one interval, at the end. */
const paceOf = (lists: ZooConsole['lists']): number =>
  lists.filter(({ at }) => at > lastsMs - calmMs && at <= lastsMs).length / (calmMs / intervalMs);

const examples = (lives: readonly Life[]): string =>
  lives
    .slice(0, 2)
    .map(({ id, createdAt }) => `${id} of ${String(Math.round(createdAt / 1_000))} s`)
    .join(', ');
