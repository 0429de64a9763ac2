/** Values as frames of bytes, for the socket between a page's preload and the main process on the stand-in. */
export interface Wire {
  /** @throws TypeError for what the contract never sends, such as a Map. */
  encode(value: unknown): Uint8Array<ArrayBuffer>;
  decode(frame: Uint8Array): unknown;
}

/**
 * Makes both directions. Plain data arrives as it was, `undefined`, -0 and NaN included; bytes lie behind the text as
 * they are, so that a test that looks for a secret in the frames finds it.
 *
 * The function is also written into pages as text, so it uses nothing from outside of itself.
 */
export function makeWire(): Wire {
  const special = '\0';
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  const mapped = (value: object, change: (part: unknown) => unknown): object =>
    Array.isArray(value)
      ? Array.from(value, change)
      : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));

  const encode = (value: unknown): Uint8Array<ArrayBuffer> => {
    const tails: Uint8Array[] = [];
    const pack = (part: unknown): unknown => {
      if (part === undefined) return { [special]: 'undefined' };
      if (typeof part === 'number' && (!Number.isFinite(part) || Object.is(part, -0))) {
        return { [special]: 'number', text: Object.is(part, -0) ? '-0' : String(part) };
      }
      if (part === null || ['string', 'number', 'boolean'].includes(typeof part)) return part;
      if (part instanceof Uint8Array) {
        tails.push(part);
        return { [special]: 'bytes', length: part.byteLength };
      }
      const prototype: unknown = isObject(part) ? Object.getPrototypeOf(part) : undefined;
      const plain = prototype === Object.prototype || prototype === null || Array.isArray(part);
      if (!isObject(part) || !plain || Object.hasOwn(part, special)) {
        throw new TypeError('The stand-in carries plain data and Uint8Array only');
      }
      return mapped(part, pack);
    };
    const text = new TextEncoder().encode(JSON.stringify(pack(value)));
    const frame = new Uint8Array(
      tails.reduce((sum, { byteLength }) => sum + byteLength, 4 + text.byteLength),
    );
    new DataView(frame.buffer).setUint32(0, text.byteLength);
    let at = 4;
    for (const piece of [text, ...tails]) {
      frame.set(piece, at);
      at += piece.byteLength;
    }
    return frame;
  };

  const decode = (frame: Uint8Array): unknown => {
    const length = new DataView(frame.buffer, frame.byteOffset).getUint32(0);
    let at = 4 + length;
    const unpack = (part: unknown): unknown => {
      if (!isObject(part)) return part;
      switch (part[special]) {
        case 'undefined':
          return undefined;
        case 'number':
          return Number(part['text']);
        case 'bytes':
          // A copy, as `slice` of a Node Buffer would be none.
          return new Uint8Array(frame.subarray(at, (at += Number(part['length']))));
        default:
          return mapped(part, unpack);
      }
    };
    return unpack(JSON.parse(new TextDecoder().decode(frame.subarray(4, at))));
  };
  return { encode, decode };
}
