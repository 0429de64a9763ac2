import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining, type TrainingServer } from '../support/training/index.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { Lives } from './support/lives.ts';

/** So many notes a vault takes; well before that the next kill begins with a new one. */
const mostInOneVault = 8_000;

type Line = readonly ['kept', texts: readonly string[]] | readonly ['noted', text: string];

let service: TrainingServer;
let lives: Lives<Line>;

beforeAll(async () => {
  service = await startTraining({
    clock: createClock(),
    seed: 6,
    dataset: [],
    switches: { arrivals: false, integrationScript: false, tokenLifetimeSeconds: 86_400 },
  });
  lives = await Lives.create<Line>({ program: 'noting', service, opens: 'kept' });
});
afterAll(async () => {
  await service.close();
  await lives.close();
});

it(
  'every note that was answered is there, whenever the console is killed',
  async () => {
    let answered = new Set<string>();
    let all = 0;
    /** Judges what a life found, takes what it was answered, and says how far it came. */
    const judge = (lines: readonly Line[]): string => {
      const kept = lines.find((line) => line[0] === 'kept')?.[1];
      const noted = lines.flatMap((line) => (line[0] === 'noted' ? [line[1]] : []));
      if (kept !== undefined) expectKept(kept);
      for (const text of noted) answered.add(text);
      all += noted.length;
      return kept === undefined ? 'while starting' : 'while working';
    };
    const expectKept = (kept: readonly string[]): void => {
      const there = new Set(kept);
      expect(there.size, 'each once').toBe(kept.length);
      expect([...answered].filter((text) => !there.has(text))).toEqual([]);
    };
    await runCampaign({ name: 'kills while notes are added', whole: 300, part: 3 }, async (draw, index) => {
      if (answered.size > mostInOneVault) {
        await lives.forget();
        answered = new Set();
      }
      // One in five is killed before its vault is open.
      const early = index > 0 && draw.below(5) === 0;
      const came = judge(
        await lives.live({ credentials: service.credentials, name: String(index) }, (life) =>
          early ? life.whileStarting(draw) : life.whileWorking(draw),
        ),
      );
      await lives.expectSealed('canary-note');
      return came;
    });
    const last = { credentials: service.credentials, name: 'last' };
    expect(judge(await lives.live(last, (life) => life.said('noted')))).toBe('while working');
    expect(all).toBeGreaterThan(0);
    process.stdout.write(`campaign kills while notes are added: ${String(all)} notes answered, 0 lost\n`);
  },
  campaignTimeoutMs,
);
