import { Busboy } from '@fastify/busboy';
import fc from 'fast-check';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { cidOf as cidInAnswer, outcomeOf } from '../../../../src-main/core/features/uploads/afterAttempt.ts';
import { safeFileName } from '../../../../src-main/core/features/uploads/admission.ts';
import { formName, frame, type Form } from '../../../../src-main/core/features/uploads/multipart.ts';
import { casesOf } from '../../../support/campaign.ts';
import { stepUntil } from '../../../support/clock.ts';
import { codePoint } from '../../../support/codePoints.ts';
import { createRig, json, signedIn } from '../../service/transport/service.ts';
import { cidOf, createOutboxRig, pieces, uploadPlan } from './uploadsRig.ts';

interface Parsed {
  readonly fields: (readonly [string, string])[];
  readonly files: {
    readonly field: string;
    readonly name: string;
    readonly type: string;
    readonly bytes: Buffer;
  }[];
  readonly length: number;
}

/** Parses a request's form as the service would. */
const parse = (request: IncomingMessage): Promise<Parsed> =>
  new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    const files: Parsed['files'] = [];
    const busboy = new Busboy({
      headers: { 'content-type': request.headers['content-type'] ?? '' },
      preservePath: true,
    });
    busboy.on('field', (name, value) => void fields.push([name, value]));
    busboy.on('file', (field, stream, name, _encoding, type) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => void files.push({ field, name, type, bytes: Buffer.concat(chunks) }));
    });
    busboy.on('finish', () => {
      resolve({ fields, files, length: Number(request.headers['content-length']) });
    });
    busboy.on('error', reject);
    request.pipe(busboy);
  });

const parsed: Parsed[] = [];
const server = createServer((request, response) => {
  void parse(request).then((form) => {
    parsed.push(form);
    response.end();
  });
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    }),
);

const form = (change: Partial<Form>): Form => ({
  boundary: 'field-console-0123456789abcdef',
  target: { field: 'file', fields: [], incidentField: null },
  incidentId: null,
  fileName: 'a.bin',
  bytes: 0,
  ...change,
});

async function send(given: Form, bytes: Uint8Array): Promise<Parsed> {
  const framed = frame(given);
  const chunks: Uint8Array[] = [];
  for await (const chunk of framed.around(pieces(bytes, 7))) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  expect(body.byteLength).toBe(framed.contentLength);
  await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`, {
    method: 'POST',
    headers: { 'content-type': framed.contentType },
    body,
  });
  return parsed.at(-1) as Parsed;
}

const decoded = (name: string): string =>
  name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');

describe('a form', () => {
  it('comes to a service as it was meant, whatever its names, fields and bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: codePoint, minLength: 1, maxLength: 300 }),
        fc.array(fc.tuple(fc.stringMatching(/^[\w ä]{1,12}$/u), fc.string({ unit: 'grapheme' })), {
          maxLength: 4,
        }),
        fc.option(fc.string({ unit: 'grapheme', minLength: 1 }), { nil: null }),
        fc.uint8Array({ maxLength: 300 }),
        async (name, fields, incidentId, bytes) => {
          const fileName = safeFileName(name);
          fc.pre(fileName !== null);
          const target = { field: 'file', fields, incidentField: 'incident' };
          const read = await send(form({ fileName, target, incidentId, bytes: bytes.byteLength }), bytes);
          const expected = incidentId === null ? fields : [...fields, ['incident', incidentId]];
          expect(read.fields).toEqual(expected);
          expect(read.files).toHaveLength(1);
          const [file] = read.files;
          expect(file).toMatchObject({ field: 'file', type: 'application/octet-stream' });
          expect(file?.bytes.equals(Buffer.from(bytes))).toBe(true);
          // A backslash in a name is for busboy the path of an old browser; there is none.
          expect(decoded(file?.name ?? '')).toBe(decoded(formName(fileName)));
        },
      ),
      { numRuns: casesOf({ part: 30, whole: 150 }) },
    );
  });

  it.each([
    ['shorter', 9],
    ['longer', 11],
  ])('is not sent to its end with a file that is %s than it was', async (_, length) => {
    const framed = frame(form({ bytes: 10 }));
    const read = async (): Promise<number> => {
      let bytes = 0;
      for await (const chunk of framed.around(pieces(new Uint8Array(length)))) bytes += chunk.byteLength;
      return bytes;
    };
    await expect(read()).rejects.toThrow('spooled file');
  });
});

describe('a file’s name', () => {
  it('is safe, at most 255 bytes, and as it was where it was safe', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 400 }), (given) => {
        const name = safeFileName(given);
        if (name === null) return;
        expect(name).not.toMatch(/[/\\\p{Cc}\u202e]/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name.isWellFormed()).toBe(true);
        expect(safeFileName(name)).toBe(name.trim());
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\photos\\one.jpg', 'one.jpg'],
    ['folder/', 'folder'],
    ['a\r\nb\0c.txt', 'abc.txt'],
    ['say "hi".txt', 'say "hi".txt'],
    ['é'.repeat(127) + 'x', 'é'.repeat(127) + 'x'],
    ['é'.repeat(128), 'é'.repeat(127)],
    ['x' + '🚁'.repeat(64), 'x' + '🚁'.repeat(63)],
    ['..', null],
    [' / ', null],
    ['\u202egpj.exe', 'gpj.exe'],
  ])('%j becomes %j', (given, expected) => {
    expect(safeFileName(given)).toBe(expected);
  });

  it('is escaped in the header as the WHATWG has it', () => {
    expect(formName('say "hi"\r\n%22')).toBe('say %22hi%22%0D%0A%22');
  });
});

describe('the CID in an answer', () => {
  const cid = cidOf(Buffer.from('x'));
  it.each<[string, unknown, string | null]>([
    ['in the member that is named', { other: cid, cid: 'as it came' }, 'as it came'],
    ['in another one', { ok: true, IpfsHash: cid }, cid],
    ['deep in it', { a: [{ b: { '/': cid } }] }, cid],
    ['the first one', [cid, cidOf(Buffer.from('y'))], cid],
    ['a text alone', cid, cid],
    ['nowhere', { cid: null, id: 'Qm12', n: 123456789 }, null],
    ['in nothing', null, null],
  ])('is found: %s', (_, body, expected) => {
    expect(cidInAnswer(body, 'cid')).toBe(expected);
  });

  it('is not looked for without end', () => {
    let deep: unknown = cid;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(cidInAnswer(deep, 'cid')).toBeNull();
  });

  it('is not asked for by what nothing left of: a remembered refusal leaves the rest waiting for a new token', () => {
    const failure = makeFailure({ code: 'not-granted', at: 1, status: 403 });
    const outcome = outcomeOf({ result: { ok: false, failure }, left: false });
    expect(outcome.kind).toBe('not-left');
  });
});

it('goes through the real transport: exact length, one key, a renewal that repeats the bytes', async () => {
  const real = await signedIn(await createRig());
  try {
    const bodies: {
      readonly body: string;
      readonly key: string;
      readonly length: string;
      readonly type: string;
    }[] = [];
    real.service.on('/storage', (seen, response) => {
      bodies.push({
        body: seen.body,
        key: String(seen.headers['idempotency-key']),
        length: String(seen.headers['content-length']),
        type: String(seen.headers['content-type']),
      });
      if (bodies.length === 1) json(response, 401, { error: 'expired' });
      else if (bodies.length === 2) response.destroy();
      else json(response, 201, { cid: cidOf(Buffer.from('bytes of a photo')), size: 16, name: 'x' });
    });
    const rig = await createOutboxRig({
      api: real.link.coordination,
      clock: real.ports.clock,
      upload: uploadPlan({ fields: { pin: 'true' } }),
    });
    const id = await rig.add('Übersicht "7".jpg', 'bytes of a photo');
    await stepUntil(real.ports.clock, () => rig.state(id) === 'sent', { what: 'the upload', stepMs: 100 });
    expect(rig.item(id)).toMatchObject({ state: 'sent', attempts: 2, verdict: 'match' });
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(bodies[0]?.length).toBe(String(Buffer.byteLength(bodies[0]?.body ?? '')));
    expect(bodies[0]?.key).toMatch(/^[0-9a-f]{48}$/);
    expect(bodies[0]?.body).toContain('filename="Übersicht %227%22.jpg"');
    await rig.outbox.stop();
  } finally {
    await real.close();
  }
});
