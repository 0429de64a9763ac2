import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMapFiles } from '../../../../src-main/adapters/maps/mapFiles.ts';
import { forkProgram } from '../../../../src-main/adapters/threads/childPrograms.ts';
import type { IncomingMap, MapFiles } from '../../../../src-main/core/base/ports.ts';
import { modeOf, temporaryFolder } from '../../../adapters/support.ts';
import { flush, until } from '../../../support/clock.ts';
import { endlessMbtiles, mapFixture, pmtilesOf, pngOf } from '../../../support/mapFiles.ts';
import { openLibrary, piecesOf, type OpenLibrary } from './openLibrary.ts';
import { said } from '../../../support/messages.ts';

const bytesOf = (name: string): Buffer =>
  pmtilesOf({ tileType: 2, tiles: [{ z: 0, x: 0, y: 0, data: pngOf('#336699') }], metadata: { name } });

let folder: string;
let open: OpenLibrary;
beforeEach(async () => {
  folder = await temporaryFolder();
  open = await openLibrary(folder);
});
const names = (from = open): string[] => from.state().packages.map(({ name }) => name);
const idOf = (name: string): string => open.state().packages.find((entry) => entry.name === name)?.id ?? '';
const again = (change: Partial<MapFiles> = {}): Promise<OpenLibrary> =>
  openLibrary(folder, { ports: open.ports, change });

/** A body that stops after its first piece until it is told to go on or to break. */
function haltingBody(first: Uint8Array) {
  let settle: (end: 'done' | 'broken') => void = () => undefined;
  const rest = new Promise<'done' | 'broken'>((resolve) => (settle = resolve));
  async function* body(): AsyncGenerator<Uint8Array> {
    yield first;
    if ((await rest) === 'broken') throw new Error('aborted');
  }
  return { body: body(), settle };
}

async function begin(bytes: number, fileName = 'a.pmtiles'): Promise<string> {
  const begun = await open.library.begin(fileName, bytes);
  if (!begun.ok) throw new Error(said(begun.failure.sentence));
  return begun.value.importId;
}

describe('the book', () => {
  beforeEach(async () => {
    for (const name of ['one', 'two', 'three'])
      expect(await open.give(`${name}.pmtiles`, bytesOf(name))).toBe('kept');
  });

  it('keeps what came last on top, and each file for its user alone', async () => {
    expect(names()).toEqual(['one', 'two', 'three']);
    for (const name of await open.folder()) expect(await modeOf(join(folder, 'maps', name))).toBe(0o600);
    expect(await modeOf(join(folder, 'maps'))).toBe(0o700);
  });

  it.each([
    ['one', 2, ['two', 'three', 'one']],
    ['three', 0, ['three', 'one', 'two']],
    ['one', 1, ['two', 'one', 'three']],
    ['two', 200, ['one', 'three', 'two']],
    ['two', 1, ['one', 'two', 'three']],
  ])('moves %s to place %i', async (name, to, expected) => {
    expect(await open.library.move(idOf(name), to)).toMatchObject({ ok: true });
    expect(names()).toEqual(expected);
    expect(names(await again())).toEqual(expected);
  });

  it('hides, and remembers it', async () => {
    await open.library.setVisible(idOf('two'), false);
    expect((await again()).state().packages.map(({ visible }) => visible)).toEqual([true, false, true]);
  });

  it('removes the file with the entry', async () => {
    const id = idOf('two');
    expect(await open.library.tile(id, 0, 0, 0)).toMatchObject({ kind: 'tile' });
    expect(await open.library.remove(id)).toMatchObject({ ok: true });
    expect(names()).toEqual(['one', 'three']);
    expect(await open.folder()).not.toContain(`${id}.map`);
    expect(await open.library.tile(id, 0, 0, 0)).toEqual({ kind: 'unknown' });
  });

  it('answers for what is not there with a failure', async () => {
    for (const answer of [
      await open.library.move('0'.repeat(16), 0),
      await open.library.setVisible('0'.repeat(16), true),
      await open.library.remove('0'.repeat(16)),
      open.library.cancel('0'.repeat(16)),
      open.library.dismiss('0'.repeat(16)),
    ]) {
      expect(answer).toMatchObject({ ok: false, failure: { code: 'not-found' } });
    }
  });

  it('shows no change that could not be written down', async () => {
    open.ports.documents.write = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    expect(await open.library.setVisible(idOf('one'), false)).toMatchObject({ ok: false });
    expect(open.state().packages[0]?.visible).toBe(true);
    expect(await open.give('four.pmtiles', bytesOf('four'))).toBe('refused');
    expect(open.reason()).toMatch(/Disk full/);
    expect(await open.folder()).toHaveLength(3);
  });

  it('that the disk does not give is made again from the files, and is not written over', async () => {
    const before = open.ports.documents.texts.get('maps.json');
    const { read } = open.ports.documents;
    open.ports.documents.read = () => Promise.reject(new Error('EIO'));
    const next = await again();
    expect(next.state().packages).toHaveLength(3);
    expect(await next.library.setVisible(idOf('one'), false)).toMatchObject({ ok: false });
    open.ports.documents.read = read;
    expect(open.ports.documents.texts.get('maps.json')).toBe(before);
  });

  it('says which file is missing or was changed, and forgets it on request', async () => {
    await rm(join(folder, 'maps', `${idOf('one')}.map`));
    await writeFile(join(folder, 'maps', `${idOf('three')}.map`), 'short');
    const next = await again();
    expect(names(next)).toEqual(['two']);
    expect(next.state().missing.map(({ name }) => name)).toEqual(['one', 'three']);
    for (const { id } of next.state().missing) {
      expect(await next.library.tile(id, 0, 0, 0)).toEqual({ kind: 'unknown' });
      expect(await next.library.remove(id)).toMatchObject({ ok: true });
    }
    expect(next.state().missing).toEqual([]);
    expect(await next.folder()).toHaveLength(1);
  });

  it('notices a file that goes while the console runs', async () => {
    const id = idOf('one');
    await rm(join(folder, 'maps', `${id}.map`));
    expect(await open.library.tile(id, 0, 0, 0)).toEqual({ kind: 'missing' });
    expect(open.state().missing).toEqual([{ id, name: 'one', why: 'gone' }]);
  });

  it('keeps the reader of a package with a damaged tile', async () => {
    let opened = 0;
    const openDatabase: MapFiles['openDatabase'] = async (...which) => {
      opened += 1;
      const database = await open.files.openDatabase(...which);
      const damaged = Object.assign(new Error('malformed'), { code: 'MAP_TILE' });
      return { ...database, tile: () => Promise.reject(damaged) };
    };
    const next = await again({ openDatabase });
    expect(await next.give('cities.mbtiles', mapFixture('world_cities.mbtiles'))).toBe('kept');
    const { id = '' } = next.state().packages.at(-1) ?? {};
    opened = 0;
    for (const z of [0, 1, 2]) expect(await next.library.tile(id, z, 0, 0)).toEqual({ kind: 'missing' });
    expect(opened).toBe(1);
  });

  it('puts a package aside that takes too long to read, also at the next start, until it is removed', async () => {
    const id = idOf('one');
    const takesTooLong = Object.assign(new Error('it took too long'), { code: 'MAP_ENDLESS' });
    const slow = await again({ open: () => Promise.reject(takesTooLong) });
    expect(await slow.library.tile(id, 0, 0, 0)).toEqual({ kind: 'missing' });
    const aside = [{ id, name: 'one', why: 'endless' }];
    expect(slow.state().missing).toEqual(aside);
    await slow.library.close();
    const next = await again();
    expect(next.state().missing).toEqual(aside);
    expect(await next.library.tile(id, 0, 0, 0)).toEqual({ kind: 'unknown' });
    expect(await next.library.remove(id)).toMatchObject({ ok: true });
    expect((await again()).state().missing).toEqual([]);
  });

  it('is made again from the files when it cannot be read', async () => {
    open.ports.documents.texts.set('maps.json', '{"version":1,"packages":[{"id":"../../etc"}]}');
    const next = await again();
    expect(names(next).sort()).toEqual(['one', 'three', 'two']);
    expect(await next.folder()).toHaveLength(3);
  });
});

describe('an import', () => {
  const bytes = bytesOf('map');

  it('tells its states and its progress, and then is a package of the same id', async () => {
    const id = await begin(bytes.byteLength);
    expect(open.state().imports).toEqual([
      { id, fileName: 'a.pmtiles', bytes: bytes.byteLength, received: 0, state: 'waiting', failure: null },
    ]);
    const { body, settle } = haltingBody(bytes);
    const done = open.library.receive(id, body);
    await until(() => open.state().imports[0]?.state === 'receiving');
    expect(await open.library.receive(id, piecesOf(bytes))).toBe('busy');
    settle('done');
    expect(await done).toBe('kept');
    expect(open.state().imports).toEqual([]);
    expect(open.state().packages.map((entry) => entry.id)).toEqual([id]);
    expect(await open.library.receive(id, piecesOf(bytes))).toBe('unknown');
  });

  it.each([
    ['ends early', 'done', bytes.subarray(0, 20), /cut short: 20 bytes of/],
    ['is larger than announced', 'done', Buffer.concat([bytes, bytes]), /larger than announced/],
  ] as const)('is refused when its body %s', async (_name, end, first, reason) => {
    const id = await begin(bytes.byteLength);
    const { body, settle } = haltingBody(first);
    settle(end);
    expect(await open.library.receive(id, body)).toBe('refused');
    expect(open.reason()).toMatch(reason);
    expect(await open.folder()).toEqual([]);
    expect(open.library.dismiss(id)).toMatchObject({ ok: true });
    expect(open.state().imports).toEqual([]);
  });

  it('waits a moment for a connection that broke, and is then refused', async () => {
    const id = await begin(bytes.byteLength);
    const breaking = async (): Promise<void> => {
      const { body, settle } = haltingBody(bytes.subarray(0, 20));
      settle('broken');
      expect(await open.library.receive(id, body)).toBe('refused');
      expect(open.state().imports[0]).toMatchObject({ state: 'waiting', received: 0 });
      expect(await open.folder()).toEqual([]);
    };
    await breaking();
    await open.ports.clock.advance(9_000);
    expect(await open.library.receive(id, piecesOf(bytes))).toBe('kept');
    expect(open.state().packages).toHaveLength(1);
    const second = await begin(bytes.byteLength);
    const { body, settle } = haltingBody(bytes.subarray(0, 20));
    settle('broken');
    await open.library.receive(second, body);
    await open.ports.clock.advance(10_000);
    expect(open.state().imports[0]?.state).toBe('refused');
    expect(open.reason()).toMatch(/cut short: 20 bytes of/);
    expect(await open.folder()).toHaveLength(1);
  });

  it('is refused when its body falls silent, or never comes', async () => {
    const silent = await begin(bytes.byteLength);
    const done = open.library.receive(silent, haltingBody(bytes.subarray(0, 9)).body);
    await until(() => open.state().imports[0]?.state === 'receiving');
    await flush();
    const absent = await begin(5);
    // In steps: the disk takes its time, and the silence begins when the first bytes are written.
    expect(await open.ports.clock.drive(done, { stepMs: 5_000, mostMs: 3_600_000 })).toBe('refused');
    await open.ports.clock.advance(61_000);
    expect(open.state().imports.map(({ state }) => state)).toEqual(['refused', 'refused']);
    expect(open.reason()).toMatch(/did not arrive/);
    expect(await open.library.receive(absent, piecesOf(bytes))).toBe('busy');
    expect(await open.folder()).toEqual([]);
  });

  it('leaves nothing when it is cancelled in the middle', async () => {
    const id = await begin(bytes.byteLength);
    const done = open.library.receive(id, haltingBody(bytes.subarray(0, 9)).body);
    await until(() => open.state().imports[0]?.state === 'receiving');
    await flush();
    expect(open.library.cancel(id)).toMatchObject({ ok: true });
    expect(await done).toBe('refused');
    expect(open.state()).toEqual({ packages: [], imports: [], missing: [] });
    expect(await open.folder()).toEqual([]);
  });

  it.each([
    ['it is cancelled', (id: string, { library }: OpenLibrary) => void library.cancel(id)],
    ['the console closes', (_id: string, { library }: OpenLibrary) => library.close()],
  ])('ends the search of its database when %s', async (_when, end) => {
    let readers = 0;
    const fork: typeof forkProgram = (file, args) => {
      const reader = forkProgram(file, args);
      readers += 1;
      reader.onGone(() => (readers -= 1));
      return reader;
    };
    const { clock } = open.ports;
    const change = createMapFiles({ dataDir: folder, clock, fork });
    open = await openLibrary(folder, { ports: open.ports, change });
    const endless = endlessMbtiles();
    const id = await begin(endless.byteLength);
    const done = open.library.receive(id, piecesOf(endless));
    await until(() => readers === 1, 'the reader');
    await end(id, open);
    expect(await done).toBe('refused');
    await until(() => readers === 0, 'the end of the reader');
    expect(await open.folder()).toEqual([]);
  });

  it('leaves nothing when the console closes in the middle', async () => {
    const id = await begin(bytes.byteLength);
    void open.library.receive(id, haltingBody(bytes.subarray(0, 9)).body);
    await until(() => open.state().imports[0]?.state === 'receiving');
    await flush();
    await open.library.close();
    expect(await open.folder()).toEqual([]);
  });

  it('leaves nothing behind a kill: the next start clears it away', async () => {
    await open.give('kept.pmtiles', bytesOf('kept'));
    const kept = await open.folder();
    // What a kill leaves: half a file, and a whole one that never came into the book.
    await writeFile(join(folder, 'maps', `${'a'.repeat(16)}.part`), 'half');
    await writeFile(join(folder, 'maps', `${'b'.repeat(16)}.map`), bytes);
    const next = await again();
    expect(await next.folder()).toEqual(kept);
    expect(names(next)).toEqual(['kept']);
  });

  it.each([
    ['ENOSPC', /Disk full/],
    ['EROFS', /Can’t write to/],
    ['EIO', /Can’t write/],
  ])('says what is wrong with the disk at %s', async (code, reason) => {
    const broken = (incoming: IncomingMap): IncomingMap => ({
      ...incoming,
      write: () => Promise.reject(Object.assign(new Error(code), { code })),
    });
    const { files } = open;
    const other = await openLibrary(folder, {
      ports: open.ports,
      change: { receive: async (id) => broken(await files.receive(id)) },
    });
    expect(await other.give('a.pmtiles', bytes)).toBe('refused');
    expect(other.state().imports[0]?.failure).toMatchObject({ code: 'storage-failed' });
    expect(other.reason()).toMatch(reason);
    expect(await other.folder()).toEqual([]);
  });

  it('is not begun without the room for it, or beside too many', async () => {
    const other = await openLibrary(folder, { change: { free: () => Promise.resolve(100_000_000) } });
    const answer = await other.library.begin('planet.pmtiles', 90_000_000_000);
    expect(answer).toMatchObject({ ok: false, failure: { code: 'storage-failed' } });
    expect(!answer.ok && said(answer.failure.sentence)).toMatch(/needs 90.0 GB. The disk has 100 MB left/);
    for (let at = 0; at < 32; at += 1) await begin(1);
    expect(await open.library.begin('one more', 1)).toMatchObject({
      ok: false,
      failure: { code: 'conflict' },
    });
  });
});
