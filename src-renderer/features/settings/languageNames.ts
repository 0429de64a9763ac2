import type { Language } from '../../../src-preload/contract/index.ts';

/** Each language by the name that its own speakers look for, whatever the page's language is. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  ar: 'العربية',
  hi: 'हिन्दी',
  'zh-Hans': '简体中文',
};
