import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';
import { ignored } from './build/lint/ignored.mjs';
import { literalText } from './build/lint/literalText.mjs';
import { restrictions } from './build/lint/restrictions.mjs';

export default tseslint.config(
  { ignores: ignored },
  ...tseslint.configs.recommended,
  ...vue.configs['flat/recommended'],
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      'vue/no-v-html': 'error',
      'vue/no-static-inline-styles': 'error',
      'vue/multi-word-component-names': 'off',
      // Prettier decides about layout.
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
  {
    files: ['src-renderer/**/*.{ts,vue}', 'src-main/core/**/*.ts'],
    ignores: ['src-renderer/locales/**', '**/*.d.ts'],
    plugins: { words: { rules: { 'literal-text': literalText } } },
    rules: { 'words/literal-text': 'error' },
  },
);
