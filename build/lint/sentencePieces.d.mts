import type { Rule } from 'eslint';

export const sentencePieces: Rule.RuleModule;
