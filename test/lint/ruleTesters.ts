/** Testers of the rules of `build/lint` for a component and for other code. */
import { RuleTester } from 'eslint';
import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';

RuleTester.describe = describe;
RuleTester.it = it;

const { parser } = tseslint;
const ofComponents = vue.configs['flat/base'].find(({ files }) => files)?.languageOptions;

export const inCode = new RuleTester({ languageOptions: { parser } });
export const inComponents = new RuleTester({
  languageOptions: { ...ofComponents, parserOptions: { parser } },
});

export const component = (template: string, script = ''): { code: string; filename: string } => ({
  code: `<script setup lang="ts">${script}</script><template><div>${template}</div></template>`,
  filename: 'A.vue',
});
