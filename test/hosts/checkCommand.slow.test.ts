import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining, type TrainingServer } from '../support/training/index.ts';

let folder: string;
let service: TrainingServer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'field-console-check-'));
  service = await startTraining({
    clock: createClock(),
    seed: 1,
    switches: { timestampUnit: 'milliseconds' },
  });
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

async function deploymentFile(more: object = {}): Promise<string> {
  const path = join(folder, 'harbour.json');
  const { infrastructureUrl, coordinationUrl } = service;
  const file = { version: 1, id: 'harbour', name: 'Harbour', infrastructureUrl, coordinationUrl, ...more };
  await writeFile(path, JSON.stringify(file));
  return path;
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the browser host's program, which is given `input` on its standard input. */
function run(path: string, input: string): Promise<Ran> {
  const args = ['src-main/serve.ts', '--check', '--deployment', path];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, FIELD_CONSOLE_DATA_DIR: join(folder, 'data') },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

describe('serve --check', () => {
  it('prints the report as JSON, without a secret, makes no data folder and leaves with 0', async () => {
    const { username, password } = service.credentials;
    const ran = await run(await deploymentFile(), `${username}\n${password}\n`);
    expect(ran.stderr).toBe('');
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      version: 1,
      logins: 1,
      stopped: null,
      file: { id: 'harbour', timestampUnit: 'milliseconds', eventsPath: '/events' },
    });
    for (const secret of [password, ...service.issuedTokens()]) expect(ran.stdout).not.toContain(secret);
    expect(await readdir(folder)).toEqual(['harbour.json']);
  });

  it('leaves with 1 where the sign-in was refused, and still says what was seen', async () => {
    const ran = await run(await deploymentFile(), `${service.credentials.username}\nnot the password\n`);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('"credentials-refused"');
    expect(ran.stdout).not.toContain('not the password');
  });

  it('leaves with 2 where a file cannot be used, or no credentials come, and sends nothing', async () => {
    service.resetCounts();
    const { code, stdout } = await run(await deploymentFile({ token: 'x' }), 'a\nb\n');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(await run(await deploymentFile(), 'only a name\n')).toMatchObject({ code: 2, stdout: '' });
    expect(service.counts.requests).toEqual({});
  });
});
