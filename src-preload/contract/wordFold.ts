/**
 * A severity or a status as it is compared: two texts that fold to the same are one word.
 *
 * The fold is the same on every computer: `toLocaleLowerCase` turns `CRITICAL` into `crıtıcal` on a Turkish
 * one. Through upper case first, so that dotless i, long s and final sigma fold with their letters; the dot
 * that lower-casing leaves on `İ` is dropped. Invisible signs, blanks at the ends, and the difference
 * between blank, hyphen and underscore tell no words apart.
 */
export const foldWord = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('i\u0307', 'i')
    .normalize('NFKC')
    .replaceAll(/[\s_\-‐‑–]+/gu, ' ')
    .trim();
