import type { Rule } from 'eslint';

export const closedChains: Rule.RuleModule;
