/**
 * Takes the pictures of README and docs into docs/screenshots: the built browser host with its embedded
 * training in a separate data folder, seen through the browser that the end-to-end tests use.
 * Build first (`npm run build`).
 *
 *   npm run screenshots                        all of them
 *   npm run screenshots -- time                those of a topic (build/screenshots/topics.ts)
 *   npm run screenshots -- workspace table     those whose name begins so
 */
import { chromium, type Browser, type Page } from '@playwright/test';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { themeNameSchema } from '../src-preload/contract/index.ts';
import { chromiumLaunch } from '../test/support/chromium.ts';
import { boxOf } from './screenshots/desk.ts';
import { openStage, type Stage, type Topic } from './screenshots/stage.ts';
import { topics } from './screenshots/topics.ts';
import { webpEncoder } from './screenshots/webp.ts';

type Wanted = (name: string) => boolean;

const folder = join(dirname(fileURLToPath(import.meta.url)), '../docs/screenshots');
const heights: Readonly<Record<string, number>> = { 720: 450, 1024: 768, 1280: 800, 1440: 900, 1920: 1080 };

/** Theme and window of a picture, from its name: `workspace-night-1440`. */
function dressOf(name: string) {
  const [, named, width = '1440'] = /-([a-z]+)-(\d+)$/.exec(name) ?? [];
  const height = heights[width];
  if (height === undefined) throw new Error(`${name} has no height`);
  return { theme: themeNameSchema.parse(named ?? 'day'), size: { width: Number(width), height } };
}

/** A picture of nothing but water is not larger. */
const mostBlankBytes = 4_000;

/** The map has drawn its countries: its centre is no longer empty. */
async function drawn(page: Page) {
  const map = page.locator('[data-map-state="ready"]');
  await map.waitFor({ state: 'attached' });
  const { x, y, width, height } = await boxOf(map);
  const clip = { x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 };
  for (let look = 0; look < 30; look += 1) {
    const middle = await page.screenshot({ clip });
    if (middle.length > mostBlankBytes) return;
    await page.waitForTimeout(1_000);
  }
}

/** What is shown is what was given, and nothing on it still moves. */
async function settle(page: Page) {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForTimeout(2_500);
  if ((await page.locator('[data-map-state]').count()) > 0) await drawn(page);
}

async function picture(page: Page, name: string) {
  await page.setViewportSize(dressOf(name).size);
  await settle(page);
  return page.screenshot();
}

async function keep(name: string, png: Buffer) {
  await writeFile(join(folder, `${name}.webp`), await toWebp(png));
  process.stdout.write(`docs/screenshots/${name}.webp\n`);
}

/** Goes through a topic's pictures in turn, since each begins where the one before it ended. */
async function walk(topic: Topic, stage: Stage, isWanted: Wanted) {
  const pictures = Object.entries(topic.pictures);
  await topic.opens?.(stage);
  for (const [name, take] of pictures.slice(0, pictures.findLastIndex(([name]) => isWanted(name)) + 1)) {
    const { theme, size } = dressOf(name);
    await stage.page.setViewportSize(size);
    await stage.prefer({ theme });
    const answer = (await take(stage)) ?? stage.page;
    if (isWanted(name)) await keep(name, Buffer.isBuffer(answer) ? answer : await picture(answer, name));
    if (!Buffer.isBuffer(answer) && answer !== stage.page) await answer.close();
  }
}

async function show(browser: Browser, topic: Topic, isWanted: Wanted) {
  const stage = await openStage(browser, topic);
  try {
    await walk(topic, stage, isWanted);
  } catch (error) {
    await stage.page.screenshot({ path: join(tmpdir(), `screenshots-${topic.name}-failed.png`) });
    throw error;
  } finally {
    await stage.close();
  }
}

/** The training is its own life: a topic that met an integration failing is begun again, on another console. */
async function showAgain(browser: Browser, topic: Topic, isWanted: Wanted) {
  for (let left = 2; ; left -= 1) {
    try {
      return await show(browser, topic, isWanted);
    } catch (error) {
      if (left === 0) throw error;
      process.stderr.write(`${topic.name} again: ${String(error).split('\n')[0]}\n`);
    }
  }
}

function leave(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const asked = process.argv.slice(2);
const wantedOf =
  (topic: Topic): Wanted =>
  (name) =>
    asked.length === 0 || asked.some((word) => word === topic.name || name.startsWith(word));
const chosen = topics.filter((topic) => Object.keys(topic.pictures).some(wantedOf(topic)));
if (chosen.length === 0) leave(`There is no picture and no topic of that name: ${asked.join(', ')}`);
if (!existsSync('out/main/serve.js')) leave('There is no build yet: run `npm run build` first.');

await mkdir(folder, { recursive: true });
const { executablePath, args, headless } = await chromiumLaunch();
const browser = await chromium.launch({ executablePath, args, headless });
const toWebp = await webpEncoder(browser);
const failures: string[] = [];
for (const topic of chosen) {
  await showAgain(browser, topic, wantedOf(topic)).catch((error: unknown) =>
    failures.push(`${topic.name}: ${String(error)}`),
  );
}
await browser.close();
if (failures.length > 0) leave(failures.join('\n'));
