import { createHash } from 'node:crypto';
import type { App } from '../../../src-main/core/scopes/app.ts';
import { createApp } from '../../../src-main/core/scopes/index.ts';
import { startTraining, type TrainingServer } from '../../support/training/index.ts';
import type { Seeded } from '../../../src-main/training/seeded.ts';
import type { ConsoleState } from '../../../src-preload/contract/index.ts';
import { consoleOptions } from '../../support/console.ts';
import { syntheticIncidents } from '../../support/dataset.ts';
import { createSeededRandom, createTestPorts } from '../../support/ports.ts';
import { createVirtualWorld, type VirtualWorld } from '../../support/virtualWorld.ts';
import { Page } from './page.ts';
import { calmSwitches, type Scene } from './troubles.ts';
import { said } from '../../support/messages.ts';

/** A console and a training service on one virtual clock, watched for what must never happen. */
export interface Watch {
  readonly scene: Scene;
  readonly world: VirtualWorld;
  readonly page: Page;
  readonly counts: WatchCounts;
  /** Of every request with its time: equal for two runs of the same seed. */
  digest(): string;
  /** The operator's one deed: signs in where no session is. True when it was needed. */
  signInIfEnded(): Promise<boolean>;
  /** What the page shows that the service does not say, or null when there is nothing. */
  difference(): string | null;
  /** Milliseconds gone by without those that the machine slept. */
  awake(): number;
  /** Lets time pass until there is no difference; how long, and what differed last. Throws after `mostMs`. */
  untilConsistent(
    mostMs: number,
    circumstances?: Circumstances,
  ): Promise<{ readonly ms: number; readonly last: string | null }>;
  /** Lets calm minutes go by, in which there must be no more than the usual pace. */
  expectQuietMinutes(): Promise<void>;
  close(): Promise<void>;
}

/** What may last at most a minute of being awake: 45 s are the deadline of an operation. */
const transient = {
  'the sign-in': ({ session }) => session?.session.state === 'signing-in',
  'the renewal of the session': ({ session }) => session?.session.state === 'renewing',
  'the opening of the vault': ({ session }) => session?.vault === 'opening',
  'a health check': ({ health }) => health?.checking === true,
} satisfies Record<string, (slices: Partial<ConsoleState>) => boolean>;

export interface Circumstances {
  /** How far the service's clock is ahead of the computer's, milliseconds; 0 in calm. */
  readonly serviceAheadMs: number;
}

export interface WatchCounts {
  requests: number;
  logins: number;
  signIns: number;
  mostRequestsPerMinute: number;
  mostLoginsPerMinute: number;
  rejections: number;
}

const minute = 60_000;
/** In a minute: two polls every 12 to 18 s, and each window that holds something open every 30 s. */
const mostCalmRequests = (windows: number): number => 15 + 2 * windows;

export async function openWatch(draw: Seeded): Promise<Watch> {
  const ports = createTestPorts({ seed: draw.below(2 ** 32) });
  const { clock } = ports;
  const start = clock.wallNow() - clock.elapsed();
  const trueWall = (): number => start + clock.elapsed();
  const training = await startTraining({
    clock,
    now: trueWall,
    seed: draw.below(2 ** 32),
    random: createSeededRandom(draw.below(2 ** 32)),
    dataset: syntheticIncidents(240, draw.below(2 ** 31)),
    withoutLocation: 5,
    switches: calmSwitches,
  });

  const counts: WatchCounts = {
    requests: 0,
    logins: 0,
    signIns: 0,
    mostRequestsPerMinute: 0,
    mostLoginsPerMinute: 0,
    rejections: 0,
  };
  let slept = 0;
  const awake = (): number => clock.elapsed() - slept;
  const since = new Map<string, number>();
  const trace = createHash('sha256');
  const lately: { readonly elapsed: number; readonly login: boolean }[] = [];
  let page: Page | null = null;
  const world = createVirtualWorld({
    clock,
    held: () => training.held + training.eventStreams,
    onQuiet: () => {
      for (const [what, lasts] of Object.entries(transient)) {
        if (!lasts(page?.slices ?? {})) since.delete(what);
        else if (!since.has(what)) since.set(what, awake());
        const lasted = awake() - (since.get(what) ?? awake());
        if (lasted > minute) throw new Error(`Stuck: ${what} has lasted over a minute`);
      }
    },
    onSent: ({ elapsed, method, path }) => {
      const login = path === '/login';
      trace.update(`${elapsed.toFixed(3)} ${method} ${path}\n`);
      counts.requests += 1;
      if (login) counts.logins += 1;
      lately.push({ elapsed, login });
      while ((lately[0]?.elapsed ?? elapsed) < elapsed - minute) lately.shift();
      counts.mostRequestsPerMinute = Math.max(counts.mostRequestsPerMinute, lately.length);
      const logins = lately.filter((sent) => sent.login).length;
      counts.mostLoginsPerMinute = Math.max(counts.mostLoginsPerMinute, logins);
    },
  });
  const onRejection = (): void => void (counts.rejections += 1);
  process.on('unhandledRejection', onRejection);

  const console: App = await createApp(
    ports,
    consoleOptions(null, { startTraining: () => Promise.resolve(training), forceTraining: true }),
  );
  page = new Page(console);
  const shown = page;
  await world.advance(minute);

  const signInIfEnded = async (): Promise<boolean> => {
    const state = shown.slices.session?.session.state;
    if (state !== 'none' && state !== 'rejected') return false;
    counts.signIns += 1;
    const answer = console.call('signIn', { ...training.credentials });
    await world.advance(minute);
    await answer;
    // What is kept is read from the disk, in real time: the story must not go on before that is done.
    await console.call('readAudit', { from: 0, count: 1 });
    return true;
  };

  return {
    scene: {
      training,
      clock,
      trueWall,
      set: async (change) => {
        const set = await console.call('setTraining', change);
        if (!set.ok) throw new Error(`The switches were not set: ${said(set.failure.sentence)}`);
      },
      refresh: async () => {
        const answer = console.call('refreshIncidents', {});
        await world.advance(minute);
        return answer;
      },
      sleep: (ms, timers) => {
        slept += ms;
        if (timers === 'overdue') clock.sleep(ms);
        else clock.suspend(ms);
      },
      wake: () => console.wake(),
    },
    world,
    page: shown,
    counts,
    awake,
    digest: () => trace.copy().digest('hex').slice(0, 16),
    signInIfEnded,
    difference: () => differenceBetween(shown, training),
    async untilConsistent(mostMs, circumstances) {
      const from = clock.elapsed();
      for (let last: string | null = null; ;) {
        const difference = differenceBetween(shown, training, circumstances);
        if (difference === null) return { ms: clock.elapsed() - from, last };
        if (clock.elapsed() - from > mostMs) {
          throw new Error(`Not consistent after ${String(mostMs / minute)} virtual minutes: ${difference}`);
        }
        last = difference;
        await world.advance(5_000);
      }
    },
    async expectQuietMinutes() {
      const before = { ...counts };
      // What small pages had split is put together in such minutes: the most that there were may be asked for.
      const planned = (): number => shown.slices.sync?.windows.planned ?? 1;
      let windows = planned();
      for (let passed = 0; passed < 3; passed += 1) {
        await world.advance(minute);
        windows = Math.max(windows, planned());
      }
      const requests = counts.requests - before.requests;
      const logins = counts.logins - before.logins;
      if (logins > 1) throw new Error(`${String(logins)} logins in three calm minutes`);
      if (requests > 3 * mostCalmRequests(windows)) {
        throw new Error(`${String(requests)} requests in three calm minutes for ${String(windows)} windows`);
      }
    },
    async close() {
      await console.close();
      await training.close();
      world.close();
      process.off('unhandledRejection', onRejection);
    },
  };
}

function differenceBetween(
  page: Page,
  training: TrainingServer,
  { serviceAheadMs }: Circumstances = { serviceAheadMs: 0 },
): string | null {
  const { session, connection, time, health, incidents, sync } = page.slices as Partial<ConsoleState>;
  const state = session?.session.state;
  if (state !== 'active') return `the session is ${String(state)}`;
  if (session?.vault !== 'open') return `the vault is ${String(session?.vault)}`;
  const link = connection?.infrastructure.state;
  if (link !== 'online') return `the connection is ${String(link)}`;
  // `Date` counts whole seconds.
  if (time?.verified !== true || Math.abs((time.skewMs ?? Infinity) + serviceAheadMs) > 1_500) {
    return `the service's time is off by ${String(time?.skewMs)} ms`;
  }
  if (incidents?.freshness !== 'fresh') return `the incidents are ${String(incidents?.freshness)}`;
  if (incidents.failure) return `the incidents were not read: ${incidents.failure.code}`;
  if (health?.freshness !== 'fresh') return `the health is ${String(health?.freshness)}`;
  if (health.failure) return `the health was not read: ${health.failure.code}`;
  if (sync !== undefined) {
    if (sync.uncertain.count > 0) return `${String(sync.uncertain.count)} windows are uncertain`;
    if (sync.notReturned > 0) return `${String(sync.notReturned)} incidents count as no longer returned`;
  }
  const report = training.health();
  if (health.overall?.text !== report.status) return `the overall health is ${String(health.overall?.text)}`;
  for (const { field, value } of health.integrations) {
    const said = report[field as keyof typeof report];
    const shown = typeof said === 'boolean' ? (said ? 'available' : 'not available') : said;
    if (value !== shown) return `${field} is shown as ${value} and is ${shown}`;
  }
  return differenceOfRows(page, training);
}

function differenceOfRows(page: Page, training: TrainingServer): string | null {
  const shown = page.rows();
  const held = training.incidents();
  for (const [id, { status, evidence_count }] of held) {
    const row = shown.get(id);
    if (!row) return `the incident ${id} is not shown (${String(shown.size)} of ${String(held.size)} are)`;
    if (row.status !== status) return `${id} is shown as ${String(row.status)} and is ${status}`;
    if (row.evidenceCount !== evidence_count) {
      return `${id} is shown with ${String(row.evidenceCount)} pieces of evidence and has ${String(evidence_count)}`;
    }
  }
  const extra = [...shown.keys()].find((id) => !held.has(id));
  return extra === undefined ? null : `the incident ${extra} is shown and not held`;
}
