import type { Seeded } from '../../../src-main/training/seeded.ts';

/** Stands for `text` as it is, without quotes, where `jsonText` prints a value. */
export const verbatim = (text: string): string => `@verbatim:${text}@`;

/** JSON text of a value in which `verbatim` texts stand unquoted. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/"@verbatim:([^@]*)@"/g, (_match, text: string) =>
    String(JSON.parse(`"${text}"`)),
  );

/** Sets a member that is the object's own whatever its name is, `__proto__` included. */
export function setOwn(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

const deep = (depth: number): string => verbatim('['.repeat(depth) + ']'.repeat(depth));

/** Values that no field of the interface should have, as a parser or a printer may stumble on them. */
const junk: readonly [unknown, ...unknown[]] = [
  null,
  true,
  '',
  0,
  -1,
  1.5,
  [],
  {},
  '<img src=x onerror=alert(1)>',
  '\ud800',
  'a\udc00b',
  '\u0000',
  '\u202eABC',
  'constructor',
  'x'.repeat(70_000),
  [[[]]],
  [null, 'x', {}],
  { length: 3, 0: 'x' },
  { toJSON: 'x', then: 'y', valueOf: 1 },
  verbatim('1e400'),
  verbatim('-1e400'),
  verbatim('123456789012345678901234567890'),
  verbatim('-0'),
  verbatim('5e-324'),
  verbatim('{"__proto__":{"id":"polluted","token":"polluted","expires_at":1,"status":"polluted"}}'),
  deep(70),
];

/** Mostly one of the list above; now and then a nesting that no recursion survives, or made-up text. */
export function drawJunk(draw: Seeded): unknown {
  const kind = draw.below(40);
  if (kind === 0) return deep(20_000 + draw.below(20_000));
  if (kind < 4) return drawText(draw, 300);
  if (kind < 6) return (draw.next() - 0.5) * 10 ** draw.below(300);
  return draw.pick(junk);
}

/** Any UTF-16 units, lone surrogates among them. */
export const drawText = (draw: Seeded, limit: number): string =>
  String.fromCharCode(...Array.from({ length: draw.below(limit) }, () => draw.below(0x1_0000)));

export const drawBytes = (draw: Seeded, limit: number): Uint8Array =>
  Uint8Array.from({ length: draw.below(limit) }, () => draw.below(256));

/** One to eight damages to a copy of the bytes: flips, cuts, doublings, and bytes put in. */
export function damage(bytes: Uint8Array, draw: Seeded): Uint8Array {
  let damaged = Uint8Array.from(bytes);
  for (let left = 1 + draw.below(8); left > 0; left -= 1) {
    const at = draw.below(damaged.length + 1);
    switch (draw.below(6)) {
      case 0:
        damaged = damaged.slice(0, at);
        break;
      case 1:
        damaged = joined(damaged.subarray(0, at), drawBytes(draw, 16), damaged.subarray(at));
        break;
      case 2:
        damaged = joined(damaged.subarray(0, at), damaged.subarray(at + draw.below(16)));
        break;
      case 3:
        damaged = joined(damaged.subarray(0, at), damaged.subarray(at - draw.below(Math.min(at, 32) + 1)));
        break;
      default:
        if (at < damaged.length) damaged[at] = (damaged[at] ?? 0) ^ (1 << draw.below(8));
    }
  }
  return damaged;
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.concat(parts));
