import prototypes from 'unhomoglyph/data.json' with { type: 'json' };
import { hiddenCharacters } from '../../src-preload/contract/index.ts';

/** By character, what it looks like (Unicode TR39, `confusables.txt`). */
const looksLike: Readonly<Record<string, string | undefined>> = prototypes;

/**
 * The same for all texts that read alike: without what is hidden, each character as what it looks like, blanks as one
 * (Unicode TR39, skeleton).
 */
export const skeleton = (text: string): string =>
  Array.from(
    text.replaceAll(hiddenCharacters, '').normalize('NFKC').normalize('NFD'),
    (character) => looksLike[character] ?? character,
  )
    .join('')
    .normalize('NFD')
    .replaceAll(/\s+/gu, ' ')
    .trim();
