import { describe, expect, it } from 'vitest';
import { encodeIncidentFrame, type Push } from '../../../../src-preload/contract/index.ts';
import { PushReader, type Applied } from '../../../../src-renderer/base/stores/reader.ts';

const push = (change: Partial<Push>): Push => ({
  epoch: 'a',
  revision: 1,
  base: null,
  slices: {},
  incidents: null,
  ...change,
});

function follow() {
  const reader = new PushReader();
  const applied: Applied[] = [];
  return { applied, take: (change: Partial<Push>) => reader.take(push(change), (one) => applied.push(one)) };
}

const frame = (complete: boolean): Uint8Array<ArrayBuffer> =>
  encodeIncidentFrame({
    complete,
    removed: new Uint32Array([7]),
    dictionaries: { severity: ['low'], status: ['open'], type: ['fire'] },
    columns: {
      length: 1,
      key: new Uint32Array([9]),
      createdAt: new Float64Array([1]),
      latitude: new Float64Array([2]),
      longitude: new Float64Array([3]),
      arrivedAt: new Float64Array([0]),
      notReturned: new Uint8Array([0]),
      evidenceCount: new Uint32Array([4]),
      anchorCount: new Uint32Array([5]),
      severity: new Uint16Array([0]),
      status: new Uint16Array([0]),
      type: new Uint16Array([0]),
      idOffsets: new Uint32Array([0, 1]),
      idBytes: new Uint8Array([120]),
    },
  });

describe('PushReader', () => {
  it('applies a snapshot and what follows it, and acknowledges after applying', () => {
    const { applied, take } = follow();
    expect(take({ revision: 4 })).toEqual({ kind: 'acknowledge', epoch: 'a', revision: 4 });
    expect(take({ base: 4, revision: 6 })).toEqual({ kind: 'acknowledge', epoch: 'a', revision: 6 });
    expect(applied.map(({ snapshot }) => snapshot)).toEqual([true, false]);
  });

  it.each([
    ['a gap', { base: 5, revision: 6 }],
    ['a delta of the past', { base: 3, revision: 4 }],
    ['another epoch', { epoch: 'b', base: 4, revision: 5 }],
  ])('drops %s and asks for a snapshot once', (_name, change) => {
    const { applied, take } = follow();
    take({ revision: 4 });
    expect(take(change)).toEqual({ kind: 'resync' });
    expect(take(change)).toBeNull();
    expect(applied).toHaveLength(1);
    expect(take({ epoch: 'b', revision: 9 })).toEqual({ kind: 'acknowledge', epoch: 'b', revision: 9 });
    expect(applied).toHaveLength(2);
  });

  it('asks for a snapshot when the first push is a delta', () => {
    const { applied, take } = follow();
    expect(take({ base: 1, revision: 2 })).toEqual({ kind: 'resync' });
    expect(applied).toEqual([]);
  });

  it('asks again after a second loss', () => {
    const { take } = follow();
    take({ base: 1, revision: 2 });
    take({ revision: 3 });
    expect(take({ base: 8, revision: 9 })).toEqual({ kind: 'resync' });
  });

  it('decodes the incident frame', () => {
    const { applied, take } = follow();
    take({ incidents: frame(true) });
    take({ base: 1, revision: 2, incidents: frame(false) });
    expect(applied[0]?.frame?.complete).toBe(true);
    expect(applied[1]?.frame?.removed).toEqual(new Uint32Array([7]));
    expect(applied[1]?.frame?.columns.key).toEqual(new Uint32Array([9]));
  });

  it('takes a delta that cannot be read for a loss, and leaves the state alone', () => {
    const { applied, take } = follow();
    take({});
    expect(take({ base: 1, revision: 2, incidents: new Uint8Array([1, 2, 3]) })).toEqual({ kind: 'resync' });
    expect(applied).toHaveLength(1);
  });

  it('does not acknowledge a snapshot that cannot be read', () => {
    const { take } = follow();
    expect(() => take({ incidents: new Uint8Array([1, 2, 3]) })).toThrow(RangeError);
  });
});
