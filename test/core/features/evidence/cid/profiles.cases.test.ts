import fc from 'fast-check';
import { importFile, type ImporterOptions } from 'ipfs-unixfs-importer';
import { fixedSize } from 'ipfs-unixfs-importer/chunker';
import { balanced } from 'ipfs-unixfs-importer/layout';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ProfileHashing } from '../../../../../src-main/core/features/evidence/cid/profiles.ts';
import type { SpooledFacts } from '../../../../../src-main/core/vault/records.ts';
import { seeded } from '../../../../../src-main/training/seeded.ts';
import type { CidProfile } from '../../../../../src-preload/contract/index.ts';
import { casesOf } from '../../../../support/campaign.ts';

const kib = 1024;
const chunk = 256 * kib;

async function factsOf(parts: Iterable<Uint8Array>): Promise<SpooledFacts> {
  const hashing = new ProfileHashing();
  for (const part of parts) hashing.write(part);
  return hashing.finish();
}

const cids = (facts: SpooledFacts): Record<CidProfile, string> =>
  Object.fromEntries(facts.computed.map(({ profile, cid }) => [profile, cid])) as Record<CidProfile, string>;

const layout = balanced({ maxChildrenPerNode: 174 });
/** The importer as it comes, with its own chunking, wrapping and hashing; two are profiles that it knows by name. */
const profiles: Readonly<Record<CidProfile, ImporterOptions>> = {
  'v1-raw-256k': { cidVersion: 1, rawLeaves: true, chunker: fixedSize({ chunkSize: chunk }), layout },
  'v0-256k': { profile: 'unixfs-v0-2015' },
  'v1-raw-1m': { profile: 'unixfs-v1-2025' },
};

async function imported(bytes: Uint8Array): Promise<Record<string, string>> {
  const sink = { put: <T>(cid: T): T => cid };
  const entries = Object.entries(profiles).map(async ([profile, options]) => {
    return [profile, (await importFile({ content: bytes }, sink, options)).cid.toString()];
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
}

function bytesOf(size: number): Uint8Array {
  const draw = seeded(7, String(size));
  const bytes = new Uint8Array(size);
  const words = new Uint32Array(bytes.buffer, 0, Math.floor(size / 4));
  for (let at = 0; at < words.length; at += 1) words[at] = draw.next() * 2 ** 32;
  return bytes;
}

describe('names that are known elsewhere', () => {
  test('the empty file', async () => {
    const facts = await factsOf([]);
    expect(cids(facts)).toEqual({
      'v1-raw-256k': 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
      'v0-256k': 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH',
      'v1-raw-1m': 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
    });
    expect(facts.bytes).toBe(0);
    expect(facts.sha256).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  test.each([
    [
      'hello world',
      'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
      'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD',
    ],
    [
      'hello world\n',
      'bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4',
      'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o',
    ],
  ])('%j', async (text, raw, wrapped) => {
    const facts = await factsOf([Buffer.from(text)]);
    expect(cids(facts)).toEqual({ 'v1-raw-256k': raw, 'v0-256k': wrapped, 'v1-raw-1m': raw });
  });
});

test.each([
  1,
  127,
  128,
  chunk - 1,
  chunk,
  chunk + 1,
  2 * chunk,
  1024 * kib - 1,
  1024 * kib,
  1024 * kib + 1,
  5 * 1024 * kib + 77,
  174 * chunk,
  174 * chunk + 1,
  // Three levels would need 7.4 GB; two with a node that is not full are the same code.
  (174 + 3) * chunk + 5,
  ...[(174 + 3) * 1024 * kib + 5].slice(0, casesOf({ part: 0, whole: 1 })),
])('%d bytes get the names that the importer itself gives them', async (size) => {
  const bytes = bytesOf(size);
  const facts = await factsOf([bytes]);
  expect(cids(facts)).toEqual(await imported(bytes));
  expect(facts.bytes).toBe(size);
  expect(facts.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('the pieces in which bytes come never change a name', async () => {
  const bytes = bytesOf(3 * 1024 * kib + 12_345);
  const whole = await factsOf([bytes]);
  const sizes = fc.array(
    fc.oneof(fc.nat(70_000), fc.nat(1024 * kib * 2), fc.constantFrom(0, 1, chunk, 1024 * kib)),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(sizes, async (cuts) => {
      const parts: Uint8Array[] = [];
      let at = 0;
      for (const cut of cuts) {
        parts.push(bytes.subarray(at, at + cut));
        at = Math.min(bytes.byteLength, at + cut);
      }
      parts.push(bytes.subarray(at));
      expect(await factsOf(parts)).toEqual(whole);
    }),
    { numRuns: casesOf({ part: 12, whole: 60 }) },
  );
});

test('what was written may be overwritten at once', async () => {
  const bytes = bytesOf(2 * 1024 * kib + 99);
  const hashing = new ProfileHashing();
  const piece = new Uint8Array(100_000);
  for (let at = 0; at < bytes.byteLength; at += piece.byteLength) {
    const part = bytes.subarray(at, at + piece.byteLength);
    piece.set(part);
    hashing.write(piece.subarray(0, part.byteLength));
    piece.fill(0);
  }
  expect(await hashing.finish()).toEqual(await factsOf([bytes]));
});
