import { languages, type Language, type Preferences } from '../../src-preload/contract/index.ts';
import type { Messages } from './index.ts';

/** A language's files by their paths, `.../es/alarms.json`. */
type Files = Readonly<Record<string, unknown>>;
type Loader = () => Promise<{ readonly default: Files }>;

/** Each language is a chunk of its own, except English, which the page always has. */
const loaders = import.meta.glob<{ readonly default: Files }>(['./messages/*.ts', '!./messages/en.ts']);

const loaderOf = (language: Language): Loader | undefined => loaders[`./messages/${language}.ts`];

/** The languages that this page can be read in. */
export const presentLanguages: readonly Language[] = languages.filter(
  (language) => language === 'en' || loaderOf(language) !== undefined,
);

/**
 * The words of a language that is not English, each file under the name that `messages/en.ts` gives it.
 * Rejects where they cannot be fetched, or are not there.
 */
export async function loadMessages(language: Language): Promise<Messages> {
  const loader = loaderOf(language);
  if (loader === undefined) throw new Error(`no words for ${language}`);
  const { default: files } = await loader();
  const areas = Object.entries(files).map(([name, words]) => [areaOf(name), words]);
  // That every language has what English has is tested.
  return Object.fromEntries(areas) as Messages;
}

const areaOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.json'.length);

/** A tag's language and script, which tells `zh-CN` and `zh-SG` from `zh-TW`; null where it is no tag. */
function scriptOf(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script ?? ''}`;
  } catch {
    return null;
  }
}

/** The first of `wished` (BCP 47 tags, best first) that is among `offered`, in the same script; else English. */
export function bestLanguage(wished: readonly string[], offered: readonly Language[]): Language {
  for (const wish of wished) {
    const script = scriptOf(wish);
    const found = offered.find((language) => scriptOf(language) === script);
    if (found !== undefined) return found;
  }
  return 'en';
}

/** The language that a preference means on a computer whose owner reads `wished`. */
export const languageOf = (
  preference: Preferences['language'],
  wished: readonly string[],
  offered: readonly Language[] = presentLanguages,
): Language => (preference === 'system' ? bestLanguage(wished, offered) : preference);
