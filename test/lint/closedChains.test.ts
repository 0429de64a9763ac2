import { RuleTester } from 'eslint';
import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';
import { closedChains } from '../../build/lint/closedChains.ts';

RuleTester.describe = describe;
RuleTester.it = it;

const ofComponents = vue.configs['flat/base'].find(({ files }) => files)?.languageOptions;
const component = (template: string): { code: string; filename: string } => ({
  code: `<script setup lang="ts"></script><template><div>${template}</div></template>`,
  filename: 'A.vue',
});
const open = (what: string): { errors: object[] } => ({ errors: [{ messageId: 'open', data: { what } }] });
const two = `<p v-if="a.kind === 'b'" /><p v-else-if="a.kind === 'c' || a.kind === 'd'" />`;

new RuleTester({ languageOptions: { ...ofComponents, parserOptions: { parser: tseslint.parser } } }).run(
  'a chain over the members of a union',
  closedChains,
  {
    valid: [
      component(`${two}<template v-else>{{ assertNever(a) }}</template>`),
      // One member and the rest, and chains over different things.
      component(`<p v-if="a === 'b'" /><p v-else />`),
      component(`<p v-if="a === 'b'" /><p v-else-if="c" /><p v-else />`),
      component(`<p v-if="a === 'b'" /><p v-else-if="c === 'd'" />`),
      component(`<p v-if="a === 'b'" /><p v-if="a === 'c'" />`),
    ],
    invalid: [
      { ...component(two), ...open('a.kind') },
      { ...component(`${two}<p v-else />`), ...open('a.kind') },
      {
        ...component(`<p v-if="a === 'b'" /><p v-else-if="a === 'c'" /><p v-else>{{ a }}</p>`),
        ...open('a'),
      },
    ],
  },
);
