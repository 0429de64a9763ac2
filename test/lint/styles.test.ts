import stylelint from 'stylelint';
import { expect, it } from 'vitest';

/** The rules that refuse a text, were it the file of that name. */
async function refusals(codeFilename: string, code: string): Promise<string[]> {
  const { results } = await stylelint.lint({ code, codeFilename, configFile: 'stylelint.config.mjs' });
  return results.flatMap(({ warnings }) => warnings.map(({ rule }) => rule));
}
const component = (style: string): string =>
  `<template><p /></template>\n<style scoped>\np { ${style} }\n</style>\n`;
const [pixels, pairs] = ['declaration-property-value-disallowed-list', 'field-console/listed-pairs'];

it.each([
  ['color: var(--accent-text); background: var(--ground);', pairs],
  ['background-color: var(--accent-text); color: var(--text-quiet);', pairs],
  ['font-size: 12px;', pixels],
  ['line-height: 1px;', pixels],
  ['border-top: 1px solid var(--line);', pixels],
])('%s is refused by %s', async (style, rule) => {
  expect(await refusals('src-renderer/views/Bad.vue', component(style))).toEqual([rule]);
  expect(await refusals('src-renderer/design/bad.css', `p { ${style} }`)).toEqual([rule]);
});

it.each([
  'color: var(--text-quiet); background: var(--surface);',
  'color: var(--text); background: var(--something-else) center;',
  'font-size: var(--text-14); border: var(--stroke) solid var(--line); border-radius: 1px;',
])('%s is taken', async (style) => {
  expect(await refusals('src-renderer/views/Good.vue', component(style))).toEqual([]);
});

it('pictures of themes keep their widths', async () => {
  const style = component('border: 1px solid var(--line);');
  expect(await refusals('src-renderer/features/settings/ThemeChoice.vue', style)).toEqual([]);
});
