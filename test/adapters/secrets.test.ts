import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createHasher, createRandom, saltBytes, scryptCost } from '../../src-main/adapters/crypto.ts';

test('the shipped password hasher is scrypt at N = 2^17, r = 8, p = 1', async () => {
  expect(scryptCost).toEqual({ N: 131_072, r: 8, p: 1 });
  const salt = new Uint8Array(saltBytes).fill(3);
  const key = await createHasher().derive('correct horse', salt, 32);
  // Computed by Python's hashlib.scrypt: to derive it here too would take as long again.
  const expected = Buffer.from('a9d94b8a0e1faa2fe1ef022ff0239a832426f108d82e9fc70caa530a71ce9555', 'hex');
  expect(Buffer.from(key).equals(expected)).toBe(true);
});

test('stored parameters are used where they are given', async () => {
  const salt = new Uint8Array(saltBytes).fill(3);
  const key = await createHasher().derive('correct horse', salt, 32, { N: 1024, r: 4, p: 2 });
  expect(Buffer.from(key).equals(scryptSync('correct horse', salt, 32, { N: 1024, r: 4, p: 2 }))).toBe(true);
});

test('a salt of another length is refused', async () => {
  await expect(createHasher().derive('x', new Uint8Array(8), 32)).rejects.toThrow(RangeError);
});

test('random bytes have the length asked for and do not repeat; fractions lie in [0, 1)', () => {
  const random = createRandom();
  expect(random.bytes(32)).toHaveLength(32);
  expect(random.bytes(32)).not.toEqual(random.bytes(32));
  const fractions = Array.from({ length: 1_000 }, () => random.fraction());
  expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
  expect(new Set(fractions).size).toBeGreaterThan(900);
});
