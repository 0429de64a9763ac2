import { expect, it } from 'vitest';
import { defaultPreferences } from '../../../../src-main/core/features/preferences/preferences.ts';
import { encodeIncidentFrame, type Push } from '../../../../src-preload/contract/index.ts';
import { useMirror } from '../../../../src-renderer/base/stores/mirror.ts';
import { createPage } from '../../pageRig.ts';

const rows = (keys: readonly number[]): Uint8Array<ArrayBuffer> => {
  const length = keys.length;
  return encodeIncidentFrame({
    complete: true,
    removed: new Uint32Array(0),
    dictionaries: { severity: ['low'], status: ['open'], type: ['fire'] },
    columns: {
      length,
      key: Uint32Array.from(keys),
      createdAt: new Float64Array(length),
      latitude: new Float64Array(length),
      longitude: new Float64Array(length),
      arrivedAt: new Float64Array(length),
      notReturned: new Uint8Array(length),
      evidenceCount: new Uint32Array(length),
      anchorCount: new Uint32Array(length),
      severity: new Uint16Array(length),
      status: new Uint16Array(length),
      type: new Uint16Array(length),
      idOffsets: new Uint32Array(length + 1),
      idBytes: new Uint8Array(0),
    },
  });
};

function open() {
  const page = createPage();
  const mirror = page.run(() => useMirror());
  const send = (change: Partial<Push>): void =>
    page.push({ epoch: 'a', revision: 1, base: null, slices: {}, incidents: null, ...change });
  return { mirror, send, answers: page.answers };
}

const lock = (locked: boolean) => ({
  locked,
  username: 'kim',
  deploymentName: 'North',
  throttledUntil: null,
});
const preferences = { ...defaultPreferences, theme: 'day', zone: 'local' } as const;
const session = {
  vault: 'open',
  username: 'kim',
  session: { state: 'active', expiresAt: 1 },
} as const;

it('shows slices as they come, and keeps those that a delta does not name', () => {
  const { mirror, send, answers } = open();
  send({ slices: { preferences, lock: lock(false), session }, incidents: rows([3, 4]) });
  send({ base: 1, revision: 2, slices: { preferences: { ...preferences, zone: 'utc' } } });
  expect(mirror.zone).toBe('utc');
  expect(mirror.opened).toBe(true);
  expect(mirror.table.length).toBe(2);
  expect(answers).toEqual([
    { kind: 'acknowledge', epoch: 'a', revision: 1 },
    { kind: 'acknowledge', epoch: 'a', revision: 2 },
  ]);
});

it('forgets what a snapshot does not hold: a locked console withholds the rest', () => {
  const { mirror, send } = open();
  send({ slices: { preferences, lock: lock(false), session }, incidents: rows([3, 4]) });
  send({ revision: 2, slices: { preferences, lock: lock(true) } });
  expect(mirror.locked).toBe(true);
  expect(mirror.opened).toBe(false);
  expect(mirror.session).toBeUndefined();
  expect(mirror.table.length).toBe(0);
});

it('counts changes of the rows, and only those', () => {
  const { mirror, send } = open();
  send({ slices: { preferences }, incidents: rows([3]) });
  const before = mirror.tableRevision;
  send({ base: 1, revision: 2, slices: { preferences } });
  expect(mirror.tableRevision).toBe(before);
  send({ base: 2, revision: 3, incidents: rows([3, 5]) });
  expect(mirror.tableRevision).toBe(before + 1);
  expect(mirror.table.indexOfKey(5)).toBe(1);
});

it('names the epoch, because keys hold in one only', () => {
  const { mirror, send } = open();
  send({});
  send({ epoch: 'b' });
  expect(mirror.epoch).toBe('b');
});
