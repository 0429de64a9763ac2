import type { Browser, Page } from '@playwright/test';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { writeItem } from '../../src-main/core/features/uploads/itemText.ts';
import type { OpenVault } from '../../src-main/core/vault/openVault.ts';
import { removeFolder, serveConsole, temporaryFolder, writeDeployment } from '../e2e/support/launch.ts';
import { Operator } from '../e2e/support/operator.ts';
import { endProgram, nextMessage, startProgram } from './children.ts';
import type { Row } from './statistics.ts';
import { credentials, deploymentId, makeVault } from './vault.ts';
import { said } from '../support/messages.ts';

export const outboxItems = 10_000;
const wheelTurns = 80;
const settleMs = 5_000;

/** The longest time that the page's thread was held up while an outbox of 10,000 items is opened and scrolled. */
export async function benchOutboxList({ browser }: { readonly browser: Browser }): Promise<Row[]> {
  const work = await temporaryFolder();
  const sink = startProgram('sink');
  try {
    const { url } = await nextMessage<{ readonly url: string }>(sink);
    const deployment = await writeDeployment(work, {
      id: deploymentId,
      name: 'Bench',
      infrastructureUrl: url,
      coordinationUrl: url,
      timestampUnit: 'seconds',
    });
    const dataDir = join(work, 'data');
    await makeVault({ dataDir, url, fill: fillOutbox });
    const console = await serveConsole(dataDir, ['--deployment', deployment]);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    try {
      await page.goto(console.url);
      const operator = new Operator(page);
      await operator.tryToSignIn(credentials);
      await page.getByRole('region', { name: 'Incidents', exact: true }).waitFor();
      // The map compiles its shaders with the first frames; what is compared is a page at rest.
      await page.waitForTimeout(settleMs);
      const idleLongest = await longestStall(page, () => page.waitForTimeout(settleMs));
      const outbox = page.getByRole('region', { name: 'Outbox', exact: true });
      const longest = await longestStall(page, async () => {
        await page
          .getByRole('navigation')
          .getByRole('button', { name: /^Outbox/ })
          .click();
        await outbox.getByText('film 0.mp4', { exact: false }).first().waitFor();
        await outbox.hover();
        for (let turn = 0; turn < wheelTurns; turn += 1) {
          await page.mouse.wheel(0, 9_000);
          await page.waitForTimeout(30);
        }
        await outbox
          .getByText(`film ${String(outboxItems - 1)}.mp4`, { exact: false })
          .first()
          .waitFor();
      });
      return [{ what: 'outbox list', size: outboxItems, longest, idleLongest, floorLongest: idleLongest }];
    } finally {
      await console.stop();
    }
  } finally {
    await endProgram(sink);
    await removeFolder(work);
  }
}

/** Longest time between two turns of the page's event loop while `run` runs, milliseconds. */
async function longestStall(page: Page, run: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    let last = performance.now();
    let longest = 0;
    const channel = new MessageChannel();
    const watch = { stop: () => Math.max(longest, performance.now() - last) };
    channel.port1.onmessage = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      setTimeout(() => channel.port2.postMessage(null), 1);
    };
    channel.port2.postMessage(null);
    Object.assign(globalThis, { benchWatch: watch });
  });
  await run();
  return page.evaluate(() => (globalThis as unknown as { benchWatch: { stop(): number } }).benchWatch.stop());
}

/** Puts the outbox into a vault, as a console that sent so many files would have left it. */
async function fillOutbox(vault: OpenVault, now: number): Promise<void> {
  const opened = await vault.openRecords();
  if (!opened.ok) throw new Error(said(opened.failure.sentence));
  for (let from = 0; from < outboxItems; from += 500) {
    await opened.value.store.write(Array.from({ length: 500 }, (_, index) => sentItem(from + index, now)));
  }
  await opened.value.close();
}

function sentItem(index: number, at: number) {
  const id = index.toString(16).padStart(16, '0');
  const sha256 = createHash('sha256').update(id).digest('hex');
  const text = writeItem({
    id,
    fileName: `film ${String(index)}.mp4`,
    bytes: 5_000_000 + index,
    addedAt: at - index * 1000,
    incidentId: null,
    place: index,
    step: 3,
    paused: false,
    sha256,
    computed: [],
    key: null,
    endedKeys: [],
    phase: {
      state: 'sent',
      at,
      cid: `bafkrei${sha256.slice(0, 52)}`,
      verdict: 'not-verifiable',
      profile: null,
      requestId: `bench-${String(index)}`,
      note: null,
    },
  });
  return { table: 'uploads', id, text } as const;
}
