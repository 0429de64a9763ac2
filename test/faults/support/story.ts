import type { Seeded } from '../../../src-main/training/seeded.ts';
import { troubles, type Trouble } from './troubles.ts';
import type { Watch } from './watch.ts';

export interface Story {
  /** Troubles driven, by name. */
  readonly driven: ReadonlyMap<string, number>;
  /** Calm after trouble: how often, and the longest time to consistency, milliseconds. */
  readonly calms: number;
  /** Of those calms before which nothing was turned whose return takes an hour by design, and of the others. */
  readonly longestReturnMs: number;
  readonly longestSlowReturnMs: number;
}

const minute = 60_000;
/**
 * A withdrawn scope is asked for again with the next token, and a service that did not follow time
 * windows is believed so for an hour.
 */
const slowKnobs: ReadonlySet<string> = new Set(['incidentScope', 'timestampUnit']);
const mostReturnMs = 130 * minute;
const spans = [15_000, minute, 4 * minute, 12 * minute] as const;
const longSpan = 45 * minute;

/**
 * Lets `ms` of virtual time go by, sleep not counted, with troubles in random order, up to a handful at once, and now and
 * then a calm in which the console must become consistent with the service. It ends with such a calm.
 *
 * With `each`, it lasts until every trouble has come as often as the others.
 *
 * Nobody does anything at the console, but that an operator signs in again when a revoked account
 * works again: the service judged the credentials, and nothing but a sign-in may leave that state.
 */
export async function tellStory(
  watch: Watch,
  draw: Seeded,
  ms: number,
  { each = true }: { readonly each?: boolean } = {},
): Promise<Story> {
  const { scene, world } = watch;
  const { clock } = scene;
  const driven = new Map<string, number>();
  const running = new Map<Trouble, { readonly until: number; readonly stop: () => Promise<void> }>();
  let waiting: Trouble[] = [];
  let calms = 0;
  let longestReturnMs = 0;
  let longestSlowReturnMs = 0;
  let slow = false;
  let wasRevoked = false;
  const told: string[] = [];
  const tell = (words: string): void => void told.push(`${(clock.elapsed() / minute).toFixed(3)} ${words}`);

  /** Every trouble comes once before any comes again. */
  function take(): Trouble | undefined {
    if (waiting.length === 0) waiting = shuffled(troubles, draw);
    const knobs = new Set([...running.keys()].map(({ knob }) => knob));
    const at = waiting.findIndex(({ knob }) => !knobs.has(knob));
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  }

  async function begin(trouble: Trouble): Promise<void> {
    tell(`${trouble.name} begins`);
    wasRevoked ||= trouble.knob === 'accountRevoked';
    slow ||= slowKnobs.has(trouble.knob);
    driven.set(trouble.name, (driven.get(trouble.name) ?? 0) + 1);
    const span = draw.below(10) === 0 ? longSpan : draw.pick(spans);
    const stop = await trouble.begin(scene, draw);
    running.set(trouble, { until: clock.elapsed() + span * (0.5 + draw.next()), stop });
  }

  async function pass(duration: number): Promise<void> {
    const end = clock.elapsed() + duration;
    for (;;) {
      const [next] = [...running].sort((a, b) => a[1].until - b[1].until);
      const until = Math.min(end, next?.[1].until ?? end);
      if (until > clock.elapsed()) await world.advance(until - clock.elapsed());
      // A sleep may have gone past the end.
      if (!next || next[1].until > clock.elapsed()) {
        if (clock.elapsed() >= end) return;
        continue;
      }
      running.delete(next[0]);
      tell(`${next[0].name} ends`);
      await next[1].stop();
      await world.settle();
    }
  }

  /** Only a revoked account may end a session: whatever else asks for an operator is a fault. */
  async function signInIfRevoked(): Promise<void> {
    if ([...running.keys()].some(({ knob }) => knob === 'accountRevoked')) return;
    if (!(await watch.signInIfEnded())) wasRevoked = false;
    else if (wasRevoked) tell('the operator signs in');
    else throw new Error('The session ended although no account was revoked');
  }

  async function calm(): Promise<void> {
    const left = Math.max(0, ...[...running.values()].map(({ until }) => until - clock.elapsed()));
    await pass(left);
    await signInIfRevoked();
    const { ms: took, last } = await watch.untilConsistent(mostReturnMs);
    if (slow) longestSlowReturnMs = Math.max(longestSlowReturnMs, took);
    else longestReturnMs = Math.max(longestReturnMs, took);
    slow = false;
    calms += 1;
    tell(`consistent after ${String(took / 1000)} s${last === null ? '' : `, at last: ${last}`}`);
    await watch.expectQuietMinutes();
  }

  async function run(): Promise<void> {
    const end = watch.awake() + ms;
    while (watch.awake() < end || (each && waiting.length > 0) || calms === 0) {
      await pass(draw.wait(3 * minute));
      await signInIfRevoked();
      if (draw.below(12) === 0) await calm();
      const trouble = take();
      if (trouble) await begin(trouble);
    }
    await calm();
  }

  try {
    await run();
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const story = told.slice(-40).join('\n  ');
    throw new Error(`${said}\nWhat happened, by the minute:\n  ${story}`, { cause: error });
  }
  return { driven, calms, longestReturnMs, longestSlowReturnMs };
}

function shuffled<T>(values: readonly T[], draw: Seeded): T[] {
  const left = [...values];
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = draw.below(at + 1);
    const [a, b] = [left[at], left[other]];
    if (a === undefined || b === undefined) continue;
    left[at] = b;
    left[other] = a;
  }
  return left;
}
