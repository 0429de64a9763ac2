const mostBytes = 255;

/**
 * A file's name as it is shown and sent: without the path it may come with, without control
 * characters and those that turn the direction of text, at most 255 bytes of UTF-8. Null when nothing
 * is left.
 */
export function safeFileName(given: string): string | null {
  const name = given
    .toWellFormed()
    .split(/[/\\]/)
    .findLast((part) => part.trim() !== '');
  const plain = (name ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '').trim();
  const cut = cutToBytes(plain, mostBytes);
  return cut === '' || cut === '.' || cut === '..' ? null : cut;
}

/** Cuts at a code point. */
function cutToBytes(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** A name or file name inside a form's header, escaped as the WHATWG's rule for `form-data` has it. */
export const formName = (name: string): string =>
  name.replace(/["\r\n]/g, (character) => (character === '"' ? '%22' : character === '\r' ? '%0D' : '%0A'));
