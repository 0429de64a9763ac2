/**
 * A stage is one console that pictures are taken of: its process, its page, and what an operator does
 * there. It begins where an operator begins, on the embedded training unless a topic brings its own service.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  givePreferences,
  removeFolder,
  serveConsole,
  temporaryFolder,
  writeDeployment,
} from '../../test/e2e/support/launch.ts';
import { Operator } from '../../test/e2e/support/operator.ts';
import { prefer } from '../../test/support/picturePreferences.ts';
import type { Browser, Page } from '@playwright/test';
import type { TrainingServer } from '../../test/support/training/index.ts';
import type { Preferences } from '../../src-preload/contract/index.ts';

export interface Stage {
  readonly page: Page;
  /** For files, removed at the end. */
  readonly folder: string;
  readonly operator: Operator;
  /** What the topic brought; throws where it brought none. */
  readonly service: () => TrainingServer;
  readonly prefer: (change: Partial<Preferences>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Takes the stage to a state; answers with another page to take, or with the picture. */
export type Take = (stage: Stage) => Promise<Page | Buffer | void>;

export interface Topic {
  readonly name: string;
  /** By the picture's name in docs/screenshots. */
  readonly pictures: Readonly<Record<string, Take>>;
  readonly args?: readonly string[];
  readonly timezone?: string;
  readonly preferences?: object;
  readonly service?: () => Promise<TrainingServer>;
  readonly prepares?: (page: Page) => Promise<void>;
  readonly opens?: (stage: Stage) => Promise<void>;
}

/** One picture shows a first run. All others show an operator who knows the console. */
const known = { tourDone: true };

async function openService(topic: Topic, folder: string) {
  const service = await topic.service?.();
  if (service === undefined)
    return { args: ['--training', ...(topic.args ?? [])], close: () => Promise.resolve() };
  const deployment = await writeDeployment(folder, {
    id: 'harbour',
    name: 'Harbour station',
    infrastructureUrl: service.infrastructureUrl,
    coordinationUrl: service.coordinationUrl,
    timestampUnit: service.switches().timestampUnit,
    health: { aiAnalysis: 'ai_analysis', ipfsPinning: 'ipfs_pinning', ledger: 'ledger' },
  });
  return { service, args: ['--deployment', deployment], close: () => service.close() };
}

/** Opens the console of a topic in a separate data folder, which `close` removes. */
export async function openStage(browser: Browser, topic: Topic): Promise<Stage> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: topic.timezone ?? 'UTC',
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(120_000);
  const folder = await temporaryFolder();
  const { service, args, close: closeService } = await openService(topic, folder);
  const dataDir = join(folder, 'data');
  await givePreferences(dataDir, topic.preferences ?? known);
  const host = await serveConsole(dataDir, args);
  const page = await context.newPage();
  await topic.prepares?.(page);
  await page.goto(host.url);
  await page.locator('#app > *').first().waitFor();
  return {
    page,
    folder,
    service: () => {
      if (service === undefined) throw new Error(`The topic ${topic.name} has no service`);
      return service;
    },
    operator: new Operator(page),
    prefer: (change) => prefer(page, change),
    close: async () => {
      await context.close();
      await host.stop();
      await closeService();
      await rm(dataDir, { recursive: true, force: true });
      await removeFolder(folder);
    },
  };
}
