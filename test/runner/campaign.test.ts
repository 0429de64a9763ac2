import process from 'node:process';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What a campaign of that extent, of 20 cases or of a part of 4, writes while it runs; it breaks at one case, if any. */
async function written(extent: string, broken: number | null = null): Promise<string[]> {
  vi.stubEnv('CAMPAIGN', extent);
  vi.stubEnv('CAMPAIGN_SEED', '7');
  vi.resetModules();
  const { runCampaign } = await import('../support/campaign.ts');
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text).trimEnd());
    return true;
  });
  const run = runCampaign({ name: 'any', whole: 20, part: 4 }, (_, index) => {
    if (index === broken) throw new Error('broke');
    return 'held';
  });
  if (broken === null) await run;
  else await expect(run).rejects.toThrow(`Campaign any, case ${String(broken)} of seed 7: broke`);
  return lines;
}

test('a whole campaign tells each tenth, so that one that is cut has said what it tried', async () => {
  const lines = await written('whole');
  expect(lines).toHaveLength(11);
  expect(lines[0]).toBe('campaign any: 2 of 20 so far');
  expect(lines[9]).toBe('campaign any: 20 of 20 so far');
  expect(lines[10]).toBe('campaign any: 20 of 20 (seed 7): 20 held, 0 crashed');
});

test('a part of a campaign tells its end alone', async () => {
  expect(await written('part')).toEqual(['campaign any: 4 of 20 (seed 7): 4 held, 0 crashed']);
});

test('a campaign ends at the first case that breaks, and counts it', async () => {
  expect(await written('part', 2)).toEqual(['campaign any: 3 of 20 (seed 7): 2 held, 1 crashed']);
});
