import { afterEach, describe, expect, it } from 'vitest';
import type { RequestLine } from '../../../../src-preload/contract/index.ts';
import { createRig, credentials, json, signedIn, type Rig } from '../../service/transport/service.ts';

let rig: Rig;
let lines: RequestLine[];
afterEach(() => rig.close());

async function start(): Promise<void> {
  lines = [];
  rig = await createRig({ link: { onAttempt: (line) => lines.push(line) } });
}

const seen = (): string[] =>
  lines.map(({ method, path, status, code }) => [method, path, String(status), code ?? 'ok'].join(' '));

describe('the journal of requests', () => {
  it('has every attempt of an operation, and the login between them', async () => {
    await start();
    await signedIn(rig);
    let asked = 0;
    rig.service.on('/incidents', (_, response) => {
      asked += 1;
      if (asked === 1) return json(response, 503, { error: 'canary words' }, { 'x-request-id': 'first-503' });
      if (asked === 2) return json(response, 401, { error: 'canary words' });
      return json(response, 200, [], { 'x-request-id': 'third' });
    });
    const call = rig.link.infrastructure.listIncidents({ severity: 'canary', cursor: 'canary-cursor' });
    expect((await rig.ports.clock.drive(call)).ok).toBe(true);
    expect(seen()).toEqual([
      'POST /login 200 ok',
      'GET /incidents?severity&cursor 503 service-error',
      'GET /incidents?severity&cursor 401 refused-by-service',
      'POST /login 200 ok',
      'GET /incidents?severity&cursor 200 ok',
    ]);
    expect(lines.map(({ requestId }) => requestId).filter((id) => id !== null)).toEqual(
      expect.arrayContaining(['first-503', 'third']),
    );
    const text = JSON.stringify(lines);
    for (const secret of [
      'canary-cursor',
      'canary words',
      'token-',
      credentials.password,
      credentials.username,
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('has what was refused from memory only once: what does not leave is no request', async () => {
    await start();
    await signedIn(rig);
    rig.service.on('/incidents', (_, response) => json(response, 403, {}));
    await rig.link.infrastructure.listIncidents({});
    await rig.link.infrastructure.listIncidents({});
    expect(seen().filter((line) => line.includes('/incidents'))).toEqual(['GET /incidents 403 not-granted']);
  });

  it('has what got no answer, with how long it took', async () => {
    await start();
    rig.service.on('/health', () => undefined);
    const probe = rig.link.probe('infrastructure');
    await rig.ports.clock.drive(probe);
    expect(seen()).toEqual(['GET /health null timed-out']);
    expect(lines[0]?.milliseconds).toBeGreaterThanOrEqual(10_000);
  });

  it('has a probe of each API by its name, sent without a token', async () => {
    await start();
    await signedIn(rig);
    await rig.link.probe('coordination');
    expect(lines.at(-1)).toMatchObject({ api: 'coordination', path: '/health', status: 200 });
    expect(rig.service.seen.at(-1)?.headers.authorization).toBeUndefined();
  });
});
