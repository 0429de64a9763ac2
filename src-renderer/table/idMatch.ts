import { fold } from './fold.ts';
import type { IncidentTable } from './table.ts';

/** Every byte as it is compared: capital letters of ASCII as small ones. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));
const ascii = 0x80;

/**
 * Tells whether the id of a row holds a folded text, from the id's bytes: ids are ASCII as a rule, and only
 * one that is not is decoded. What it answers holds until the table's next frame.
 */
export function idMatcher(table: IncidentTable, text: string): (row: number) => boolean {
  const wanted = new TextEncoder().encode(text);
  const first = wanted[0] ?? 0;
  const { bytes, from, to } = table.ids;
  return (row) => {
    const end = to[row] as number;
    const last = end - wanted.length;
    let every = 0;
    for (let at = from[row] as number; at < end; at += 1) {
      const byte = bytes[at] as number;
      every |= byte;
      if (folded[byte] !== first || at > last) continue;
      let next = 1;
      while (next < wanted.length && folded[bytes[at + next] as number] === wanted[next]) next += 1;
      if (next === wanted.length) return true;
    }
    return every >= ascii && fold(table.idAt(row)).includes(text);
  };
}
