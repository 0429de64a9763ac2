import { describe, expect, it } from 'vitest';
import { makeWire } from '../../e2e/standIn/wire.ts';

const wire = makeWire();
const carried = (value: unknown): unknown => wire.decode(wire.encode(value));

describe('the wire of the stand-in', () => {
  it.each([
    ['text', 'Überschwemmung\0'],
    ['nothing', null],
    ['undefined', undefined],
    ['minus zero', -0],
    ['not a number', Number.NaN],
    ['infinity', -Infinity],
    ['an object with an undefined member', { a: undefined, b: [1, undefined, { c: false }] }],
    ['an own __proto__', JSON.parse('{"__proto__": {"polluted": true}}')],
    ['bytes among others', [new Uint8Array([1, 2]), { rest: new Uint8Array([3]) }, new Uint8Array()]],
  ])('carries %s as it is', (_name, value) => {
    expect(carried(value)).toStrictEqual(value);
  });

  it('carries the part of a larger buffer that was given, as a copy', () => {
    const frame = wire.encode(new Uint8Array([9, 1, 2, 9]).subarray(1, 3));
    const within = new Uint8Array([7, ...frame]).subarray(1);
    const bytes = wire.decode(within) as Uint8Array;
    within.fill(0);
    expect(bytes).toStrictEqual(new Uint8Array([1, 2]));
    expect(bytes.buffer.byteLength).toBe(2);
  });

  it('leaves bytes readable in the frame', () => {
    const secret = Buffer.from('a token of the service');
    expect(Buffer.from(wire.encode({ secret: new Uint8Array(secret) })).includes(secret)).toBe(true);
  });

  it.each([
    ['a Map', new Map()],
    ['a Date', new Date(0)],
    ['a function', () => undefined],
    ['another array of numbers', new Float64Array(1)],
    ['what looks like its own marks', { '\0': 'bytes', length: 4 }],
  ])('refuses %s', (_name, value) => {
    expect(() => wire.encode({ value })).toThrow('plain data');
  });
});
