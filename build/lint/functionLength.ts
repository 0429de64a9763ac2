import type { Linter } from 'eslint';

/** How long a function may be, as a configuration of ESLint. Every line counts, also blank ones and comments. */
export const mostLines = 100;

const bounded = ['src-main', 'src-preload', 'src-renderer', 'build'];

export const functionLength: Linter.Config[] = [
  {
    files: bounded.map((folder) => `${folder}/**/*.{ts,mts,js,mjs,vue}`),
    rules: {
      'max-lines-per-function': [
        'error',
        { max: mostLines, skipBlankLines: false, skipComments: false, IIFEs: true },
      ],
    },
  },
];
