import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Result, VerbName, VerbRequest } from '../../src-preload/contract/index.ts';
import { openPage, type PageSocket } from '../hosts/support/page.ts';
import { ensureBuilt, serve, type Program } from '../hosts/support/process.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { until } from '../support/clock.ts';
import { said } from '../support/messages.ts';

let folder: string;
let running: Program | null = null;

beforeAll(async () => {
  ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'field-console-kills-'));
}, 120_000);
afterAll(async () => {
  await running?.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const start = (): Program => serve(['--no-open', '--training', '--data-dir', folder]);

/** What pages were shown or told, by which the folder is judged after a kill. */
class Witness {
  readonly passwords = new Set<string>();
  /** List widths that may be the stored one: the last one that was answered, and all asked since. */
  widths: (number | undefined)[] = [undefined];
  calls = 0;
  /** Deployments that the console said are known from then on. */
  confirmed = 0;

  async call<V extends VerbName>(
    page: PageSocket,
    verb: V,
    request: VerbRequest<V>,
  ): Promise<Result<unknown> | null> {
    const id = (this.calls += 1);
    page.send({ kind: 'call', id, verb, request });
    const answer = await Promise.race([page.message('reply', (reply) => reply.id === id), page.closed]);
    return typeof answer === 'number' ? null : answer.result;
  }

  /** Opens a page on a console that was started once more, and signs in with its password. */
  async enter(program: Program): Promise<PageSocket> {
    const page = await openPage(await program.ready());
    const { push } = await page.message('push');
    const stored = push.slices.preferences?.listWidth;
    if (!this.widths.includes(undefined)) expect(this.widths).toContain(stored);
    this.widths = [stored];
    expect(push.slices.app).toMatchObject({ training: true, problem: null });
    const credentials = push.slices.training?.credentials;
    if (!credentials) throw new Error('Training shows no credentials');
    this.passwords.add(credentials.password);
    expect(await this.call(page, 'signIn', credentials)).toEqual({ ok: true, value: null });
    return page;
  }

  /** Stores one width after the other until the console is gone. */
  async storeWidths(page: PageSocket): Promise<void> {
    for (;;) {
      const listWidth = 320 + (this.calls % 240);
      this.widths.push(listWidth);
      const result = await this.call(page, 'setPreferences', { listWidth });
      if (result === null) return;
      expect(result).toEqual({ ok: true, value: null });
      this.widths = this.widths.slice(this.widths.lastIndexOf(listWidth));
    }
  }

  /** Makes deployments known and forgets them until the console is gone. Nothing listens at theirs. */
  async changeDeployments(page: PageSocket): Promise<void> {
    for (let round = 0; ; round += 1) {
      const id = `field-${String(round % 3)}`;
      const text = JSON.stringify({
        version: 1,
        id,
        name: `Field ${String(round)}`,
        infrastructureUrl: 'http://127.0.0.1:9',
        coordinationUrl: 'http://127.0.0.1:9',
      });
      const proposed = await this.call(page, 'proposeDeployment', { text });
      if (proposed === null) return;
      if (!proposed.ok) throw new Error(`Not proposed: ${said(proposed.failure.sentence)}`);
      const { proposalId } = proposed.value as { readonly proposalId: string };
      if ((await this.call(page, 'confirmDeployment', { proposalId })) === null) return;
      this.confirmed += 1;
      if (round % 2 === 1 && (await this.call(page, 'removeDeployment', { id })) === null) return;
    }
  }
}

async function expectReadable(witness: Witness): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    for (const password of witness.passwords) expect(text.includes(password), entry.name).toBe(false);
    if (['preferences.json', 'deployments.json'].includes(entry.name)) {
      expect(() => void JSON.parse(text), entry.name).not.toThrow();
    }
  }
}

it(
  'starts again after any kill, with its documents whole and no password in its folder',
  async () => {
    const witness = new Witness();
    let page: PageSocket | null = null;
    await runCampaign({ name: 'kills', whole: 100, part: 3 }, async (draw, index) => {
      const writing = index % 2 === 1 && running !== null && page !== null;
      if (writing && running && page) {
        const stored = Promise.all([witness.storeWidths(page), witness.changeDeployments(page)]);
        // Once at least, however slow the disk is: else nothing would have been written to be judged.
        await until(() => witness.confirmed > 0);
        await pause(draw.below(300));
        await running.kill('SIGKILL');
        await stored;
      } else {
        // The last one leaves in order every other time, so that a start also follows on that.
        await running?.kill(draw.below(2) === 0 ? 'SIGTERM' : 'SIGKILL');
        running = start();
        await pause(draw.below(1_501));
        await running.kill('SIGKILL');
      }
      await expectReadable(witness);
      running = start();
      page = await witness.enter(running);
      return writing ? 'while writing, started again' : 'while starting, started again';
    });
    const names = await readdir(folder);
    expect(names).toContain('preferences.json');
    expect(names).toContain('deployments.json');
    expect(witness.passwords.size).toBeGreaterThan(1);
    await running?.kill('SIGTERM');
    await expectReadable(witness);
  },
  campaignTimeoutMs,
);
