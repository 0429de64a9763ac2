import { describe, expect, it } from 'vitest';
import { flush } from '../../../support/clock.ts';
import { createEvidenceRig, rawCid } from './evidenceRig.ts';
import { said } from '../../../support/messages.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    await Promise.resolve();
    yield bytesOf(text);
  }
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield bytesOf('12');
  await Promise.resolve();
  throw new Error('connection lost');
}

async function* silent(): AsyncGenerator<Uint8Array> {
  yield bytesOf('12');
  await new Promise(() => undefined);
}

async function announced(cid: string, bytes: number) {
  const rig = createEvidenceRig();
  await rig.start();
  await flush();
  const begun = rig.feature.beginVerification(cid, 'file.bin', bytes);
  if (!begun.ok) throw new Error(said(begun.failure.sentence));
  const id = begun.value.verificationId;
  return { rig, id, shown: () => rig.slice().verifications.find((one) => one.id === id) };
}

describe('a file held against a CID', () => {
  it('matches', async () => {
    const { rig, id, shown } = await announced(rawCid('hello'), 5);
    expect(shown()).toMatchObject({ received: 0, verdict: null, failure: null });
    expect(rig.feature.knows(id)).toBe(true);
    expect(await rig.feature.receive(id, pieces('he', 'llo'))).toBe('kept');
    expect(shown()).toMatchObject({ received: 5, verdict: 'match', profile: 'v1-raw-256k' });
    expect(await rig.feature.receive(id, pieces('hello'))).toBe('busy');
  });

  it.each([
    ['hello', 'bafkreibm6jg3ux5qumhcn2b3flc3tyu6dmlb4xa7u5bf44yegnrjhc4yeq', 'match', 'v1-raw-256k'],
    ['hello world', 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD', 'match', 'v0-256k'],
    ['hello', 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD', 'not-verifiable', null],
    ['hallo', 'bafkreibm6jg3ux5qumhcn2b3flc3tyu6dmlb4xa7u5bf44yegnrjhc4yeq', 'differs', null],
  ])('of the bytes “%s” under %s: %s', async (text, cid, verdict, profile) => {
    const rig = createEvidenceRig({ realHasher: true });
    await rig.start();
    const begun = rig.feature.beginVerification(cid, 'file.bin', text.length);
    if (!begun.ok) throw new Error(said(begun.failure.sentence));
    expect(await rig.feature.receive(begun.value.verificationId, pieces(text))).toBe('kept');
    expect(rig.slice().verifications[0]).toMatchObject({ verdict, profile });
    await rig.feature.stop();
    await rig.records.close();
  });

  it('differs, or cannot be verified', async () => {
    const other = await announced(rawCid('hello'), 5);
    await other.rig.feature.receive(other.id, pieces('hallo'));
    expect(other.shown()).toMatchObject({ verdict: 'differs' });
    const graph = await announced('QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG', 5);
    await graph.rig.feature.receive(graph.id, pieces('hello'));
    expect(graph.shown()).toMatchObject({ verdict: 'not-verifiable', profile: null });
  });

  it.each([
    ['too few bytes', () => pieces('hel'), 'cut short: 3 bytes of 5 bytes'],
    ['too many bytes', () => pieces('hello', '!'), 'larger than announced'],
    ['a broken connection', broken, 'cut short: 2 bytes of 5 bytes'],
  ])('fails for %s', async (_name, body, sentence) => {
    const { rig, id, shown } = await announced(rawCid('hello'), 5);
    expect(await rig.feature.receive(id, body())).toBe('refused');
    expect(shown()).toMatchObject({ verdict: null, failure: { code: 'file-refused' } });
    expect(said(shown()?.failure?.sentence)).toContain(sentence);
    expect(rig.hashers[0]?.abandoned).toBe(true);
  });

  it('is given up when nothing comes, and when it stops coming', async () => {
    const never = await announced(rawCid('hello'), 5);
    await never.rig.clock.advance(61_000);
    expect(said(never.shown()?.failure?.sentence)).toBe('The file did not arrive.');
    const stops = await announced(rawCid('hello'), 5);
    const taken = stops.rig.feature.receive(stops.id, silent());
    await stops.rig.clock.advance(61_000);
    expect(await taken).toBe('refused');
    expect(said(stops.shown()?.failure?.sentence)).toContain('cut short');
  });

  it('ends when it is dismissed, and when the vault is left', async () => {
    const dismissed = await announced(rawCid('hello'), 5);
    const taken = dismissed.rig.feature.receive(dismissed.id, silent());
    await flush();
    expect(dismissed.rig.feature.dismissVerification(dismissed.id).ok).toBe(true);
    expect(await taken).toBe('refused');
    expect(dismissed.shown()).toBeUndefined();
    expect(dismissed.rig.feature.dismissVerification(dismissed.id)).toMatchObject({
      failure: { code: 'not-found' },
    });
    const left = await announced(rawCid('hello'), 5);
    const other = left.rig.feature.receive(left.id, silent());
    await flush();
    await left.rig.feature.stop();
    expect(await other).toBe('refused');
    expect(await left.rig.feature.receive(left.id, pieces('hello'))).toBe('unknown');
    expect(left.rig.clock.pending()).toBe(0);
  });

  it('is one of 16 at most, where one that has ended makes room', async () => {
    const { rig, id } = await announced(rawCid('hello'), 5);
    for (let count = 1; count < 16; count += 1) {
      expect(rig.feature.beginVerification(rawCid('x'), 'x', 1).ok).toBe(true);
    }
    expect(rig.feature.beginVerification(rawCid('x'), 'x', 1)).toMatchObject({
      failure: { code: 'file-refused' },
    });
    await rig.feature.receive(id, pieces('hello'));
    expect(rig.feature.beginVerification(rawCid('x'), 'x', 1).ok).toBe(true);
    expect(rig.slice().verifications).toHaveLength(16);
    expect(rig.feature.beginVerification('no cid', 'x', 1)).toMatchObject({
      failure: { code: 'bad-request' },
    });
  });
});
