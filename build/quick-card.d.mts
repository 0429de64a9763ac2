import type { Language } from '../src-preload/contract/preferences.ts';

/** The operator's quick card in a language, as one HTML page that fetches nothing. */
export declare function quickCard(language: Language): string;
