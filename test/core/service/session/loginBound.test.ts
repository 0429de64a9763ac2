import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { createServerTime } from '../../../../src-main/core/base/serverTime.ts';
import type { LoginOutcome } from '../../../../src-main/core/service/session/loginOutcome.ts';
import { OperatorSession } from '../../../../src-main/core/service/session/operatorSession.ts';
import { smallAnswer } from '../../../../src-main/core/service/transport/answerBounds.ts';
import { authorize } from '../../../../src-main/core/service/transport/authorize.ts';
import { LargeAnswerPermit } from '../../../../src-main/core/service/transport/largeAnswers.ts';
import { createRefusals } from '../../../../src-main/core/service/transport/refusals.ts';
import type { Answer, ApiRequest } from '../../../../src-main/core/service/transport/request.ts';
import { createMemoryVault } from '../../../../src-main/core/vault/memoryVault.ts';
import { failed, ok, type Result } from '../../../../src-preload/contract/index.ts';
import { createTestPorts } from '../../../support/ports.ts';
import { createTestGuesses } from '../transport/service.ts';

const hour = 3_600_000;
const hours = 2;

/** How the service answers one operation, whatever the others get. */
const manners = [
  'accepts',
  'refuses',
  'forbids',
  'fails',
  'unreachable',
  /** The first request with a token only: every login seems to help. */
  'accepts once',
  /** Every request with a token but the first: every login seems futile. */
  'refuses once',
  /** As the last login was long enough ago for the next one to be sent at once. */
  'accepts for a while',
  /** Refuses tokens that another operation was answered with. */
  'refuses what others use',
  /** Turns round at every third request. */
  'changes its mind',
] as const;
type Formats = (typeof manners)[number];

interface Operation {
  readonly mode: Formats;
  /** It is asked so often, and answered so late, milliseconds. */
  readonly everyMs: number;
  readonly latencyMs: number;
}

interface Story {
  readonly operations: readonly Operation[];
  /** Of the tokens in turn, as the service says, seconds. */
  readonly lifetimes: readonly number[];
  /** Which of the logins in turn are answered. */
  readonly answered: readonly boolean[];
  /** The computer's clock is set, or the computer wakes, so often; null for never. */
  readonly disturbedEveryMs: number | null;
}

interface Login {
  readonly elapsed: number;
  readonly granted: boolean;
}

/** Lets hours go by in a story: every login that the session sends after the sign-in. */
async function loginsOf({ operations, lifetimes, answered, disturbedEveryMs }: Story): Promise<Login[]> {
  const ports = createTestPorts();
  const { clock } = ports;
  const serverTime = createServerTime({ clock });
  const logins: Login[] = [];
  let sent = 0;

  const login = (): Promise<LoginOutcome> => {
    const nth = sent;
    sent += 1;
    const granted = nth === 0 || (answered[nth % answered.length] ?? true);
    if (nth > 0) logins.push({ elapsed: clock.elapsed(), granted });
    if (!granted) {
      const failure = makeFailure({ code: 'timed-out', at: serverTime.serverNow() });
      return Promise.resolve({ kind: 'unanswered', failure });
    }
    const lifetimeMs = (lifetimes[nth % lifetimes.length] ?? 3_600) * 1_000;
    const expiresAt = serverTime.serverNow() + lifetimeMs;
    return Promise.resolve({
      kind: 'granted',
      token: String(nth),
      expiresAt,
      lifetimeMs,
      atElapsed: clock.elapsed(),
    });
  };
  const session = new OperatorSession({
    ...ports,
    serverTime,
    login,
    vaultFor: () => createMemoryVault(ports),
    guesses: createTestGuesses(ports),
    forgetAfterMs: 8 * hour,
  });

  const asked = new Map<string, number>();
  const users = new Map<string, number>();
  const tokenSince = new Map<string, number>();
  const statusOf = (at: number, mode: Formats, token: string): number | null => {
    const key = `${String(at)} ${token}`;
    const before = asked.get(key) ?? 0;
    asked.set(key, before + 1);
    if (!tokenSince.has(token)) tokenSince.set(token, clock.elapsed());
    const user = users.get(token) ?? at;
    users.set(token, user);
    switch (mode) {
      case 'accepts':
        return 200;
      case 'refuses':
        return 401;
      case 'forbids':
        return 403;
      case 'fails':
        return 503;
      case 'unreachable':
        return null;
      case 'accepts once':
        return before === 0 ? 200 : 401;
      case 'refuses once':
        return before === 0 ? 401 : 200;
      case 'accepts for a while':
        return clock.elapsed() - (tokenSince.get(token) ?? 0) < 600_000 ? 200 : 401;
      case 'refuses what others use':
        return user === at ? 200 : 401;
      case 'changes its mind':
        return Math.floor(before / 3) % 2 === 0 ? 200 : 401;
    }
  };

  const intercept = authorize({ tokens: session.tokens, refusals: createRefusals({ clock }), serverTime });
  const send = (at: number, { mode, latencyMs }: Operation): Promise<Result<Answer>> =>
    intercept(requestOf(`operation-${String(at)}`), async ({ headers }) => {
      const status = statusOf(at, mode, headers['authorization'] ?? '');
      await new Promise<void>((resolve) => clock.schedule(latencyMs, resolve));
      if (status === null) {
        session.linkLost();
        return failed(makeFailure({ code: 'unreachable', at: 0 }));
      }
      session.linkReturned();
      return ok(answerOf(status));
    });

  await session.signIn('operator', 'correct horse');
  const poll = (at: number, operation: Operation): void => {
    void send(at, operation);
    clock.schedule(operation.everyMs, () => poll(at, operation));
  };
  operations.forEach((operation, at) => poll(at, operation));
  const keepFresh = (): void => {
    session.keepFresh();
    clock.schedule(10_000, keepFresh);
  };
  keepFresh();
  const disturb = (everyMs: number): void => {
    serverTime.wake();
    session.wake();
    clock.schedule(everyMs, () => disturb(everyMs));
  };
  if (disturbedEveryMs !== null) disturb(disturbedEveryMs);

  const end = clock.elapsed() + hours * hour;
  // Nothing but promises is between two timers here, so one turn of the event loop is enough.
  while (clock.runNext(end)) await new Promise<void>((resolve) => setImmediate(resolve));
  session.close();
  return logins;
}

const requestOf = (operation: string): ApiRequest => ({
  api: 'infrastructure',
  operation,
  resource: '',
  method: 'GET',
  path: '/',
  query: {},
  headers: {},
  body: null,
  isUrgent: false,
  authorization: 'required',
  backoff: 'answer',
  bounds: smallAnswer,
  permit: new LargeAnswerPermit(),
  enterLarge: () => Promise.resolve(),
  onSent: null,
  keepsCut: false,
  onProgress: null,
  onRefusal: null,
  retries: false,
  interactive: false,
  // An operator who checks again and again is let through to the service, and must not cost a login each time.
  recheck: true,
  signal: new AbortController().signal,
  memory: { attempts: 1, renewed: false, isAnswering: false, deadlineElapsed: Number.POSITIVE_INFINITY },
});

const answerOf = (status: number): Answer => ({
  status,
  headers: {},
  body: null,
  cut: null,
  requestId: null,
  sentElapsed: 0,
  isUnchanged: false,
  bytes: 0,
  headElapsed: 0,
  responseMs: 0,
});

/** The most logins in any hour. */
function mostInAnHour(logins: readonly Login[]): number {
  return Math.max(
    0,
    ...logins.map(
      ({ elapsed }, from) => logins.slice(from).filter((login) => login.elapsed - elapsed < hour).length,
    ),
  );
}

const operation = (mode: fc.Arbitrary<Formats>): fc.Arbitrary<Operation> =>
  fc.record({
    mode,
    everyMs: fc.integer({ min: 2_000, max: 120_000 }),
    latencyMs: fc.constantFrom(0, 0, 100, 5_000, 90_000),
  });
const operations = (mode: fc.Arbitrary<Formats>): fc.Arbitrary<Operation[]> =>
  fc.array(operation(mode), { minLength: 1, maxLength: 9 });
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(value, { minLength: 1, maxLength: 6 });

const calm = { lifetimes: [3_600], answered: [true], disturbedEveryMs: null };
const runs = { numRuns: 15 };

it('where every operation is refused, logins stay below five an hour, however many operations there are', async () => {
  await fc.assert(
    fc.asyncProperty(operations(fc.constant('refuses')), async (refused) => {
      const logins = await loginsOf({ ...calm, operations: refused });
      expect(logins.length).toBeGreaterThan(0);
      expect(mostInAnHour(logins)).toBeLessThanOrEqual(4);
    }),
    runs,
  );
});

it('whatever the service answers to any mix of operations, logins stay below thirteen an hour', async () => {
  await fc.assert(
    fc.asyncProperty(operations(fc.constantFrom(...manners)), async (mixed) => {
      // 4 at once and 6 more by 401, and 2 because the tokens live an hour.
      expect(mostInAnHour(await loginsOf({ ...calm, operations: mixed }))).toBeLessThanOrEqual(12);
    }),
    runs,
  );
});

it('whatever lifetimes it states, and however often the clock jumps, one login a minute and 20 more are the most', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        operations: operations(fc.constantFrom(...manners)),
        lifetimes: some(fc.constantFrom(-100, 0.5, 1, 5, 30, 59, 62, 65, 90, 600, 3_600, 90_000)),
        answered: fc.constant([true]),
        disturbedEveryMs: fc.option(fc.integer({ min: 3_000, max: hour })),
      }),
      async (story) => {
        expect(mostInAnHour(await loginsOf(story))).toBeLessThanOrEqual(80);
      },
    ),
    runs,
  );
});

it('logins that get no answer keep to their backoff, whatever else is answered or lost', async () => {
  await fc.assert(
    fc.asyncProperty(operations(fc.constantFrom(...manners)), some(fc.boolean()), async (mixed, answered) => {
      const logins = await loginsOf({ ...calm, operations: mixed, answered: [...answered, false] });
      // In the worst case every third is granted, so that the backoff begins with 1 s again.
      expect(mostInAnHour(logins.filter(({ granted }) => granted))).toBeLessThanOrEqual(12);
      const unanswered = await loginsOf({ ...calm, operations: mixed, answered: [false] });
      expect(mostInAnHour(unanswered)).toBeLessThanOrEqual(250);
    }),
    runs,
  );
});
