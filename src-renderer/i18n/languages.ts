import type { Language } from '../../src-preload/contract/index.ts';
import type { Messages } from './index.ts';

/** A language's files by their paths, `.../es/alarms.json`. */
type Files = Readonly<Record<string, unknown>>;
type Loader = () => Promise<{ readonly default: Files }>;

/** Each language is a separate chunk, except English, which the page always has. */
const loaders = import.meta.glob<{ readonly default: Files }>(['./messages/*.ts', '!./messages/en.ts']);

const loaderOf = (language: Language): Loader | undefined => loaders[`./messages/${language}.ts`];

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
