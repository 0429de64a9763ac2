import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cappedJson, cappedText } from '../../../src-main/core/base/json.ts';

describe('a value as capped JSON text', () => {
  it('is the beginning of its whole text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 60 }), (value, limit) => {
        fc.pre(typeof value !== 'string');
        expect(cappedJson(value, limit)).toBe(cappedText(JSON.stringify(value), limit));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is printed no further than it is shown', () => {
    const read: string[] = [];
    const value = new Proxy(
      Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`n${String(at)}`, at])),
      {
        getOwnPropertyDescriptor(target, name) {
          read.push(String(name));
          return Reflect.getOwnPropertyDescriptor(target, name);
        },
      },
    );
    expect(cappedJson([value], 30)).toBe('[{"n0":0,"n1":1,"n2":2,"n3":3,…');
    // Object.keys looks at each once.
    expect(read.length).toBeLessThan(10_000 + 20);
  });

  it('says so where it is nested too deep', () => {
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(cappedJson(nested(400), 4_096)).toBe('['.repeat(400) + ']'.repeat(400));
    expect(cappedJson(nested(20_000), 4_096)).toBe('"(nested too deep to show)"');
  });
});
