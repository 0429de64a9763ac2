import { describe, expect, it } from 'vitest';
import { createFeatureRig } from '../../featureRig.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const zeros = (length: number): Uint8Array => new Uint8Array(length);

describe('a file on the shelf', () => {
  it('is fetched once, by an id that only its maker was told', () => {
    const { downloads } = createFeatureRig();
    const one = downloads.put('one.json', bytesOf('one'));
    const two = downloads.put('two.json', bytesOf('two'));
    expect(one).toEqual({
      exportId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      fileName: 'one.json',
    });
    expect(one.exportId).not.toBe(two.exportId);
    expect(downloads.take('f'.repeat(32))).toBeNull();
    expect(downloads.take(one.exportId)).toEqual(bytesOf('one'));
    expect(downloads.take(one.exportId)).toBeNull();
    expect(downloads.take(two.exportId)).toEqual(bytesOf('two'));
  });

  it('is zeroed and gone after five minutes; one that was fetched is left alone', async () => {
    const { downloads, clock } = createFeatureRig();
    const waiting = bytesOf('waiting');
    const fetched = bytesOf('fetched');
    const late = downloads.put('late', waiting);
    downloads.take(downloads.put('soon', fetched).exportId);
    await clock.advance(5 * 60_000 - 1);
    expect(waiting).toEqual(bytesOf('waiting'));
    await clock.advance(1);
    expect(downloads.take(late.exportId)).toBeNull();
    expect(waiting).toEqual(zeros(7));
    expect(fetched).toEqual(bytesOf('fetched'));
  });

  it('makes room after seven others', () => {
    const { downloads } = createFeatureRig();
    const ids = Array.from({ length: 9 }, (_, at) => downloads.put(`${at}`, bytesOf(`${at}`)).exportId);
    expect(ids.map((id) => downloads.take(id) !== null)).toEqual([false, ...Array<boolean>(8).fill(true)]);
  });

  it('ends with the operator for whom it was made', () => {
    const { downloads } = createFeatureRig();
    const bytes = bytesOf('mine');
    const { exportId } = downloads.put('mine', bytes);
    downloads.clear();
    expect(bytes).toEqual(zeros(4));
    expect(downloads.take(exportId)).toBeNull();
  });
});
