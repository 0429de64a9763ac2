import { join } from 'node:path';
import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';
import { literalText } from './literalText.mjs';

/**
 * Rules of ESLint that need types: some hundred times as slow as the others, and so a stage by themselves.
 * They do not look into the templates of components: vue-tsc does.
 */
const rules = {
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': 'error',
};

const plugins = {
  '@typescript-eslint': tseslint.plugin,
  // Named in comments that leave it out.
  words: { rules: { 'literal-text': literalText } },
};
const root = join(import.meta.dirname, '../..');

/** The rules for these files, which are all of that tsconfig, a path from the root. */
export const typedScripts = (tsconfig, files) => ({
  files,
  plugins,
  rules,
  linterOptions: { reportUnusedDisableDirectives: 'off' },
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: { project: tsconfig, tsconfigRootDir: root },
  },
});

/** The same for the scripts of components. */
export const typedComponents = (tsconfig, files) => [
  ...vue.configs['flat/base'],
  {
    files,
    plugins,
    rules,
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    languageOptions: {
      parserOptions: {
        parser: tseslint.parser,
        project: tsconfig,
        tsconfigRootDir: root,
        extraFileExtensions: ['.vue'],
      },
    },
  },
];
