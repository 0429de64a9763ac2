/** What an operator wrote, as it is kept: line ends as one, no control characters, no space around it. */
export const cleanNote = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim();
