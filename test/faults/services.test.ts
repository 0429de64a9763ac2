import process from 'node:process';
import { describe, expect, it, vi } from 'vitest';
import type { ServiceAddress } from '../../src-main/core/service/transport/address.ts';
import { campaignTimeoutMs, casesOf, runCampaign } from '../support/campaign.ts';
import { ordinary, unkind } from '../support/zoo/known.ts';
import { drawTraits, oddTraits, withTraits, type Traits } from '../support/zoo/traits.ts';
import { wires } from './support/zooConsole.ts';
import { judge, type Verdict } from './support/zooJudge.ts';

vi.mock(import('../../src-main/core/service/transport/dispatcher.ts'), () => ({
  createDispatcher: ({ address }) => {
    const wire = wires.get((address as ServiceAddress).infrastructureUrl);
    if (wire === undefined) throw new Error('There is no such service');
    const route = {
      dispatcher: () => Promise.resolve(wire),
      isProven: () => false,
      opened: () => 0,
      idleMs: () => 0,
      answered: () => undefined,
      isTrustedBySystem: () => Promise.resolve(false),
      retire: () => undefined,
    };
    return { for: () => route, retireAll: () => undefined, destroy: () => Promise.resolve() };
  },
}));

/** The first `part` of them in `npm test`, all of them in a whole campaign. */
const some = (services: Readonly<Record<string, Partial<Traits>>>, part: number) => {
  const all = Object.entries(services);
  return all.slice(0, casesOf({ part, whole: all.length }));
};

describe('an ordinary service', () => {
  it.each(some(ordinary, 3))(
    '%s: all is known and said to be complete, and what left is said to have left',
    async (_, odd) => {
      const { faults, word, unmarked } = await judge(withTraits(odd));
      expect({ faults, word, unmarked }).toEqual({ faults: [], word: 'complete', unmarked: 0 });
    },
    campaignTimeoutMs,
  );
});

describe('an unkind service', () => {
  it.each(some(unkind, 5))(
    '%s: no lasting untrue word, and all is known that can be',
    async (_, odd) => {
      expect((await judge(withTraits(odd))).faults).toEqual([]);
    },
    campaignTimeoutMs,
  );
});

it(
  'services drawn at random: no lasting untrue word, and all is known that can be',
  async () => {
    const verdicts: Verdict[] = [];
    await runCampaign({ name: 'zoo of services', whole: 500, part: 4 }, async (draw) => {
      const traits = drawTraits(draw);
      const verdict = await judge(traits);
      // One that is put into test/support/zoo/known.ts runs alone.
      if (verdict.faults.length > 0) throw new Error([oddTraits(traits), ...verdict.faults].join('\n  '));
      verdicts.push(verdict);
      return verdict.word;
    });
    process.stdout.write(`services: ${figuresOf(verdicts)}\n`);
  },
  campaignTimeoutMs,
);

function figuresOf(verdicts: readonly Verdict[]): string {
  const requests = verdicts.map((verdict) => verdict.requests).sort((a, b) => a - b);
  const excluded = new Map<string, number>();
  for (const verdict of verdicts)
    for (const [why, count] of verdict.excluded) excluded.set(why, (excluded.get(why) ?? 0) + count);
  const names = [...excluded].map(([why, count]) => `${String(count)} ${why}`);
  return (
    `${String(requests.at(requests.length >> 1))} requests each, at most ${String(requests.at(-1))}; ` +
    `${String(verdicts.filter(({ isLate }) => isLate).length)} late; excluded incidents: ${names.length === 0 ? 'none' : names.join(', ')}`
  );
}
