import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSelfTest, type SelfTestReport } from '../../../src-main/hosts/desktop/selfTest/selfTest.ts';
import { hostFailure } from '../../../src-main/hosts/failures.ts';
import type { Result, SelfTestStep, TrainingSwitches } from '../../../src-preload/contract/index.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';
import { said } from '../../support/messages.ts';

let desktop: DesktopUnderTest;

beforeEach(async () => {
  desktop = await desktopUnderTest();
  const switches = {} as TrainingSwitches;
  desktop.fake.tell('training', { credentials: { username: 'ada', password: 'p' }, switches });
});
afterEach(() => desktop.end());

const page = (change: object = {}) => ({
  facts: { userAgent: 'Fake/1', webgl: null, language: 'en', pixelRatio: 1, size: '1x1' },
  bridge: true,
  map: 'ready',
  ...change,
});
const own: SelfTestStep = {
  id: 'database',
  name: { text: 'SQLite' },
  outcome: 'passed',
  detail: { text: '' },
  milliseconds: 1,
};
const failure = hostFailure('internal', 0);

/** The steps that were told, in their order. */
const told: string[] = [];

/** Runs the self-test while time goes on. */
async function report(
  answers: Record<string, Result<unknown>> = {},
  look: (script: string, drawn: boolean) => unknown = (_script, drawn) => page(drawn ? {} : { map: null }),
): Promise<SelfTestReport> {
  const { fake, clock, electron } = desktop;
  fake.answer = (verb) =>
    Promise.resolve(answers[verb] ?? { ok: true, value: verb === 'runSelfTest' ? { steps: [own] } : null });
  electron.page = look;
  await desktop.run({ selfTest: true });
  desktop.electron.windows[0]?.finishLoad();
  let done: SelfTestReport | null = null;
  told.length = 0;
  const onStep = ({ id }: { id: string }): void => void told.push(id);
  void runSelfTest(desktop.shown(), '1.2.3', { node: '24.1.0' }, onStep).then((made) => (done = made));
  while (done === null) {
    clock.advance(250);
    await new Promise(setImmediate);
  }
  return done;
}

const outcomes = ({ steps }: SelfTestReport): string =>
  steps.map(({ id, outcome }) => `${id} ${outcome}`).join(', ');

describe('the self-test of an installed console', () => {
  it('looks at the page, signs in to training, and asks the console to test itself', async () => {
    const made = await report();
    expect(made).toMatchObject({
      ...{ passed: true, version: '1.2.3', platform: 'linux' },
      versions: { electron: null, chrome: null, node: '24.1.0' },
    });
    expect(outcomes(made)).toBe('page passed, bridge passed, sign-in passed, map passed, database passed');
    expect(told).toEqual(made.steps.map(({ id }) => id));
    expect(desktop.fake.calls).toEqual([
      { verb: 'signIn', request: { username: 'ada', password: 'p' } },
      { verb: 'runSelfTest', request: { page: page().facts } },
    ]);
  });

  it.each([
    ['does not answer', () => null, 'page failed, bridge failed, sign-in passed, map failed, console failed'],
    [
      // As while it is still loading: Electron keeps the script until the load has ended.
      'never finishes loading',
      () => new Promise(() => undefined),
      'page failed, bridge failed, sign-in passed, map failed, console failed',
    ],
    [
      'breaks',
      () => {
        throw new Error('No page');
      },
      'page failed, bridge failed, sign-in passed, map failed, console failed',
    ],
    [
      'has no bridge',
      () => page({ bridge: false }),
      'page passed, bridge failed, sign-in passed, map passed, database passed',
    ],
    [
      'draws no map',
      () => page({ map: 'no-webgl' }),
      'page passed, bridge passed, sign-in passed, map failed, database passed',
    ],
  ])('fails when the page %s', async (_what, look, expected) => {
    const made = await report({}, look);
    expect(made.passed).toBe(false);
    expect(outcomes(made)).toBe(expected);
  });

  it('fails when training is not there or does not take the sign-in', async () => {
    const made = await report({ signIn: { ok: false, failure } });
    expect(made.passed).toBe(false);
    expect(made.steps[2]).toMatchObject({ outcome: 'failed', detail: said(failure.sentence) });
    const other = await desktopUnderTest();
    await desktop.end();
    desktop = other;
    expect((await report()).steps[2]).toMatchObject({
      outcome: 'failed',
      detail: 'This start has no training service.',
    });
  });

  it('fails when the console does not test itself, or answers something else', async () => {
    const refused = await report({ runSelfTest: { ok: false, failure } });
    expect(refused.passed).toBe(false);
    expect(refused.steps.at(-1)).toMatchObject({ id: 'console', detail: said(failure.sentence) });
  });

  it('fails when the console’s answer cannot be read', async () => {
    const odd = await report({ runSelfTest: { ok: true, value: { steps: 'many' } } });
    expect(odd.passed).toBe(false);
    expect(odd.steps.at(-1)).toMatchObject({ id: 'console', outcome: 'failed' });
  });

  it('fails when one of the console’s own steps fails, and passes over what was not run', async () => {
    const failed = await report({
      runSelfTest: { ok: true, value: { steps: [{ ...own, outcome: 'failed' }] } },
    });
    expect(failed.passed).toBe(false);
  });

  it('passes with steps that were not run', async () => {
    const made = await report({
      runSelfTest: { ok: true, value: { steps: [{ ...own, outcome: 'not-run' }] } },
    });
    expect(made.passed).toBe(true);
  });
});
