import {
  mostPlaces,
  type CoordinateFormat,
  type Position,
  type Wording,
} from '../../src-preload/contract/index.ts';
import { i18n, language } from '../i18n/index.ts';
import { formatPosition } from './coordinates/index.ts';

/**
 * How this page's operator reads, for what the console writes on paper: the core's messages under `area`, all
 * of them for null, and these places in the chosen form; in MGRS where that is decimal degrees, which stand
 * on paper anyway.
 */
export function wordingOf(
  area: string | null,
  chosen: CoordinateFormat,
  positions: Iterable<Position>,
): Wording {
  const format = chosen === 'dd' ? 'mgrs' : chosen;
  const texts = new Map<string, Wording['places']['texts'][number]>();
  for (const { latitude, longitude } of positions) {
    if (texts.size === mostPlaces) break;
    const key = `${latitude},${longitude}`;
    if (texts.has(key)) continue;
    texts.set(key, [latitude, longitude, formatPosition({ latitude, longitude }, format)]);
  }
  return {
    language: language.value,
    messages: Object.fromEntries(coreMessages().filter(([id]) => area === null || id.startsWith(`${area}.`))),
    places: { format, texts: [...texts.values()] },
  };
}

/** The console's sentences in the page's language by their ids; none in English, which the console knows. */
function coreMessages(): [id: string, message: string][] {
  const { core } = i18n.global.getLocaleMessage(language.value) as { readonly core?: Tree };
  return core === undefined ? [] : flat(core, '');
}

interface Tree {
  readonly [name: string]: string | Tree;
}

const flat = (tree: Tree, prefix: string): [string, string][] =>
  Object.entries(tree).flatMap(([name, entry]): [string, string][] =>
    typeof entry === 'string' ? [[`${prefix}${name}`, entry]] : flat(entry, `${prefix}${name}.`),
  );
