import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';

const wallClock =
  'Time comes from the Clock port (or the mirror’s station clock): a computer’s clock may be a day wrong.';

const shallowSource =
  'Write () => it.value: with a shallowRef among its sources, Vue runs a watcher each time anything it reads is told anew, changed or not.';

export default tseslint.config(
  { ignores: ['out/', 'dist/', 'node_modules/', 'test/fixtures/', 'test-results/'] },
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
  {
    files: ['src-*/**/*.{ts,vue}'],
    ignores: ['src-main/adapters/clock.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': ['error', { object: 'Date', property: 'now', message: wallClock }],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: wallClock },
        {
          selector: 'AssignmentExpression > MemberExpression[property.name=/^(inner|outer)HTML$/]',
          message: 'Text is text: no markup from strings.',
        },
        {
          selector:
            "CallExpression[callee.name='watch'] > ArrayExpression.arguments:first-child > Identifier",
          message: shallowSource,
        },
        {
          selector: "CallExpression[callee.property.name='insertAdjacentHTML']",
          message: 'Text is text: no markup from strings.',
        },
      ],
    },
  },
);
