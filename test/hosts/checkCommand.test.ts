import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
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
