import { describe, expect, it } from 'vitest';
import { createHasher } from '../../../../src-main/adapters/crypto.ts';
import { isRightCode, readVerifier } from '../../../../src-main/core/features/policy/verifier.ts';
import { hasTerminal, make, typeAnswers } from './kioskCodeRig.ts';

describe('build/kiosk-code.ts', () => {
  it('prints a line that the shipped derivation proves', async () => {
    const made = make('Schlu\u0308ssel-7\r\nanother line\n');
    expect(made).toMatchObject({ status: 0, stderr: '' });
    const verifier = readVerifier(made.stdout.trimEnd());
    if (!verifier) throw new Error('The verifier is not read');
    expect(await isRightCode(createHasher(), verifier, 'Schlüssel-7')).toBe(true);
    expect(await isRightCode(createHasher(), verifier, 'Schlüssel-8')).toBe(false);
    expect(make('Schlüssel-7\n').stdout).not.toBe(made.stdout);
  });
});

describe.runIf(hasTerminal)('build/kiosk-code.ts on a terminal (needs script of util-linux)', () => {
  it('asks twice, shows nothing of the code, and takes corrections', async () => {
    const { shown, status } = await typeAnswers(['correct hxx\u007f\u007forse\r', 'correct horse\r']);
    expect(status).toBe(0);
    expect(shown).not.toMatch(/correct|horse/);
    const verifier = readVerifier(/scrypt\S+/.exec(shown)?.[0] ?? '');
    if (!verifier) throw new Error('The verifier is not read');
    expect(await isRightCode(createHasher(), verifier, 'correct horse')).toBe(true);
  });
});
