import { listedPairs } from './build/lint/listedPairs.ts';

const pixels = ['/\\dpx/'];

export default {
  ignoreFiles: ['src-renderer/public/**'],
  plugins: [listedPairs],
  rules: {
    'field-console/listed-pairs': true,
    // Text and its lines grow with the text size, and lines of borders with the theme.
    'declaration-property-value-disallowed-list': {
      'font-size': pixels,
      'line-height': pixels,
      '/^border/': ['/^1px (?:solid|dashed)/'],
    },
  },
  overrides: [
    { files: ['**/*.vue'], customSyntax: 'postcss-html' },
    // The looks of themes are pictures, as wide in every theme.
    {
      files: ['src-renderer/features/settings/ThemeChoice.vue'],
      rules: { 'declaration-property-value-disallowed-list': null },
    },
  ],
};
