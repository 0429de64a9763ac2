import type { Linter } from 'eslint';

export const restrictions: readonly Linter.Config[];
