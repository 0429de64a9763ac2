import type { Rule } from 'eslint';

export const handledKeys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
export const lookedAt: readonly string[];
export const listedKeys: Rule.RuleModule;
