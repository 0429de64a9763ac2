import type { Seeded } from '../../../src-main/training/seeded.ts';

/**
 * MessagePack that costs a careless reader far more than its bytes, or makes it build what no JSON has.
 */

const undefinedValue = Buffer.from([0xd4, 0x00, 0x00]);
const reference = (id: number): Buffer => numbered(Buffer.from([0xd6, 0x70]), id);
const identified = (id: number, value: Uint8Array): Buffer =>
  Buffer.concat([numbered(Buffer.from([0xd6, 0x69]), id), value]);

function numbered(head: Uint8Array, number: number): Buffer {
  const bytes = Buffer.alloc(head.length + 4);
  bytes.set(head);
  bytes.writeUInt32BE(number, head.length);
  return bytes;
}
const array = (length: number): Buffer => numbered(Buffer.from([0xdd]), length);
const map = (length: number): Buffer => numbered(Buffer.from([0xdf]), length);
const text = (words: string): Buffer =>
  Buffer.from(`\xd9${String.fromCharCode(words.length)}${words}`, 'latin1');

/**
 * An array of one object and `references` to it, and a byte too many. msgpackr prints what it read into its
 * complaint about that byte, and walks the object's `members` once for each reference.
 */
export function sharedReferences(members: number, references: number): Buffer {
  const object = [map(members)];
  for (let index = 0; index < members; index += 1) object.push(text(index.toString(36)), undefinedValue);
  return Buffer.concat([
    array(references + 1),
    identified(1, Buffer.concat(object)),
    ...Array.from({ length: references }, () => reference(1)),
    Buffer.from([0xc0]),
  ]);
}

/** An array inside an array, `depth` times, each held twice by the one around it: 2 ** depth to walk. */
export function doublingReferences(depth: number): Buffer {
  const parts: Uint8Array[] = [];
  for (let level = depth; level > 0; level -= 1) parts.push(identified(level, array(2)));
  parts.push(Buffer.from([0x90]));
  // The innermost array is held once more by the one around it, and so on outwards.
  for (let level = 0; level < depth; level += 1) {
    parts.push(level === 0 ? Buffer.from([0x90]) : reference(level));
  }
  return Buffer.concat(parts);
}

/** Each of MessagePack's and msgpackr's extensions as a value, by name. */
export const extensions: Readonly<Record<string, Uint8Array>> = {
  undefined: undefinedValue,
  'a timestamp': numbered(Buffer.from([0xd6, 0xff]), 1),
  'a long timestamp': Buffer.concat([Buffer.from([0xc7, 12, 0xff]), Buffer.alloc(12)]),
  'a record': Buffer.concat([Buffer.from([0xd4, 0x72, 0x40, 0x91]), text('a'), Buffer.from([0x01])]),
  'a record with two bytes': Buffer.concat([
    Buffer.from([0xd5, 0x72, 0x40, 0x01, 0x91]),
    text('a'),
    Buffer.from([0x01]),
  ]),
  'a set': Buffer.from([0xd4, 0x73, 0x00, 0x91, 0x01]),
  'an error': Buffer.concat([Buffer.from([0xd4, 0x65, 0x00, 0x92]), text('Error'), text('no')]),
  'an expression': Buffer.concat([Buffer.from([0xd4, 0x78, 0x00, 0x92]), text('(a+)+$'), text('')]),
  'a typed array': Buffer.from([0xc7, 5, 0x74, 5, 0, 0, 0, 0]),
  'a large number': Buffer.concat([Buffer.from([0xc7, 16, 0x42]), Buffer.alloc(16, 1)]),
  'bundled texts': Buffer.from([0xd6, 0x62, 0, 0, 0, 1, 0xa0, 0xa0, 0xa0]),
  'a reference to nothing': reference(7),
  'a shared reference': Buffer.concat([array(2), identified(1, Buffer.from([0x80])), reference(1)]),
  'a value in a cycle': Buffer.concat([identified(1, array(1)), reference(1)]),
  'an unknown one': Buffer.from([0xd4, 0x55, 0x00]),
};

/** A call whose request is one member with this value. */
export const callWith = (value: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([0x84]),
    ...[text('kind'), text('call'), text('id'), Buffer.from([0x01]), text('verb'), text('lock')],
    ...[text('request'), Buffer.from([0x81]), text('x'), value],
  ]);

/** Any of them, alone or in a call, some with a byte too many. */
export function drawHostile(draw: Seeded): Uint8Array {
  const names = Object.keys(extensions) as [string, ...string[]];
  const drawn = ((): Uint8Array => {
    switch (draw.below(8)) {
      case 0:
        return sharedReferences(1 + draw.below(19_000), 1 + draw.below(23_000));
      case 1:
        return doublingReferences(20 + draw.below(2_000));
      case 2:
        return Buffer.alloc(1 + draw.below(200_000), draw.pick([0x91, 0x81, 0xdc, 0xd4, 0xd6]));
      case 3:
        return Buffer.concat([draw.pick([array, map])(draw.below(2 ** 32)), Buffer.alloc(draw.below(2_000))]);
      // More values than any message of a page has, each of them allowed.
      case 4: {
        const count = 70_000 + draw.below(100_000);
        return Buffer.concat([array(count), Buffer.alloc(count, 0xc0)]);
      }
      default:
        return extensions[draw.pick(names)] ?? undefinedValue;
    }
  })();
  const sent = draw.below(2) === 0 ? drawn : callWith(drawn);
  return draw.below(4) === 0 ? Buffer.concat([sent, Buffer.from([0xc0])]) : sent;
}
