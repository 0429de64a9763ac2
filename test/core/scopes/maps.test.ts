import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pmtilesOf, pngOf } from '../../support/mapFiles.ts';
import { openConsole, type OpenConsole } from './appFixtures.ts';
import { said } from '../../support/messages.ts';

const bytes = pmtilesOf({ tileType: 2, tiles: [{ z: 0, x: 0, y: 0, data: pngOf('#336699') }] });
const body = async function* (): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
};

let open: OpenConsole;
beforeEach(async () => {
  open = await openConsole();
});
afterEach(() => open.close());

async function give(): Promise<string> {
  const begun = await open.call('beginMapImport', { fileName: 'a.pmtiles', bytes: bytes.byteLength });
  if (!begun.ok) throw new Error(said(begun.failure.sentence));
  const { importId } = begun.value as { importId: string };
  expect(await open.console.bytes.spool(importId, body())).toBe('kept');
  return importId;
}

describe('maps', () => {
  it('are not secret: they are imported, listed and drawn before anyone signs in', async () => {
    const id = await give();
    await open.shows(({ maps }) => maps?.packages.length === 1, 'the package');
    expect(open.mirror.slices.maps?.packages[0]).toMatchObject({ id, kind: 'raster', visible: true });
    expect(await open.console.bytes.tile(id, 0, 0, 0)).toMatchObject({ kind: 'tile', type: 'png' });
  });

  it('are kept from a locked console’s page, and come back with its password', async () => {
    const id = await give();
    await open.signIn();
    await open.call('lock', {});
    expect(await open.console.bytes.tile(id, 0, 0, 0)).toEqual({ kind: 'locked' });
    expect(await open.console.bytes.spool(id, body())).toBe('locked');
    for (const [verb, request] of [
      ['beginMapImport', { fileName: 'a', bytes: 1 }],
      ['cancelMapImport', { importId: id }],
      ['dismissMapImport', { importId: id }],
      ['setMapPackage', { id, visible: false }],
      ['moveMapPackage', { id, to: 0 }],
      ['removeMapPackage', { id }],
    ] as const) {
      expect(await open.console.call(verb, request)).toMatchObject({
        ok: false,
        failure: { code: 'locked' },
      });
    }
    await open.call('unlock', { password: open.training()?.credentials.password ?? '' });
    expect(await open.console.bytes.tile(id, 0, 0, 0)).toMatchObject({ kind: 'tile' });
  });

  it('take nothing after the console has closed', async () => {
    const begun = await open.call('beginMapImport', { fileName: 'a.pmtiles', bytes: bytes.byteLength });
    await open.console.close();
    const { importId } = (begun.ok ? begun.value : {}) as { importId: string };
    expect(await open.console.bytes.spool(importId, body())).toBe('locked');
  });
});
