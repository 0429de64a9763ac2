import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDeployment } from '../../src-main/core/features/deployments/schema.ts';
import { upload } from './form.ts';
import { running } from './programRun.ts';
import type { Scene } from './support.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'training-program-'));
});
afterAll(() => rm(folder, { recursive: true }));

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
