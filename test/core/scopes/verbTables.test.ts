import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { verbNamesOnly } from '../../../build/verbNames.ts';
import type { VerbHandlers } from '../../../src-main/core/features/context.ts';
import * as contract from '../../../src-preload/contract/index.ts';
import { callers, type VerbDeclarations } from '../../../src-preload/contract/verb.ts';

const { verbs, verbNames } = contract;

it('every table of a feature is among the verbs, and no two declare the same one', () => {
  const tables = Object.entries(contract).filter(([name]) => /[a-z]Verbs$/.test(name));
  expect(tables.length).toBeGreaterThan(20);
  const declared = tables.flatMap(([, table]) => Object.entries(table));
  expect(declared.map(([name]) => name).sort()).toEqual([...verbNames].sort());
  for (const [name, declaration] of declared)
    expect(Object.entries(verbs)).toContainEqual([name, declaration]);
});

it('the names that the build puts into the preload are those of the declarations, and no schema', async () => {
  const load = verbNamesOnly().load as (id: string) => Promise<string | null>;
  expect(await load('/somewhere/src-preload/contract/verbs.ts')).toBe(
    `export const verbNames = ${JSON.stringify(verbNames)};`,
  );
  expect(await load('/somewhere/src-preload/contract/verb.ts')).toBeNull();
});

it('the type of a handler follows from the declaration alone', () => {
  const fixtureVerbs = {
    double: {
      access: callers.operators,
      request: z.strictObject({ of: z.int() }),
      reply: z.int(),
    },
  } as const satisfies VerbDeclarations;
  const handlers: VerbHandlers<typeof fixtureVerbs> = { double: ({ of }) => contract.ok(of * 2) };
  expect(handlers.double(fixtureVerbs.double.request.parse({ of: 2 }))).toEqual(contract.ok(4));
  // @ts-expect-error a verb that is declared has a handler
  const without: VerbHandlers<typeof fixtureVerbs> = {};
  // @ts-expect-error a handler answers what the declaration says
  const wrong: VerbHandlers<typeof fixtureVerbs> = { double: () => contract.ok('four') };
  expect([without, wrong]).toHaveLength(2);
});

it('a verb is answered in one file, that of its feature', () => {
  const files = globSync('src-main/core/**/*.ts').filter((file) => !file.endsWith('scopes/dispatcher.ts'));
  const texts = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  for (const verb of verbNames) {
    const handler = new RegExp(`^ {2,4}${verb}: (async )?\\(`, 'm');
    const answering = texts.filter(({ text }) => text.includes('VerbHandlers<') && handler.test(text));
    expect(answering.map(({ file }) => file)).toEqual([
      expect.stringMatching(/^src-main\/core\/features\/[a-zA-Z]+\/(index|deploymentSwitch)\.ts$/),
    ]);
  }
});
