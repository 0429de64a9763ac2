import { expect, it } from 'vitest';
import { h } from 'vue';
import { pageRules } from '../../../src-renderer/print/style.ts';

it('the pages of a sheet are counted by who prints, and nothing else stands for their numbers', () => {
  const rules = pageRules({ title: '', size: 'a4', foot: null, band: null, view: () => h('p') });
  const [, content = ''] = /content: ([^;]+);/.exec(rules) ?? [];
  expect(
    content.replaceAll(/\\([0-9a-f]+) /g, (_, code: string) => String.fromCodePoint(parseInt(code, 16))),
  ).toBe('"Page " counter(page) " of " counter(pages)');
});
