import { expect, it } from 'vitest';
import type { z } from 'zod';
import * as contract from '../../src-preload/contract/index.ts';
import { callers } from '../../src-preload/contract/verb.ts';
import { ContractText } from './contractText.ts';

/*
 * What a page may rely on, as it is written down beside this file. Code that is only moved leaves it as it is. A change
 * that is meant is taken with `vitest run test/freeze -u`, and its difference is read in the commit.
 */

const notation = `\
What a page may rely on: written by test/freeze/contract.test.ts.
{ a: T } has no other field; ...dropped has and drops them; ...T has others of type T.
a?: T may be left out. a: T = x may be left out of a request, and is x then.
T <=8: at most so large, long or many. T /a/: fits the pattern. T own checks: 1: and a function accepts it.
`;

/** By the name of its export, without the "Schema" of most: `failureSchema` is `Failure`. */
const nameOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replace(/Schema$/, '');

it('the contract is what it was', async () => {
  const exported = Object.entries<unknown>(contract)
    .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof Object && '_zod' in entry[1])
    .map(([name, schema]) => [nameOf(name), schema] as const);
  const text = new ContractText(Object.fromEntries(exported.sort(([a], [b]) => (a < b ? -1 : 1))));
  const accessNames = new Map<object, string>(
    Object.entries(callers).map(([name, access]) => [access, name]),
  );
  const verbs = contract.verbNames.map((name) => {
    const verb = contract.verbs[name];
    return text.verb(name, accessNames.get(verb.access) ?? JSON.stringify(verb.access), verb);
  });
  const access = Object.entries(callers).map(([name, rule]) => {
    const rules = Object.entries(rule).map(([of, value]) => `${of} ${String(value)}`);
    return `${name}: ${rules.join(', ')}`;
  });
  const parts = [
    [notation],
    ['# Who may call a verb', '', ...access, ''],
    ['# Slices that a locked console shows', '', ...contract.slicesWhileLocked, ''],
    ['# Verbs: name, caller, request, reply', '', ...verbs, ''],
    ['# Types', '', ...text.types(), ''],
  ];
  await expect(parts.flat().join('\n')).toMatchFileSnapshot('contract.txt');
});
