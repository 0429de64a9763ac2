import { RuleTester } from 'eslint';
import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';
import { listedKeys } from '../../build/lint/handledKeys.ts';

RuleTester.describe = describe;
RuleTester.it = it;

const { parser } = tseslint;
const ofComponents = vue.configs['flat/base'].find(({ files }) => files)?.languageOptions;
const component = (template: string, script = ''): { code: string; filename: string } => ({
  code: `<script setup lang="ts">${script}</script><template>${template}</template>`,
  filename: 'A.vue',
});
const acts = { errors: [{ messageId: 'acts' }] };
const other = (key: string) => ({ errors: [{ messageId: 'other', data: { key } }] });
const gone = (key: string) => ({ errors: [{ messageId: 'gone', data: { key } }] });
const press = "if (event.key === 'Enter') open();";

new RuleTester({ languageOptions: { parser } }).run('keys in code', listedKeys, {
  valid: [
    "const words = { Enter: 'Enter' }; const all = parts.join(' ');",
    { code: press, options: [['Enter']] },
    { code: 'const moves = { ArrowUp: -1, Home: 0 }; event.key in moves;', options: [['ArrowUp', 'Home']] },
  ],
  invalid: [
    { code: press, ...acts },
    { code: "page.addEventListener('keydown', act);", ...acts },
    { code: "onKeyStroke('Escape', close);", ...acts },
    { code: press, options: [[]], ...other('Enter') },
    { code: press, options: [['Enter', 'Delete']], ...gone('Delete') },
  ],
});

new RuleTester({ languageOptions: { ...ofComponents, parserOptions: { parser } } }).run(
  'keys in a component',
  listedKeys,
  {
    valid: [
      component('<p @click="open" />'),
      { ...component('<p @keydown.esc="close" />'), options: [['Escape']] },
      { ...component('<p @keydown="act" />', press), options: [['Enter']] },
    ],
    invalid: [
      { ...component('<p @keyup="act" />'), ...acts },
      { ...component('<p @keydown.enter="act" />'), options: [[]], ...other('Enter') },
      { ...component('<p @keydown="act" />'), options: [['Home']], ...gone('Home') },
    ],
  },
);
