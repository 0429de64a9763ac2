import fc from 'fast-check';
import { bases } from 'multiformats/basics';
import { CID } from 'multiformats/cid';
import { create } from 'multiformats/hashes/digest';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  contentKeyOf,
  guessCid,
  parseCid,
} from '../../../../../src-main/core/features/evidence/cid/parse.ts';
import { verdictOf } from '../../../../../src-main/core/features/evidence/cid/verdict.ts';
import { casesOf } from '../../../../support/campaign.ts';
import { codePoint } from '../../../../support/codePoints.ts';

const known = {
  v0: 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG',
  v1OfV0: 'bafybeie5nqv6kd3qnfjupgvz34woh3oksc3iau6abmyajn7qvtf47mvof4',
  hello: 'bafkreibm6jg3ux5qumhcn2b3flc3tyu6dmlb4xa7u5bf44yegnrjhc4yeq',
};
const every = Object.values(bases).filter(({ name }) => name !== 'identity');

describe('what parses as a CID', () => {
  it('is version 0 and version 1, which are the same content', () => {
    expect(parseCid(known.v0)).toMatchObject({ canonical: known.v0, content: known.v1OfV0, codec: 0x70 });
    expect(contentKeyOf(known.v1OfV0)).toBe(contentKeyOf(known.v0));
    expect(parseCid(known.hello)).toMatchObject({ codec: 0x55, hash: 0x12, canonical: known.hello });
  });

  it('is the same in every base', () => {
    const cid = CID.parse(known.hello);
    for (const base of every) {
      const text = base.encode(cid.bytes);
      if (text.length <= 256) expect(contentKeyOf(text), base.name).toBe(known.hello);
      else expect(contentKeyOf(text), base.name).toBeNull();
    }
  });

  it('keeps codec, hash and digest of any CID', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 2 ** 31 }),
        fc.constantFrom(0x12, 0x13, 0x1b, 0x00, 0xb220),
        fc.uint8Array({ minLength: 0, maxLength: 64 }),
        fc.constantFrom(...every),
        (codec, hash, digest, base) => {
          const cid = CID.createV1(codec, create(hash, Uint8Array.from(digest)));
          const text = base.encode(cid.bytes);
          const parsed = parseCid(text);
          if (text.length > 256) expect(parsed).toBeNull();
          else {
            expect(parsed).toMatchObject({ codec, hash, content: cid.toString() });
            expect([...(parsed?.digest ?? [])]).toEqual([...digest]);
            expect(contentKeyOf(parsed?.canonical ?? '')).toBe(parsed?.content);
          }
        },
      ),
    );
  });

  it.each([
    '',
    'Q',
    'Qm',
    `z${known.v0}`,
    `${known.v0}x`,
    ` ${known.v0}`,
    `${known.hello} `,
    known.hello.slice(0, -1),
    `ipfs://${known.hello}`,
    'fire',
    '2026-11-21T03:00:00Z',
    '🚀',
  ])('refuses %s', (text) => {
    expect(parseCid(text)).toBeNull();
  });

  it('refuses what is too long before it is decoded', () => {
    expect(parseCid(`z${'2'.repeat(10_000_000)}`)).toBeNull();
  });

  it('never throws', () => {
    const spelt = fc.tuple(
      fc.constantFrom('Q', 'Qm', '', ...every.map(({ prefix }) => prefix)),
      fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: codePoint, maxLength: 80 })),
    );
    fc.assert(
      fc.property(spelt, ([prefix, rest]) => {
        expect(() => parseCid(prefix + rest)).not.toThrow();
        expect(() => guessCid(prefix + rest)).not.toThrow();
      }),
      { numRuns: casesOf({ part: 300, whole: 2_000 }) },
    );
  });

  it('is not guessed from a number that is one by the letter', () => {
    expect(parseCid('922347776')).not.toBeNull();
    expect(guessCid('922347776')).toBeNull();
    expect(guessCid(known.hello)?.content).toBe(known.hello);
  });
});

describe('the verdict', () => {
  const bytes = new TextEncoder().encode('bytes of a file');
  const digest = createHash('sha256').update(bytes).digest();
  const raw = (of: Uint8Array): string => CID.createV1(0x55, create(0x12, of)).toString();
  const other = Uint8Array.from(digest, (byte) => byte ^ 1);
  const facts = {
    bytes: bytes.byteLength,
    sha256: digest.toString('hex'),
    computed: [
      { profile: 'v1-raw-256k', cid: raw(digest) },
      { profile: 'v0-256k', cid: known.v0 },
      { profile: 'v1-raw-1m', cid: raw(digest) },
    ],
  } as const;

  it('is a match under any profile, however the CID is spelt', () => {
    expect(verdictOf({ ...facts, claimed: raw(digest) })).toEqual({
      verdict: 'match',
      profile: 'v1-raw-256k',
    });
    expect(verdictOf({ ...facts, claimed: known.v1OfV0 })).toEqual({ verdict: 'match', profile: 'v0-256k' });
    const base16 = bases.base16.encode(CID.parse(raw(digest)).bytes);
    expect(verdictOf({ ...facts, claimed: base16 }).verdict).toBe('match');
  });

  it('is a match for the plain hash of a file that profiles cut into chunks', () => {
    const held = {
      ...facts,
      computed: [{ profile: 'v0-256k', cid: known.v0 }] as const,
      claimed: raw(digest),
    };
    expect(verdictOf(held)).toEqual({ verdict: 'match', profile: null });
  });

  it('differs only for the plain SHA-256 of other bytes', () => {
    expect(verdictOf({ ...facts, claimed: raw(other) })).toEqual({ verdict: 'differs', profile: null });
  });

  it('verifies nothing where another profile could explain the difference', () => {
    const graph = CID.createV1(0x70, create(0x12, other)).toString();
    const sha512 = CID.createV1(0x55, create(0x13, new Uint8Array(64))).toString();
    const cut = CID.createV1(0x55, create(0x12, other.subarray(0, 20))).toString();
    for (const claimed of [graph, sha512, cut, 'no cid', 'bafkqaaa']) {
      expect(verdictOf({ ...facts, claimed }), claimed).toEqual({ verdict: 'not-verifiable', profile: null });
    }
  });
});
