import type { ThemeTokens } from '../../src-renderer/design/tokens.ts';

type Token = Exclude<keyof ThemeTokens, 'scheme' | 'stroke' | 'marks' | 'scrim' | 'shadow'>;
type Pair = readonly [Token, Token];

export const severityTokens: readonly Token[];
export const textPairs: readonly Pair[];
export const shapePairs: readonly Pair[];
