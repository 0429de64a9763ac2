import { describe, expect, it } from 'vitest';
import { readTally } from '../../../src-main/adapters/vault/sealedSum.ts';

const sum = '0123456789abcdef'.repeat(4);
const textOf = (tally: unknown): string => JSON.stringify(tally);

describe('a tally', () => {
  it.each([0, 1, Number.MAX_SAFE_INTEGER])('is read with a counter of %d', (counter) => {
    expect(readTally(textOf({ counter, sum }))).toEqual({ counter, sum });
  });

  it.each([
    '',
    '{',
    'null',
    '7',
    '[]',
    textOf({}),
    textOf({ sum }),
    textOf({ counter: 1 }),
    textOf({ counter: -1, sum }),
    textOf({ counter: 1.5, sum }),
    textOf({ counter: Number.MAX_SAFE_INTEGER + 1, sum }),
    textOf({ counter: '1', sum }),
    textOf({ counter: null, sum }),
    textOf({ counter: 1, sum: sum.slice(1) }),
    textOf({ counter: 1, sum: `${sum}0` }),
    textOf({ counter: 1, sum: `${sum}\n` }),
    textOf({ counter: 1, sum: sum.toUpperCase() }),
    textOf({ counter: 1, sum: [sum] }),
    textOf({ counter: 1, sum, more: 0 }),
  ])('is not %s', (text) => {
    expect(readTally(text)).toBeNull();
  });
});
