import { ESLint } from 'eslint';
import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';
import { expect, it } from 'vitest';
import { functionLength, mostLines } from '../../build/lint/functionLength.ts';

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    ...(vue.configs['flat/base'] as never[]),
    { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
    { files: ['**/*.vue'], languageOptions: { parserOptions: { parser: tseslint.parser } } },
    ...functionLength,
  ],
});

const rule = 'max-lines-per-function';
/** The rules that refuse a text, were it the file of that name. */
async function refusals(filePath: string, code: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId);
}

/** Lines between the first and the last of a function: blank ones, comments and code in turn. */
const between = (lines: number): string =>
  Array.from({ length: lines - 2 }, (_, at) => ['', '// Why.', 'go();'][at % 3]).join('\n');
const kinds: Readonly<Record<string, (lines: number) => string>> = {
  function: (lines) => `function long() {\n${between(lines)}\n}`,
  'set-up of a store': (lines) => `export const useIt = defineStore('it', () => {\n${between(lines)}\n});`,
  'constructor of a class': (lines) => `class It {\nconstructor() {\n${between(lines)}\n}\n}`,
  'method of a class': (lines) => `class It {\nlong() {\n${between(lines)}\n}\n}`,
};

const component = (script: string): string => `<script setup lang="ts">\n${script}\n</script>`;

it.each(Object.entries(kinds))('a %s has at most a hundred lines', async (_, code) => {
  for (const file of ['src-main/bad.ts', 'src-preload/bad.ts', 'src-renderer/app/bad.ts', 'build/bad.ts']) {
    expect(await refusals(file, code(mostLines))).toEqual([]);
    expect(await refusals(file, code(mostLines + 1))).toEqual([rule]);
  }
  expect(await refusals('src-renderer/Bad.vue', component(code(mostLines + 1)))).toEqual([rule]);
});

it('the script of a component is no function', async () => {
  expect(await refusals('src-renderer/Good.vue', component(between(mostLines * 2)))).toEqual([]);
});
