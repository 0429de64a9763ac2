import type { Linter } from 'eslint';

export const typedScripts: (tsconfig: string, files: readonly string[]) => Linter.Config;
export const typedComponents: (tsconfig: string, files: readonly string[]) => readonly Linter.Config[];
