import { expect, it } from 'vitest';
import {
  helloSchema,
  linkMessageSchema,
  pushSchema,
  slicesWhileLocked,
  stateSchema,
  verbNames,
  verbs,
} from '../../src-preload/contract/index.ts';
import { dumped } from './schemas.ts';

/*
 * What a page may rely on, as it is written down beside this file. Code that is only moved or renamed leaves it as it
 * is. A change that is meant is taken with `vitest run test/freeze -u`, and its difference is read in the commit.
 */

const text = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

it('verbs, their access, requests and replies are what they were', async () => {
  const dump = Object.fromEntries(
    verbNames.map((name) => {
      const { access, request, reply } = verbs[name];
      return [name, { access, request: dumped(request, 'input'), reply: dumped(reply, 'output') }];
    }),
  );
  await expect(text(dump)).toMatchFileSnapshot('verbs.json');
});

it('slices, and those that a locked console shows, are what they were', async () => {
  const slices = Object.fromEntries(
    Object.entries(stateSchema.shape).map(([name, schema]) => [name, dumped(schema, 'output')]),
  );
  await expect(text({ whileLocked: slicesWhileLocked, slices })).toMatchFileSnapshot('slices.json');
});

it('messages between page and console are what they were', async () => {
  const { slices: _, ...push } = pushSchema.shape;
  const dump = {
    push: Object.fromEntries(Object.entries(push).map(([name, schema]) => [name, dumped(schema, 'output')])),
    link: dumped(linkMessageSchema, 'input'),
    hello: dumped(helloSchema, 'input'),
  };
  await expect(text(dump)).toMatchFileSnapshot('messages.json');
});
