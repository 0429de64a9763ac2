/** Letters that Unicode does not take apart into a letter and a mark. */
const loneLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ى: 'ي',
  ة: 'ه',
};

/**
 * How a name is compared: without case, accents, apostrophes and hyphens; Arabic as it is typed in a hurry,
 * without signs over and under its letters. A vowel sign of Hindi is a letter, its dot (ज़) is not always typed.
 */
export function foldName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{Script=Inherited}\u093c\u0640'’‘ʻʼ`]/gu, '')
    .replace(/[łøđðþßæœıىة]/g, (letter) => loneLetters[letter] ?? letter)
    .replace(/[\s\-–.,_/()（）]+/g, ' ')
    .trim();
}
