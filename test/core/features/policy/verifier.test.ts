import { describe, expect, it } from 'vitest';
import { isRightCode, readVerifier } from '../../../../src-main/core/features/policy/verifier.ts';
import { cheapHasher } from '../../../support/ports.ts';
import { hasTerminal, make, typeAnswers } from './kioskCodeRig.ts';
import { verifierLine } from './policyRig.ts';

const salt = Buffer.alloc(16, 1).toString('base64');
const hash = Buffer.alloc(32, 2).toString('base64');

describe('a verifier', () => {
  it.each([2 ** 17, 2 ** 18, 2 ** 20])('is read with a cost of %i', (N) => {
    expect(readVerifier(`scrypt$${String(N)}$8$1$${salt}$${hash}`)).toEqual({
      cost: { N, r: 8, p: 1 },
      salt: new Uint8Array(16).fill(1),
      hash: new Uint8Array(32).fill(2),
    });
  });

  it.each([
    '',
    `scrypt$65536$8$1$${salt}$${hash}`,
    `scrypt$2097152$8$1$${salt}$${hash}`,
    `scrypt$131073$8$1$${salt}$${hash}`,
    `scrypt$1e6$8$1$${salt}$${hash}`,
    `scrypt$131072$4$1$${salt}$${hash}`,
    `scrypt$131072$8$2$${salt}$${hash}`,
    `scrypt$131072$8$1$${salt.slice(4)}$${hash}`,
    `scrypt$131072$8$1$${salt}$${hash.slice(4)}`,
    `scrypt$131072$8$1$${salt}$${hash}$`,
    `scrypt$131072$8$1$${salt}$${hash}\n`,
    `argon2$131072$8$1$${salt}$${hash}`,
  ])('is not %j', (line) => {
    expect(readVerifier(line)).toBeNull();
  });

  it('takes the code however its letters are composed, and no other', async () => {
    const verifier = readVerifier(await verifierLine('Schlüssel-7'));
    if (!verifier) throw new Error('The verifier is not read');
    expect(await isRightCode(cheapHasher, verifier, 'Schlu\u0308ssel-7')).toBe(true);
    expect(await isRightCode(cheapHasher, verifier, 'Schlussel-7')).toBe(false);
    expect(await isRightCode(cheapHasher, verifier, '')).toBe(false);
  });
});

describe('build/kiosk-code.ts', () => {
  it.each([
    ['1234567', []],
    ['', []],
    ['x'.repeat(257), []],
    ['long enough', ['long enough']],
  ])('makes nothing of %j with %j', (input, args) => {
    const made = make(`${input}\n`, ...args);
    expect(made).toMatchObject({ status: 2, stdout: '' });
    if (input !== '') expect(made.stderr).not.toContain(input);
  });
});

describe.runIf(hasTerminal)('build/kiosk-code.ts on a terminal (needs script of util-linux)', () => {
  it.each([
    ['two that differ', ['correct horse\r', 'correct house\r'], 2],
    ['Control-C', ['correct\u0003'], 130],
  ])('makes nothing of %s', async (_, answers, expected) => {
    const { shown, status } = await typeAnswers(answers);
    expect(status).toBe(expected);
    expect(shown).not.toContain('scrypt');
  });
});
