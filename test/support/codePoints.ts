import fc from 'fast-check';

const surrogates = 0x800;
const firstSurrogate = 0xd800;

/**
 * Any code point but surrogates, as the unit of a string: what fast-check calls `binary`, without the table of
 * a million strings that it makes for it, which costs each thread a second.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat({ max: 0x10_ffff - surrogates }).map(
  (at) => String.fromCodePoint(at < firstSurrogate ? at : at + surrogates),
  (text) => {
    const code = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
    if (code < 0 || text !== String.fromCodePoint(code)) throw new Error('It is no code point');
    if (code < firstSurrogate) return code;
    if (code < firstSurrogate + surrogates) throw new Error('It is half a code point');
    return code - surrogates;
  },
);
