import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import { encodeIncidentFrame } from '../../../src-preload/contract/index.ts';
import { keepSelection } from '../../../src-renderer/app/keepSelection.ts';
import { useMirror } from '../../../src-renderer/base/stores/mirror.ts';
import { useUi } from '../../../src-renderer/base/stores/ui.ts';
import { createPage } from '../pageRig.ts';

/** Rows with these ids under these keys. */
function rows(keyOf: Readonly<Record<string, number>>): Uint8Array<ArrayBuffer> {
  const ids = Object.keys(keyOf);
  const length = ids.length;
  const idBytes = new TextEncoder().encode(ids.join(''));
  const idOffsets = new Uint32Array(length + 1);
  ids.forEach((id, row) => (idOffsets[row + 1] = (idOffsets[row] ?? 0) + id.length));
  return encodeIncidentFrame({
    complete: true,
    removed: new Uint32Array(0),
    dictionaries: { severity: ['low'], status: ['open'], type: ['fire'] },
    columns: {
      length,
      key: Uint32Array.from(Object.values(keyOf)),
      createdAt: new Float64Array(length),
      latitude: new Float64Array(length),
      longitude: new Float64Array(length),
      arrivedAt: new Float64Array(length),
      evidenceCount: new Uint32Array(length),
      anchorCount: new Uint32Array(length),
      severity: new Uint16Array(length),
      status: new Uint16Array(length),
      type: new Uint16Array(length),
      notReturned: new Uint8Array(length),
      idOffsets,
      idBytes,
    },
  });
}

const session = (vault: 'open' | 'closed') =>
  ({ vault, username: 'kim', session: { state: 'active', expiresAt: 1 } }) as const;

function open() {
  const page = createPage();
  const { mirror, ui } = page.run(() => {
    const stores = { mirror: useMirror(), ui: useUi() };
    keepSelection();
    return stores;
  });
  let revision = 0;
  const snapshot = async (
    epoch: string,
    keyOf: Readonly<Record<string, number>> | null,
    vault: 'open' | 'closed' = 'open',
  ): Promise<void> => {
    revision += 1;
    const incidents = keyOf === null ? null : rows(keyOf);
    page.push({ epoch, revision, base: null, slices: { session: session(vault) }, incidents });
    await nextTick();
  };
  return { mirror, ui, snapshot };
}

it('keeps the incident selected when another epoch gives it another key', async () => {
  const { ui, snapshot } = open();
  await snapshot('a', { first: 3, second: 4 });
  ui.select(4);
  await snapshot('b', { second: 3, first: 4 });
  expect(ui.selected).toBe(3);
  expect(ui.selectedOn, 'the camera must not fly to it').toBe('map');
});

it('selects nothing while its row is not there, and it again when it comes', async () => {
  const { ui, snapshot } = open();
  await snapshot('a', { first: 3, second: 4 });
  ui.select(4);
  await snapshot('b', null);
  expect(ui.selected).toBeNull();
  await snapshot('b', { first: 4 });
  expect(ui.selected, 'an old key must not show another incident').toBeNull();
  await snapshot('b', { first: 4, second: 9 });
  expect(ui.selected).toBe(9);
});

it('follows the operator, who may select another or none meanwhile', async () => {
  const { ui, snapshot } = open();
  await snapshot('a', { first: 3, second: 4 });
  ui.select(4);
  await snapshot('b', { first: 1 });
  ui.select(1);
  await snapshot('b', { first: 1, second: 2 });
  expect(ui.selected).toBe(1);
  ui.select(null);
  await snapshot('c', { first: 7, second: 8 });
  expect(ui.selected).toBeNull();
});

it('does not look for one operator’s incident among the next one’s', async () => {
  const { ui, snapshot } = open();
  await snapshot('a', { first: 3 });
  ui.select(3);
  await snapshot('b', null, 'closed');
  ui.reset();
  await snapshot('c', { first: 5 });
  expect(ui.selected).toBeNull();
});
