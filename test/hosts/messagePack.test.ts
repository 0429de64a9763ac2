import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import {
  isPlainPack,
  packerOptions,
  pageMessageLimits,
  type PackLimits,
} from '../../src-preload/contract/index.ts';
import { callWith, doublingReferences, extensions, sharedReferences } from '../faults/support/hostilePack.ts';

const packer = new Packr(packerOptions);
const limits: PackLimits = { depth: 4, values: 100, bytes: false };
const hex = (digits: string): Uint8Array => Buffer.from(digits, 'hex');

/** How many values a built value has, keys included, and how deep it is. */
function measure(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 };
  const inner = (Array.isArray(value) ? value : Object.values(value)).map(measure);
  const keys = Array.isArray(value) ? 0 : inner.length;
  return {
    values: inner.reduce((sum, { values }) => sum + values, 1 + keys),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

const jsonValue = fc.jsonValue({ maxDepth: 6, noUnicodeString: false });

describe('plain MessagePack', () => {
  it('is whatever JSON says, as the packer writes it, within its depth and its count', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const bytes = packer.pack(value);
        const { values, depth } = measure(value);
        expect(isPlainPack(bytes, { depth, values, bytes: false })).toBe(true);
        expect(isPlainPack(bytes, { depth, values: values - 1, bytes: false })).toBe(false);
        if (depth > 0) expect(isPlainPack(bytes, { depth: depth - 1, values, bytes: false })).toBe(false);
      }),
    );
  });

  it('is nothing that is cut or goes on', () => {
    fc.assert(
      fc.property(jsonValue, fc.nat(), (value, at) => {
        const bytes = packer.pack(value);
        const most = { depth: 100, values: 100_000, bytes: true };
        expect(isPlainPack(bytes.subarray(0, at % bytes.length), most)).toBe(false);
        expect(isPlainPack(Buffer.concat([bytes, hex('c0')]), most)).toBe(false);
      }),
    );
  });

  it('is read by the packer whenever it passes, whatever the bytes are, and holds no more than it said', () => {
    const token = fc.constantFrom(
      0x00,
      0x81,
      0x91,
      0x92,
      0xa1,
      0xc0,
      0xc4,
      0xcb,
      0xcf,
      0xd3,
      0xd9,
      0xdc,
      0xde,
    );
    const byte = fc.oneof(token, fc.integer({ min: 0, max: 255 }));
    let passed = 0;
    fc.assert(
      fc.property(fc.array(byte, { minLength: 1, maxLength: 40 }), (drawn) => {
        const bytes = Uint8Array.from(drawn);
        if (!isPlainPack(bytes, limits)) return;
        passed += 1;
        // Equal keys become one member, so that there may be fewer.
        const { values, depth } = measure(packer.unpack(bytes));
        expect(values).toBeLessThanOrEqual(limits.values);
        expect(depth).toBeLessThanOrEqual(limits.depth);
      }),
      { numRuns: 20_000, seed: 7 },
    );
    expect(passed).toBeGreaterThan(500);
  });

  it.each([
    ['nothing', ''],
    ['the byte without a meaning', 'c1'],
    ['an array that claims 4 billion', 'ddffffffff'],
    ['a map that claims 4 billion', 'dfffffffff'],
    ['a text that claims 4 billion', 'dbffffffff61'],
    ['a number as a key', '810101'],
    ['an array as a key', '819001'],
    ['an object as a key', '818001'],
    ['nil as a key', '81c001'],
    ['a byte string', 'c40101'],
  ])('is not %s', (_name, digits) => {
    expect(isPlainPack(hex(digits), limits)).toBe(false);
  });

  it('has byte strings where they are allowed', () => {
    expect(isPlainPack(packer.pack({ a: Buffer.from('abc') }), { ...limits, bytes: true })).toBe(true);
    expect(isPlainPack(packer.pack({ a: Buffer.alloc(70_000) }), { ...limits, bytes: true })).toBe(true);
    expect(isPlainPack(hex('c6ffffffff'), { ...limits, bytes: true })).toBe(false);
  });

  it('is a call with a plain value', () => {
    expect(isPlainPack(callWith(hex('c0')), limits)).toBe(true);
  });

  it.each(Object.entries(extensions))('has no extension: %s', (_name, bytes) => {
    for (const sent of [bytes, callWith(bytes)]) {
      expect(isPlainPack(sent, { depth: 100, values: 100_000, bytes: true })).toBe(false);
    }
  });

  it('refuses shared references at the cost of their bytes', () => {
    for (const bytes of [sharedReferences(19_000, 23_000), doublingReferences(1_000)]) {
      expect(isPlainPack(bytes, pageMessageLimits)).toBe(false);
    }
  });

  it('leaves members out that are undefined, which would be an extension', () => {
    const bytes = packer.pack({ a: undefined, b: { c: undefined, d: 1 } });
    expect(isPlainPack(bytes, limits)).toBe(true);
    expect(packer.unpack(bytes)).toEqual({ b: { d: 1 } });
  });
});
