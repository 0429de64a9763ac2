import { createHash } from 'node:crypto';
import { importBytes } from 'ipfs-unixfs-importer';
import { fixedSize } from 'ipfs-unixfs-importer/chunker';
import { balanced } from 'ipfs-unixfs-importer/layout';
import type { CID } from 'multiformats/cid';
import { describe, expect, test } from 'vitest';
import { flush, until } from '../support/clock.ts';
import { formAround, formOf, formType, upload } from './form.ts';
import { scene } from './support.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** By the importer itself and not by the project's own use of it. */
async function contentId(bytes: Uint8Array): Promise<string> {
  const nowhere = { put: (cid: CID) => Promise.resolve(cid) };
  const { cid } = await importBytes(bytes, nowhere, {
    cidVersion: 1,
    rawLeaves: true,
    chunker: fixedSize({ chunkSize: 262_144 }),
    layout: balanced({ maxChildrenPerNode: 174 }),
  });
  return cid.toString();
}

const some = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 7919) >> 3);

/** A body that its test sends piece by piece. */
function slowly(pieces: readonly Uint8Array[]) {
  const gates = pieces.map(() => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    return { opened, open };
  });
  let opened = 0;
  const body = (async function* () {
    for (const [at, piece] of pieces.entries()) {
      await gates[at]?.opened;
      yield piece;
    }
  })();
  const next = (): void => {
    gates[opened]?.open();
    opened += 1;
  };
  return { body, next };
}

describe('what is sent', () => {
  test.each([0, 1, 15, 262_144, 262_145, 2_000_001])('%d bytes are named by their CID', async (length) => {
    const it = await scene();
    const bytes = some(length);
    const answer = await upload(it, { bytes, name: 'crack.jpg' });
    const cid = await contentId(bytes);
    expect([answer.status, await answer.json()]).toEqual([201, { cid, size: length, name: 'crack.jpg' }]);
    expect(it.server.uploads()).toEqual([
      {
        cid,
        bytes: length,
        sha256: sha256(bytes),
        fileName: 'crack.jpg',
        fields: {},
        account: it.server.credentials.username,
        key: null,
      },
    ]);
  });

  test.each(['../up/down.txt', 'C:\\x\\y.txt', `${'é'.repeat(127)}.`, 'a b;c=d.txt'])(
    'the name %j comes as it is',
    async (name) => {
      const it = await scene();
      expect(await (await upload(it, { name })).json()).toMatchObject({ name });
      expect(it.server.uploads()[0]?.fileName).toBe(name);
    },
  );

  test('becomes evidence of the incident that the form names, with its other fields kept', async () => {
    const it = await scene();
    const { id } = it.server.addIncident();
    const fields = { note: 'north side\nof the dam', incident_id: id, __proto__x: 'y' };
    const { cid } = (await (await upload(it, { fields, name: 'd.tif', mediaType: 'image/tiff' })).json()) as {
      cid: string;
    };
    expect(it.server.uploads()[0]?.fields).toEqual(fields);
    expect(it.server.evidence().at(-1)).toMatchObject({
      cid,
      incident_id: id,
      file_name: 'd.tif',
      media_type: 'image/tiff',
      size: 15,
    });
    expect(it.server.incidents().get(id)?.evidence_count).toBe(1);
    await upload(it);
    expect(it.server.evidence().at(-1)).not.toHaveProperty('incident_id');
    expect(it.server.incidents().get(id)?.evidence_count).toBe(1);
    await upload(it, { fields: { incident_id: 'nobody' } });
    expect(it.server.evidence().at(-1)).toMatchObject({ incident_id: 'nobody' });
  });
});

describe('who sends', () => {
  test('needs a token: the session or the upload service, which may do nothing else', async () => {
    const it = await scene();
    expect((await upload(it, { token: 'nobody' })).status).toBe(401);
    expect(it.server.uploads()).toEqual([]);
    const { uploadToken } = it.server;
    expect((await upload(it, { token: uploadToken })).status).toBe(201);
    expect(it.server.uploads()[0]?.account).not.toBe(it.server.credentials.username);
    const headers = { authorization: `Bearer ${uploadToken}` };
    for (const path of ['/events', '/admin/missions/pending']) {
      expect((await it.coordinate(path, { headers })).status).toBe(401);
    }
    it.server.revokeTokens();
    expect((await upload(it)).status).toBe(401);
    expect((await upload(it, { token: uploadToken })).status).toBe(201);
  });
});

describe('a form that cannot be taken is refused and has no effect', () => {
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  test.each([
    ['no form at all', 'application/json', '{}'],
    ['no boundary', 'multipart/form-data', 'x'],
    [
      'no file',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
    ],
    ['two files', 'multipart/form-data; boundary=b', `${part}1\r\n${part}2\r\n--b--\r\n`],
    ['no end', 'multipart/form-data; boundary=b', `${part}1234`],
    ['another boundary', 'multipart/form-data; boundary=c', `${part}1\r\n--b--\r\n`],
    ['nothing', 'multipart/form-data; boundary=b', ''],
  ])('%s', async (_name, contentType, body) => {
    const it = await scene();
    const answer = await it.coordinate('/storage', {
      method: 'POST',
      body,
      headers: { 'content-type': contentType, 'idempotency-key': 'k' },
    });
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.any(String) as string }]);
    expect(it.server.uploads()).toEqual([]);
    // The refusal is not what the key stands for.
    expect((await upload(it, { key: 'k' })).status).toBe(201);
  });

  test('another method', async () => {
    const { coordinate } = await scene();
    expect((await coordinate('/storage')).status).toBe(405);
  });
});

describe('one key', () => {
  test('gives the original answer and no second effect; with another body it is refused', async () => {
    const it = await scene();
    const first = await upload(it, { key: 'k' });
    const again = await upload(it, { key: 'k' });
    expect([again.status, await again.json()]).toEqual([first.status, await first.json()]);
    expect((await upload(it, { key: 'k', name: 'b' })).status).toBe(422);
    expect((await upload(it, { key: 'k', bytes: some(20) })).status).toBe(422);
    expect(it.server.uploads()).toHaveLength(1);
    expect(it.server.evidence().filter((item) => item['file_name'] === 'a.bin')).toHaveLength(1);
    await upload(it);
    await upload(it);
    expect(it.server.uploads().map(({ key }) => key)).toEqual(['k', null, null]);
  });

  test('is bound to the account', async () => {
    const it = await scene();
    await upload(it, { key: 'k' });
    expect((await upload(it, { key: 'k', name: 'b', token: it.server.uploadToken })).status).toBe(201);
    expect(it.server.uploads().map(({ fileName }) => fileName)).toEqual(['a.bin', 'b']);
  });

  test('lasts for 24 hours', async () => {
    const it = await scene({ switches: { tokenLifetimeSeconds: 86_400 } });
    await upload(it, { key: 'k' });
    it.clock.advance(86_399_999);
    await upload(it, { key: 'k' });
    expect(it.server.uploads()).toHaveLength(1);
    it.clock.advance(1);
    await it.login();
    await upload(it, { key: 'k' });
    expect(it.server.uploads()).toHaveLength(2);
  });

  test('sent many times at once causes one effect', async () => {
    const it = await scene();
    const bytes = some(3_000_000);
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => (await upload(it, { key: 'k', bytes })).json()),
    );
    expect(it.server.uploads()).toHaveLength(1);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test('with two bodies at once takes one of them', async () => {
    const it = await scene();
    const statuses = await Promise.all(
      ['a', 'b'].map(async (name) => (await upload(it, { key: 'k', name })).status),
    );
    expect(statuses.toSorted()).toEqual([201, 422]);
    expect(it.server.uploads()).toHaveLength(1);
  });

  test('is not taken by a request that is still being sent', async () => {
    const it = await scene();
    const { head, tail } = formAround({ name: 'slow' });
    const { body, next } = slowly([head, some(70_000), tail]);
    const sent = it.coordinate('/storage', {
      method: 'POST',
      body: body as unknown as ReadableStream,
      duplex: 'half',
      headers: { 'content-type': formType, 'idempotency-key': 'k' },
    } as RequestInit);
    next();
    await until(() => it.server.counts.requests['POST /storage'] === 1, 'the first request');
    expect((await upload(it, { key: 'k' })).status).toBe(201);
    next();
    next();
    expect((await sent).status).toBe(422);
    expect(it.server.uploads().map(({ fileName }) => fileName)).toEqual(['a.bin']);
  });
});

test('a request that is broken off in its body has no effect, and its key is free', async () => {
  const it = await scene();
  const { head } = formAround({});
  const giveUp = new AbortController();
  const { body, next } = slowly([head, some(100_000), some(5)]);
  const sent = it.coordinate('/storage', {
    method: 'POST',
    body: body as unknown as ReadableStream,
    duplex: 'half',
    headers: { 'content-type': formType, 'idempotency-key': 'k' },
    signal: giveUp.signal,
  } as RequestInit);
  next();
  await until(() => it.server.counts.requests['POST /storage'] === 1, 'the request');
  next();
  giveUp.abort();
  await expect(sent).rejects.toThrow();
  expect((await upload(it, { key: 'k', name: 'b' })).status).toBe(201);
  // Nobody was answered but the login and the second one.
  expect(it.server.counts.byStatus).toEqual({ '200': 1, '201': 1 });
  expect(it.server.uploads().map(({ fileName }) => fileName)).toEqual(['b']);
});

describe('switched faults', () => {
  test.each([0, 1, 100, 70_000, 10_000_000])('cut after %d bytes: no answer and no effect', async (bytes) => {
    const it = await scene({ switches: { uploadFault: 'cut-request', cutAfterBytes: bytes } });
    await expect(upload(it, { key: 'k', bytes: some(200_000) })).rejects.toThrow();
    expect(it.server.uploads()).toEqual([]);
    await it.server.set({ uploadFault: 'none' });
    expect((await upload(it, { key: 'k', bytes: some(200_000) })).status).toBe(201);
    expect(it.server.uploads()).toHaveLength(1);
    expect(it.server.counts.byStatus['none']).toBe(1);
  });

  test('the cut comes at those bytes: not before them, and without waiting for more', async () => {
    const it = await scene({ switches: { uploadFault: 'cut-request', cutAfterBytes: 50_000 } });
    const { head, tail } = formAround({});
    const { body, next } = slowly([head, some(20_000), some(20_000), some(20_000), tail]);
    let failed = false;
    const sent = it
      .coordinate('/storage', {
        method: 'POST',
        body: body as unknown as ReadableStream,
        duplex: 'half',
        headers: { 'content-type': formType },
      } as RequestInit)
      .catch(() => (failed = true));
    for (let piece = 0; piece < 3; piece += 1) {
      next();
      await flush();
    }
    // 40,000 and the head of the form are fewer.
    expect(failed).toBe(false);
    next();
    await sent;
    expect(failed).toBe(true);
  });

  test('a lost answer had its effect, which its key remembers', async () => {
    const it = await scene({ switches: { uploadFault: 'answer-lost' } });
    await expect(upload(it, { key: 'k' })).rejects.toThrow();
    expect(it.server.uploads()).toHaveLength(1);
    await expect(upload(it, { key: 'k' })).rejects.toThrow();
    await it.server.set({ uploadFault: 'none' });
    const again = await upload(it, { key: 'k' });
    expect(await again.json()).toMatchObject({ cid: it.server.uploads()[0]?.cid });
    expect(it.server.uploads()).toHaveLength(1);
  });

  test('an expired key is forgotten, also one that was answered before', async () => {
    const it = await scene();
    await upload(it, { key: 'k' });
    await it.server.set({ uploadFault: 'key-expired' });
    for (const uploads of [2, 3]) {
      expect((await upload(it, { key: 'k' })).status).toBe(201);
      expect(it.server.uploads()).toHaveLength(uploads);
    }
    await it.server.set({ uploadFault: 'none' });
    expect((await upload(it, { key: 'k', name: 'another' })).status).toBe(201);
  });

  test.each([
    ['too-large', 413],
    ['conflict', 409],
  ] as const)('%s answers %d without an effect, and the key is free', async (uploadFault, status) => {
    const it = await scene({ switches: { uploadFault } });
    const answer = await upload(it, { key: 'k' });
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) as string }]);
    expect(answer.headers.get('x-request-id')).toMatch(/^trn-/);
    expect(it.server.uploads()).toEqual([]);
    await it.server.set({ uploadFault: 'none' });
    expect((await upload(it, { key: 'k', name: 'b' })).status).toBe(201);
  });

  test('faults of uploads leave everything else alone', async () => {
    const it = await scene({ switches: { uploadFault: 'answer-lost', missionFault: 'answer-lost' } });
    for (const path of ['/incidents?limit=1', '/evidence', '/health']) {
      expect((await it.ask(path)).status).toBe(200);
    }
    expect((await it.coordinate('/admin/missions/pending')).status).toBe(200);
  });
});

describe('planned faults', () => {
  test('lose answers and cut requests on any path', async () => {
    const it = await scene();
    it.server.failNext(1, 'cut-request', '/incidents');
    await expect(it.ask('/incidents')).rejects.toThrow();
    it.server.failNext(1, 'answer-lost', '/storage');
    await expect(upload(it, { key: 'k' })).rejects.toThrow();
    expect(it.server.uploads()).toHaveLength(1);
    expect((await upload(it, { key: 'k' })).status).toBe(201);
    expect(it.server.uploads()).toHaveLength(1);
    it.server.failNext(1, 'too-large');
    expect((await it.ask('/health')).status).toBe(413);
  });

  test('what fails before the request is carried out has no effect, however large it is', async () => {
    const it = await scene();
    const bytes = some(3_000_000);
    for (const [fault, status] of [
      ['storm-503', 503],
      ['error-500', 500],
      ['too-many-requests', 429],
    ] as const) {
      it.server.failNext(1, fault, '/storage');
      expect((await upload(it, { key: 'k', bytes })).status).toBe(status);
    }
    expect(it.server.uploads()).toEqual([]);
    expect((await upload(it, { key: 'k', bytes })).status).toBe(201);
  });

  test('the service going down in the middle of a body costs the request', async () => {
    const it = await scene();
    const { body, next } = slowly([formOf({}).subarray(0, 60), some(1)]);
    const sent = it.coordinate('/storage', {
      method: 'POST',
      body: body as unknown as ReadableStream,
      duplex: 'half',
      headers: { 'content-type': formType },
    } as RequestInit);
    next();
    await until(() => it.server.counts.requests['POST /storage'] === 1, 'the request');
    await Promise.all([expect(sent).rejects.toThrow(), it.server.goDown()]);
    expect(it.server.uploads()).toEqual([]);
  });
});

test('latency holds the effect, and a client that gives up meanwhile has caused none', async () => {
  const it = await scene();
  await it.server.set({ latencyMs: 1_000 });
  const giveUp = new AbortController();
  const sent = it.coordinate('/storage', {
    method: 'POST',
    body: formOf({}) as Uint8Array<ArrayBuffer>,
    headers: { 'content-type': formType },
    signal: giveUp.signal,
  });
  await until(() => it.server.held === 1, 'the held request');
  expect(it.server.uploads()).toEqual([]);
  giveUp.abort();
  await expect(sent).rejects.toThrow();
  await until(() => it.server.held === 0, 'its end');
  it.clock.advance(1_000);
  expect(it.server.uploads()).toEqual([]);
});
