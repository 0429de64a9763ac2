import type { Linter } from 'eslint';

export const mostLines: number;
export const functionLength: Linter.Config[];
