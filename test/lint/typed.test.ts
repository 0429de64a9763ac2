import { ESLint } from 'eslint';
import { expect, it } from 'vitest';
import { typedComponents, typedScripts } from '../../build/lint/typed.mjs';

const folder = 'test/fixtures/typed';
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    typedScripts(`${folder}/tsconfig.json`, [`${folder}/*.ts`]),
    ...typedComponents(`${folder}/tsconfig.components.json`, [`${folder}/*.vue`]),
  ],
});

it.each([
  ['floating.ts', ['no-floating-promises']],
  ['misused.ts', ['no-misused-promises', 'no-misused-promises']],
  ['switch.ts', ['switch-exhaustiveness-check']],
  ['thenable.ts', ['await-thenable']],
  ['Component.vue', ['no-floating-promises', 'switch-exhaustiveness-check']],
  ['good.ts', []],
])('%s breaks %j', async (file, broken) => {
  const [result] = await eslint.lintFiles(`${folder}/${file}`);
  expect(result?.messages.map(({ ruleId, message }) => ruleId ?? message)).toEqual(
    broken.map((rule) => `@typescript-eslint/${rule}`),
  );
});
