import { RuleTester } from 'eslint';
import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';
import { saidOnce } from '../../build/lint/saidOnce.ts';

RuleTester.describe = describe;
RuleTester.it = it;

const ofComponents = vue.configs['flat/base'].find(({ files }) => files)?.languageOptions;
const component = (template: string): { code: string; filename: string } => ({
  code: `<script setup lang="ts"></script><template><div>${template}</div></template>`,
  filename: 'A.vue',
});
const twice = (state: string): { errors: object[] } => ({
  errors: [{ messageId: 'twice', data: { state } }],
});

new RuleTester({ languageOptions: { ...ofComponents, parserOptions: { parser: tseslint.parser } } }).run(
  'the name of what is pressed',
  saidOnce,
  {
    valid: [
      component(`<button :aria-pressed="held" @click="held ? stop() : hold()">{{ t('hold') }}</button>`),
      component(`<button>{{ t(held ? 'held' : 'hold') }}</button>`),
      component(`<button :aria-pressed="held">{{ t(named ? 'hold' : 'pause') }}</button>`),
    ],
    invalid: [
      {
        ...component(`<button :aria-pressed="held">{{ held ? t('a') : t('b') }}</button>`),
        ...twice('held'),
      },
      { ...component(`<Tip :name="t(a.open ? 'b' : 'c')" :aria-pressed="a.open" />`), ...twice('a.open') },
    ],
  },
);
