import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHasher } from '../../../src-main/adapters/hasher.ts';
import { isRightCode, readVerifier } from '../../../src-main/core/policy/verifier.ts';
import { cheapHasher } from '../../support/ports.ts';
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

const program = resolve(import.meta.dirname, '../../../build/kiosk-code.mjs');
const make = (input: string, ...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { input, encoding: 'utf8' });

describe('build/kiosk-code.mjs', () => {
  it('prints a line that the shipped derivation proves', { timeout: 60_000 }, async () => {
    const made = make('Schlu\u0308ssel-7\r\nanother line\n');
    expect(made).toMatchObject({ status: 0, stderr: '' });
    const verifier = readVerifier(made.stdout.trimEnd());
    if (!verifier) throw new Error('The verifier is not read');
    expect(await isRightCode(createHasher(), verifier, 'Schlüssel-7')).toBe(true);
    expect(await isRightCode(createHasher(), verifier, 'Schlüssel-8')).toBe(false);
    expect(make('Schlüssel-7\n').stdout).not.toBe(made.stdout);
  });

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

/** util-linux' `script` gives a program a terminal of its own. */
const hasTerminal =
  process.platform === 'linux' && spawnSync('script', ['--version'], { encoding: 'utf8' }).status === 0;

/** Answers each question as it appears; the reply is all that the terminal showed, and the status. */
async function typeAnswers(answers: readonly string[]): Promise<{ shown: string; status: unknown }> {
  const command = `'${process.execPath}' '${program}'`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const left = [...answers];
  let shown = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    shown += text;
    if (/: $/.test(shown) && left.length > 0) child.stdin.write(left.shift() ?? '');
  });
  const [status] = (await once(child, 'close')) as [unknown];
  return { shown, status };
}

describe.runIf(hasTerminal)('build/kiosk-code.mjs on a terminal (needs script of util-linux)', () => {
  it('asks twice, shows nothing of the code, and takes corrections', { timeout: 60_000 }, async () => {
    const { shown, status } = await typeAnswers(['correct hxx\u007f\u007forse\r', 'correct horse\r']);
    expect(status).toBe(0);
    expect(shown).not.toMatch(/correct|horse/);
    const verifier = readVerifier(/scrypt\S+/.exec(shown)?.[0] ?? '');
    if (!verifier) throw new Error('The verifier is not read');
    expect(await isRightCode(createHasher(), verifier, 'correct horse')).toBe(true);
  });

  it.each([
    ['two that differ', ['correct horse\r', 'correct house\r'], 2],
    ['Control-C', ['correct\u0003'], 130],
  ])('makes nothing of %s', { timeout: 60_000 }, async (_, answers, expected) => {
    const { shown, status } = await typeAnswers(answers);
    expect(status).toBe(expected);
    expect(shown).not.toContain('scrypt');
  });
});
