import { z } from 'zod';
import {
  pageFactsSchema,
  selfTestStepSchema,
  type ConsoleState,
  type SelfTestStep,
} from '../../../../src-preload/contract/index.ts';
import { textOf } from '../../../core/base/errors.ts';
import { english } from '../../../core/base/messages/message.ts';
import type { ShownDesktop } from '../attachment.ts';
import { watchPage } from './pageWatch.ts';

/** A step of the self-test in the output: in English, for support and for programs. */
export type PrintedStep = Omit<SelfTestStep, 'name' | 'detail'> & {
  readonly name: string;
  readonly detail: string;
};

/** The output of `--self-test`, one line of JSON. */
export interface SelfTestReport {
  readonly passed: boolean;
  readonly version: string;
  readonly platform: NodeJS.Platform;
  /** The console's runtime, from `process.versions`. */
  readonly versions: Readonly<Record<'electron' | 'chrome' | 'node', string | null>>;
  readonly steps: readonly PrintedStep[];
}

const lookSchema = z.strictObject({
  facts: pageFactsSchema,
  /** Whether the preload gave the page its functions. */
  bridge: z.boolean(),
  map: z.string().nullable(),
});
type Look = z.infer<typeof lookSchema>;

/** Runs in the page and changes nothing there. */
const lookScript = `(() => {
  const gl = document.createElement('canvas').getContext('webgl2');
  const bridge = globalThis.fieldConsole;
  return {
    facts: {
      userAgent: navigator.userAgent.slice(0, 512),
      webgl: gl === null ? null : String(gl.getParameter(gl.VERSION)).slice(0, 256),
      language: navigator.language,
      pixelRatio: devicePixelRatio,
      size: innerWidth + 'x' + innerHeight,
    },
    bridge: typeof bridge === 'object' && typeof bridge.verbs.runSelfTest === 'function',
    map: document.querySelector('[data-map-state]')?.getAttribute('data-map-state') ?? null,
  };
})()`;
const look = { script: lookScript, answer: lookSchema };

/**
 * Tests an installed console without an operator: its page, its preload, its workers and its store, and a map that is
 * drawn after a sign-in to training. Never rejects. Takes at most a few minutes. `onStep` hears of each step as it
 * comes, for a report of a process that dies in the next one.
 */
export async function runSelfTest(
  shown: Pick<ShownDesktop, 'window' | 'console' | 'clock' | 'platform'>,
  version: string,
  versions: Readonly<Record<string, string | undefined>>,
  onStep: (step: PrintedStep) => void = () => undefined,
): Promise<SelfTestReport> {
  const { window, console, clock, platform } = shown;
  const watch = watchPage(window, clock);
  const training = trainingOf(console);
  const steps: PrintedStep[] = [];
  const add = (step: PrintedStep): void => {
    steps.push(step);
    onStep(step);
  };
  const take = async (id: string, name: string, run: () => Promise<string>): Promise<void> => {
    const from = clock.elapsed();
    const seen = await run().then(
      (detail) => ({ outcome: 'passed' as const, detail }),
      (error: unknown) => ({ outcome: 'failed' as const, detail: textOf(error).slice(0, 512) }),
    );
    add({ id, name, ...seen, milliseconds: Math.round(clock.elapsed() - from) });
  };

  let page: Look | null = null;
  await take('page', 'The page is loaded', async () => {
    page = await watch.until(look, () => true, 'The page did not answer.');
    return page.facts.userAgent;
  });
  await take('bridge', 'The page reaches the console', async () => {
    await watch.until(look, ({ bridge }) => bridge, 'The page was not given its functions.');
    return 'The functions of the preload are there.';
  });
  await take('sign-in', 'Training can be signed in to', async () => {
    if (training === null) throw new Error('This start has no training service.');
    const { username, password } = training.credentials;
    const signedIn = await console.call('signIn', { username, password });
    if (!signedIn.ok) throw new Error(english(signedIn.failure.sentence));
    return 'The service of the training deployment took it.';
  });
  await take('map', 'The map is drawn', async () => {
    await watch.until(look, ({ map }) => map === 'ready', 'The map was not drawn.');
    return 'The map is ready.';
  });
  for (const step of await ownSteps(console, page)) add(step);
  return {
    passed: steps.every(({ outcome }) => outcome !== 'failed'),
    version,
    platform,
    versions: {
      electron: versions['electron'] ?? null,
      chrome: versions['chrome'] ?? null,
      node: versions['node'] ?? null,
    },
    steps,
  };
}

/** The checks of the console itself: workers, store, keys. */
async function ownSteps(
  console: Pick<ShownDesktop['console'], 'call'>,
  page: Look | null,
): Promise<PrintedStep[]> {
  const failed = (detail: string): PrintedStep[] => [
    { id: 'console', name: 'The console tests itself', outcome: 'failed', detail, milliseconds: 0 },
  ];
  if (page === null) return failed('Not begun: there is no page.');
  const answer = await console.call('runSelfTest', { page: page.facts });
  if (!answer.ok) return failed(english(answer.failure.sentence));
  const read = z.strictObject({ steps: z.array(selfTestStepSchema) }).safeParse(answer.value);
  if (!read.success) return failed('Its answer cannot be read.');
  return read.data.steps.map((step) => ({
    ...step,
    name: english(step.name),
    detail: english(step.detail),
  }));
}

function trainingOf(console: Pick<ShownDesktop['console'], 'watch'>): ConsoleState['training'] {
  let training: ConsoleState['training'] = null;
  console.watch('training', (value) => (training = value))();
  return training;
}
