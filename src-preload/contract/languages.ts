import { languages, type Language, type Preferences } from './preferences.ts';

/** A tag's language and script, which tells `zh-CN` and `zh-SG` from `zh-TW`; null where it is no tag. */
function scriptOf(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script ?? ''}`;
  } catch {
    return null;
  }
}

/** The first of `wished` (BCP 47 tags, best first) that the console has, in the same script; else English. */
function bestLanguage(wished: readonly string[]): Language {
  for (const wish of wished) {
    const script = scriptOf(wish);
    const found = languages.find((language) => scriptOf(language) === script);
    if (found !== undefined) return found;
  }
  return 'en';
}

/** The language that a preference means on a computer whose owner reads `wished` (BCP 47 tags, best first). */
export const languageOf = (preference: Preferences['language'], wished: readonly string[]): Language =>
  preference === 'system' ? bestLanguage(wished) : preference;
