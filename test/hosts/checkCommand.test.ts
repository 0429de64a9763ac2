import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { policyPathOf } from '../../src-main/adapters/policyFile.ts';
import { exitStatus } from '../../src-main/cli/app.ts';
import { checkFromCommandLine } from '../../src-main/cli/check.ts';
import { readCredentials } from '../../src-main/cli/credentials.ts';
import { parseArguments } from '../../src-main/hosts/arguments.ts';

describe('serve --check', () => {
  it('needs a file, and takes no credentials from arguments', () => {
    const parse = (...argv: string[]) =>
      parseArguments({ argv, environment: {}, workingFolder: resolve('/station') });
    expect(parse('--check')).toMatchObject({ kind: 'refused' });
    expect(parse('--check', '--deployment', 'a.json')).toEqual({
      kind: 'check',
      path: resolve('/station', 'a.json'),
    });
    expect(parse('--check', '--deployment', 'a.json', '--password', 'x')).toMatchObject({ kind: 'refused' });
  });
});

describe('on a computer with a policy', () => {
  /** Status under a policy, null for none; there is no file of a deployment, which is said where it comes to that. */
  async function checkUnder(
    policy: string | null,
  ): Promise<{ readonly status: number; readonly said: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'field-console-check-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const mapPath = (path: string): string => join(folder, path.replaceAll(/[:\\]/g, '/'));
    const path = mapPath(policyPathOf(process.platform));
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    if (policy !== null) await writeFile(path, policy, { mode: 0o644 });
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => void write.mockRestore());
    const status = await checkFromCommandLine(join(folder, 'none.json'), mapPath);
    return { status, said: write.mock.calls.map(([text]) => String(text)).join('') };
  }

  it.each([
    ['lists deployments', '{ "version": 1, "deployments": ["training"] }'],
    ['cannot be used', '{ "version": 1, '],
  ])('that %s checks none', async (_name, policy) => {
    const { status, said } = await checkUnder(policy);
    expect(status).toBe(exitStatus.refused);
    expect(said).toContain('policy says which deployments there are');
  });

  it('goes on where there is none', async () => {
    const { status, said } = await checkUnder(null);
    expect(status).toBe(exitStatus.refused);
    expect(said).toContain('cannot be read');
  });
});

describe('credentials on a terminal', () => {
  /** A terminal as Node has it: it echoes what is typed unless it is set raw. */
  function terminal() {
    const prompts = new PassThrough();
    const raw: boolean[] = [];
    const input = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (value: boolean) => void raw.push(value),
    });
    const shown = (): string => String(prompts.read() ?? '');
    return { input, prompts, raw, shown };
  }

  it('show the user name and not the password, and leave the terminal as it was', async () => {
    const { input, prompts, raw, shown } = terminal();
    input.write('operatr\u007for\rpass wörd\r');
    expect(await readCredentials(input, prompts)).toEqual({ username: 'operator', password: 'pass wörd' });
    expect(raw).toEqual([true, false]);
    expect(shown()).toBe('User name: operatr\b \bor\nPassword: \n');
  });

  it('are none after Ctrl+C', async () => {
    const { input, prompts, raw } = terminal();
    input.write('operator\rhalf\u0003');
    expect(await readCredentials(input, prompts)).toBeNull();
    expect(raw).toEqual([true, false]);
  });
});
