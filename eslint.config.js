import { readdirSync, readFileSync } from 'node:fs';
import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';
import { ignored } from './build/lint/ignored.ts';
import { closedChains } from './build/lint/closedChains.ts';
import { functionLength } from './build/lint/functionLength.ts';
import { handledKeys, listedKeys, lookedAt } from './build/lint/handledKeys.ts';
import { literalText } from './build/lint/literalText.ts';
import { keysOfOneForm, messagesOf, numberForms } from './build/lint/numberForms.ts';
import { restrictions } from './build/lint/restrictions.ts';
import { saidOnce } from './build/lint/saidOnce.ts';
import { sentencePieces } from './build/lint/sentencePieces.ts';
import { wholeSentences } from './build/lint/wholeSentences.ts';

const english = new URL('src-preload/contract/messages/en/', import.meta.url);
const messages = readdirSync(english)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) =>
    messagesOf(
      JSON.parse(readFileSync(new URL(name, english), 'utf8')),
      `${name.slice(0, -'.json'.length)}.`,
    ),
  );

export default tseslint.config(
  { ignores: ignored },
  ...tseslint.configs.recommended,
  ...vue.configs['flat/recommended'],
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    plugins: {
      unions: { rules: { 'closed-chains': closedChains } },
      states: { rules: { 'said-once': saidOnce } },
    },
    rules: {
      'states/said-once': 'error',
      'unions/closed-chains': 'error',
      'vue/no-v-html': 'error',
      'vue/no-static-inline-styles': 'error',
      'vue/multi-word-component-names': 'off',
      // The formatter decides about layout.
      'vue/max-attributes-per-line': 'off',
      'vue/html-indent': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
    },
  },
  {
    files: ['**/*.{ts,mts,js,mjs,vue}'],
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  ...restrictions,
  ...functionLength,
  {
    files: ['src-renderer/**/*.{ts,vue}', 'src-main/core/**/*.ts'],
    ignores: ['src-renderer/i18n/messages/**', '**/*.d.ts'],
    plugins: {
      words: {
        rules: {
          'literal-text': literalText,
          'number-forms': numberForms,
          'sentence-pieces': sentencePieces,
        },
      },
    },
    rules: { 'words/literal-text': 'error' },
  },
  {
    files: ['src-renderer/**/*.{ts,vue}'],
    ignores: ['src-renderer/i18n/messages/**', '**/*.d.ts'],
    rules: {
      'words/number-forms': ['error', keysOfOneForm(messages)],
      'words/sentence-pieces': 'error',
    },
  },
  {
    files: ['src-renderer/**/*.{ts,vue}'],
    ignores: ['src-renderer/i18n/messages/**', ...lookedAt.map((file) => `src-renderer/${file}`)],
    plugins: { keys: { rules: { listed: listedKeys } } },
    rules: { 'keys/listed': 'error' },
  },
  ...Object.values(handledKeys)
    .flatMap((files) => Object.entries(files))
    .map(([file, keys]) => ({
      files: [`src-renderer/${file}`],
      rules: { 'keys/listed': ['error', keys] },
    })),
  ...wholeSentences,
);
