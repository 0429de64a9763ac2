import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDeployment } from '../../src-main/core/deployment/schema.ts';
import { upload } from './form.ts';
import type { Scene } from './support.ts';

const program = fileURLToPath(new URL('../../src-main/training/main.ts', import.meta.url));
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'training-program-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What `npm run training` prints, by its labels, with the service running until `use` is done. */
async function running<T>(
  args: readonly string[],
  use: (said: Map<string, string>) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    while (!text.includes('Seed')) await once(child.stdout, 'data');
    const lines = text.trim().split('\n');
    return await use(new Map(lines.map((line) => [line.slice(0, 20).trim(), line.slice(20).trim()])));
  } finally {
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
  }
}

interface Story {
  readonly evidence: readonly unknown[];
  readonly missions: readonly unknown[];
}

/** What two runs have in common: their times begin when they do. */
async function storyOf(seed: number): Promise<Story> {
  return running(['--seed', String(seed)], async (said) => {
    expect(said.get('Seed')).toBe(String(seed));
    const infrastructure = said.get('Infrastructure API') ?? '';
    const login = await fetch(`${infrastructure}/login`, {
      method: 'POST',
      body: JSON.stringify({ username: said.get('User name'), password: said.get('Password') }),
    });
    const { token } = (await login.json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const read = async (url: string, list: string, fields: readonly string[]): Promise<unknown[]> => {
      const answer = (await (await fetch(url, { headers })).json()) as Record<
        string,
        Record<string, unknown>[]
      >;
      return (answer[list] ?? []).map((item) => fields.map((field) => item[field]));
    };
    return {
      evidence: await read(`${infrastructure}/evidence?limit=200`, 'evidence', ['id', 'cid', 'incident_id']),
      missions: await read(`${said.get('Coordination API') ?? ''}/admin/missions/pending`, 'missions', [
        'mission_id',
        'name',
        'risk',
      ]),
    };
  });
}

test('the same seed tells the same story in two runs, another seed another', async () => {
  const [one, same, other] = [await storyOf(11), await storyOf(11), await storyOf(12)];
  expect(one.evidence.length).toBeGreaterThan(30);
  expect(one.missions.length).toBeGreaterThan(2);
  expect(same).toEqual(one);
  expect(other.evidence).not.toEqual(one.evidence);
  expect(other.missions).not.toEqual(one.missions);
});

test('the deployment file names every path and no secret, and the printed upload token is taken', async () => {
  const path = join(folder, 'training.json');
  await running(['--write', path], async (said) => {
    const text = await readFile(path, 'utf8');
    const reading = readDeployment(JSON.parse(text));
    expect(reading).toMatchObject({
      valid: true,
      deployment: {
        coordinationUrl: said.get('Coordination API'),
        upload: { path: '/storage', incidentField: 'incident_id', field: 'file', cidField: 'cid' },
        missions: {
          approvePath: '/admin/missions/approve',
          rejectPath: '/admin/missions/reject',
          pendingPath: '/admin/missions/pending',
          idField: 'mission_id',
        },
        evidencePath: '/evidence',
        eventsPath: '/events',
      },
    });
    const token = said.get('Upload token') ?? '';
    for (const secret of [token, said.get('Password') ?? '']) {
      expect(secret.length).toBeGreaterThan(10);
      expect(text).not.toContain(secret);
    }
    const coordinate: Scene['coordinate'] = (at, init) =>
      fetch(`${said.get('Coordination API') ?? ''}${at}`, init);
    expect((await upload({ coordinate }, { token })).status).toBe(201);
  });
});
