import { z } from 'zod';
import {
  pageFactsSchema,
  selfTestStepSchema,
  type SelfTestStep,
} from '../../../src-preload/contract/index.ts';
import type { ConsoleState } from '../../../src-preload/contract/index.ts';
import type { ShownDesktop } from './attachment.ts';

/** How long the page and its map may take, and how often they are looked at, in milliseconds. */
const patienceMs = 60_000;
const lookEveryMs = 250;

/** What `--self-test` prints, as one line of JSON. */
export interface SelfTestReport {
  readonly passed: boolean;
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly steps: readonly SelfTestStep[];
}

const lookSchema = z.strictObject({
  facts: pageFactsSchema,
  /** Whether the page was given its functions by the preload. */
  bridge: z.boolean(),
  map: z.string().nullable(),
});
type Look = z.infer<typeof lookSchema>;

/** Runs in the page; it changes nothing there. */
const look = `(() => {
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

/**
 * Proves an installed console without an operator: its page, its preload, its workers and its store,
 * and a map drawn after a sign-in to training. Never rejects; takes at most a few minutes.
 */
export async function runSelfTest(
  shown: Pick<ShownDesktop, 'window' | 'console' | 'clock' | 'platform'>,
  version: string,
): Promise<SelfTestReport> {
  const { window, console, clock, platform } = shown;
  const steps: SelfTestStep[] = [];
  const step = async (id: string, name: string, run: () => Promise<string>): Promise<void> => {
    const from = clock.elapsed();
    const { outcome, detail } = await run().then(
      (seen) => ({ outcome: 'passed' as const, detail: seen }),
      (error: unknown) => ({ outcome: 'failed' as const, detail: String(error).replace(/^Error: /, '') }),
    );
    steps.push({
      id,
      name,
      outcome,
      detail: detail.slice(0, 512),
      phrases: { name: null, detail: null },
      milliseconds: Math.round(clock.elapsed() - from),
    });
  };
  const pause = (): Promise<null> => new Promise((done) => clock.schedule(lookEveryMs, () => done(null)));
  // A page that never finishes loading never answers: one question waits, and the time goes on without it.
  let asked: Promise<unknown> | null = null;
  const ask = (): Promise<unknown> => {
    asked ??= window.webContents
      .executeJavaScript(look)
      .catch(() => null)
      .finally(() => (asked = null));
    return Promise.race([asked, pause()]);
  };
  const until = async (fits: (seen: Look) => boolean, otherwise: string): Promise<Look> => {
    for (const from = clock.elapsed(); clock.elapsed() - from < patienceMs; await pause()) {
      const seen = lookSchema.safeParse(await ask());
      if (seen.success && fits(seen.data)) return seen.data;
    }
    throw new Error(otherwise);
  };

  let page: Look | null = null;
  await step('page', 'The page is loaded', async () => {
    page = await until(() => true, 'The page did not answer.');
    return page.facts.userAgent;
  });
  await step('bridge', 'The page reaches the console', async () => {
    await until(({ bridge }) => bridge, 'The page was not given its functions.');
    return 'The functions of the preload are there.';
  });
  await step('sign-in', 'Training can be signed in to', async () => {
    const training = trainingOf(console);
    if (training === null) throw new Error('This start has no training service.');
    const { username, password } = training.credentials;
    const signedIn = await console.call('signIn', { username, password });
    if (!signedIn.ok) throw new Error(signedIn.failure.sentence);
    return 'The service of the training deployment took it.';
  });
  await step('map', 'The map is drawn', async () => {
    await until(({ map }) => map === 'ready', 'The map was not drawn.');
    return 'The map is ready.';
  });
  steps.push(...(await ownSteps(console, page)));
  return { passed: steps.every(({ outcome }) => outcome !== 'failed'), version, platform, steps };
}

/** What the console finds out about itself: workers, store, keys. */
async function ownSteps(
  console: Pick<ShownDesktop['console'], 'call'>,
  page: Look | null,
): Promise<SelfTestStep[]> {
  const failed = (detail: string): SelfTestStep[] => [
    {
      ...{ id: 'console', name: 'The console tests itself', outcome: 'failed', detail, milliseconds: 0 },
      phrases: { name: null, detail: null },
    },
  ];
  if (page === null) return failed('Not begun: there is no page.');
  const answer = await console.call('runSelfTest', { page: page.facts });
  if (!answer.ok) return failed(answer.failure.sentence);
  const read = z.strictObject({ steps: z.array(selfTestStepSchema) }).safeParse(answer.value);
  return read.success ? read.data.steps : failed('Its answer cannot be read.');
}

function trainingOf(console: Pick<ShownDesktop['console'], 'watch'>): ConsoleState['training'] {
  let training: ConsoleState['training'] = null;
  console.watch('training', (value) => (training = value))();
  return training;
}
