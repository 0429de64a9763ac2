import { describe, expect, it, vi } from 'vitest';
import { campaignTimeoutMs, casesOf } from '../support/campaign.ts';
import { ordinary } from '../support/zoo/known.ts';
import { withTraits, type Traits } from '../support/zoo/traits.ts';
import { wires } from './support/zooConsole.ts';
import { judge } from './support/zooJudge.ts';

vi.mock(import('../../src-main/core/service/transport/dispatcher.ts'), () => ({
  createDispatcher: ({ address }) => {
    const wire = wires.get(address.infrastructureUrl);
    if (wire === undefined) throw new Error('There is no such service');
    return { for: () => wire, destroy: () => Promise.resolve() };
  },
}));

/** The first `part` of them in `npm test`, all of them in a whole campaign. */
const some = (services: Readonly<Record<string, Partial<Traits>>>, part: number) => {
  const all = Object.entries(services);
  return all.slice(0, casesOf({ part, whole: all.length }));
};

describe('an ordinary service', () => {
  it.each(some(ordinary, 2))(
    '%s: all is known and said to be complete',
    async (_, odd) => {
      const { faults, word } = await judge(withTraits(odd));
      expect({ faults, word }).toEqual({ faults: [], word: 'complete' });
    },
    campaignTimeoutMs,
  );
});
