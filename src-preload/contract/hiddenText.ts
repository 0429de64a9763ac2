/** Scripts that write letters in two ways, and choose between them by a joiner that shows nothing. */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu'],
  ...['Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const picture = '\\p{Extended_Pictographic}';

/** Joiners and selectors where a script or an emoji needs them. */
const inPlace = [
  `(?<=[${joiningScripts}])[\\u200c\\u200d](?=[${joiningScripts}])`,
  `(?<=${picture})[\\ufe0e\\ufe0f]`,
  `(?<=${picture}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=${picture})`,
].join('|');

/** Control, format, tag, private and default-ignorable characters, those that change direction, and the blank braille. */
const nothingToSee =
  '[\\p{Cc}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\ufff9-\\ufffb\\u2800]';

/**
 * Characters that show nothing, or change how others are read: with them a text reads as another one. Joiners that a
 * script or an emoji needs are none.
 */
export const hiddenCharacters = new RegExp(`(?!${inPlace})${nothingToSee}`, 'gu');

/** `[U+202E]`: stands in the place of a character. */
export const codePointMark = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
