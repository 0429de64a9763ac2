import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMapFiles } from '../../../src-main/adapters/maps/mapFiles.ts';
import { openTileDatabase, readingBudget } from '../../../src-main/adapters/maps/tileDatabase.ts';
import { forkProgram } from '../../../src-main/adapters/threads/childPrograms.ts';
import { codeOf } from '../../../src-main/core/base/errors.ts';
import type { ChildProgram, MapFiles } from '../../../src-main/core/base/ports.ts';
import { createVirtualClock, until, type VirtualClock } from '../../support/clock.ts';
import { endlessMbtiles, mapFixture, pngOf, writeMbtiles } from '../../support/mapFiles.ts';
import { hasModes, isRoot, modeOf, temporaryFolder } from '../support.ts';

const id = '0123456789abcdef';
let dataDir: string;
let clock: VirtualClock;
let files: MapFiles;
/** The processes that were started, and how many of them ended. */
let readers: ChildProgram[];
let ended: number;
const fork: typeof forkProgram = (file, args) => {
  const reader = forkProgram(file, args);
  readers.push(reader);
  reader.onGone(() => void (ended += 1));
  return reader;
};
const killReader = async (): Promise<void> => {
  readers.at(-1)?.kill();
  await until(() => ended === readers.length, 'the end of the process');
};
beforeEach(async () => {
  dataDir = await temporaryFolder();
  clock = createVirtualClock();
  readers = [];
  ended = 0;
  files = createMapFiles({ dataDir, clock, fork });
});
const listed = (): Promise<string[]> => readdir(join(dataDir, 'maps'));

async function keep(bytes: Uint8Array): Promise<void> {
  const incoming = await files.receive(id);
  await incoming.write(bytes);
  await incoming.finish();
  await incoming.keep();
}

describe('files of maps', () => {
  it('is a part until it is kept, and then a whole one', async () => {
    const incoming = await files.receive(id);
    await incoming.write(Buffer.from('abc'));
    await incoming.write(Buffer.from('def'));
    expect(await listed()).toEqual([`${id}.part`]);
    expect(await files.list()).toEqual(new Map());
    await incoming.finish();
    const part = await files.open(id, 'incoming');
    expect(Buffer.from(await part.read(2, 3)).toString()).toBe('cde');
    await part.close();
    await expect(files.open(id, 'kept')).rejects.toMatchObject({ code: 'ENOENT' });
    await incoming.keep();
    expect(await listed()).toEqual([`${id}.map`]);
    expect(await files.list()).toEqual(new Map([[id, 6]]));
  });

  it.runIf(hasModes)('is for its user alone', async () => {
    await mkdir(join(dataDir, 'maps'), { mode: 0o755 });
    await keep(Buffer.from('abc'));
    expect(await modeOf(join(dataDir, 'maps'))).toBe(0o700);
    expect(await modeOf(join(dataDir, 'maps', `${id}.map`))).toBe(0o600);
  });

  it('reads no further than the end, and nothing before the start', async () => {
    await keep(Buffer.from('abcdef'));
    const file = await files.open(id, 'kept');
    expect(file.bytes).toBe(6);
    expect((await file.read(4, 100)).byteLength).toBe(2);
    expect((await file.read(6, 1)).byteLength).toBe(0);
    expect((await file.read(900, 1)).byteLength).toBe(0);
    await file.close();
  });

  it('leaves nothing of what was discarded, whenever that is', async () => {
    for (const finished of [false, true]) {
      const incoming = await files.receive(id);
      await incoming.write(Buffer.from('abc'));
      if (finished) await incoming.finish();
      await incoming.discard();
      await incoming.discard();
      expect(await listed()).toEqual([]);
    }
  });

  it('never takes one file for two', async () => {
    const first = await files.receive(id);
    await expect(files.receive(id)).rejects.toMatchObject({ code: 'EEXIST' });
    await first.discard();
  });

  it.each(['', '..', '../../etc/passwd', `${id}/x`, `${id}0`, id.toUpperCase(), 'owner.lock\0'])(
    'takes %j for no id',
    async (name) => {
      await expect(files.receive(name)).rejects.toThrow(RangeError);
      await expect(files.open(name, 'kept')).rejects.toThrow(RangeError);
      await expect(files.openDatabase(name, 'incoming')).rejects.toThrow(RangeError);
      await expect(files.remove(name)).rejects.toThrow(RangeError);
    },
  );

  it('sweeps away everything but what is to stay', async () => {
    await files.sweep(new Set());
    await keep(Buffer.from('abc'));
    await mkdir(join(dataDir, 'maps', 'folder'));
    for (const name of [`${'a'.repeat(16)}.part`, `${'b'.repeat(16)}.map`, `${id}.map-journal`, 'x']) {
      await writeFile(join(dataDir, 'maps', name), 'left');
    }
    await files.sweep(new Set([id]));
    expect(await listed()).toEqual([`${id}.map`]);
  });

  it('removes, and does not mind what is gone', async () => {
    await keep(Buffer.from('abc'));
    await files.remove(id);
    await files.remove(id);
    expect(await listed()).toEqual([]);
  });

  it('knows how much room there is', async () => {
    expect(await files.free()).toBeGreaterThan(0);
  });

  it.runIf(hasModes && !isRoot)('rejects with the system’s reason where it may not write', async () => {
    await mkdir(join(dataDir, 'maps'));
    await rm(join(dataDir, 'maps'), { recursive: true });
    await writeFile(join(dataDir, 'maps'), 'a file');
    await expect(files.receive(id)).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

describe('a database of tiles', () => {
  it('answers its queries in a separate process, which ends with it', async () => {
    await keep(mapFixture('world_cities.mbtiles'));
    const database = await files.openDatabase(id, 'kept');
    expect((await database.metadata())?.get('name')).toBe('Major cities from Natural Earth data');
    expect(await database.zooms()).toEqual({ min: 0, max: 6 });
    expect(await database.sample(0)).toHaveLength(1);
    expect(await database.tile(0, 0, 0)).toBeInstanceOf(Uint8Array);
    expect(await database.tile(0, 5, 5)).toBeNull();
    await database.close();
    expect(ended).toBe(1);
    await expect(database.zooms()).rejects.toMatchObject({ code: 'MAP_DATABASE' });
  });

  it('answers from another process when the system ended the first, idle or at work, and not for ever', async () => {
    await keep(mapFixture('world_cities.mbtiles'));
    const database = await files.openDatabase(id, 'kept');
    // Moves the clock by the wait before the next start and no further: an answer has 20 s on the same clock.
    const startAfter = async (waitMs: number): Promise<void> => {
      await until(() => clock.pending() === 1, 'the wait before a start');
      await clock.advance(waitMs);
    };
    try {
      expect(await database.zooms()).toEqual({ min: 0, max: 6 });
      await killReader();
      expect(await database.zooms()).toEqual({ min: 0, max: 6 });
      const asked: Promise<unknown>[] = [0, 1, 2].map((zoom) => database.sample(zoom));
      await killReader();
      // A process may have answered before it was killed; this question needs the next one.
      asked.push(database.zooms());
      await startAfter(1_000);
      expect(await Promise.all(asked)).toHaveLength(4);
      await killReader();
      const zooms = database.zooms();
      await startAfter(5_000);
      expect(await zooms).toEqual({ min: 0, max: 6 });
      await killReader();
      await expect(database.zooms()).rejects.toMatchObject({ code: 'MAP_DATABASE' });
      expect(readers).toHaveLength(4);
    } finally {
      await database.close();
    }
  });

  it('rejects when the file is none, or gone', async () => {
    await keep(Buffer.from(`SQLite format 3\0${'x'.repeat(5_000)}`));
    const database = await files.openDatabase(id, 'kept');
    await expect(database.metadata()).rejects.toMatchObject({ code: 'MAP_DATABASE' });
    await database.close();
    await files.remove(id);
    await expect(files.openDatabase(id, 'kept')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('does not follow a name that looks like options', async () => {
    const path = join(dataDir, 'a?mode=rwc&immutable=0#x.mbtiles');
    writeMbtiles(path, { metadata: { name: 'odd' }, tiles: [{ z: 0, x: 0, y: 0, data: pngOf('#000000') }] });
    const database = await openTileDatabase({ path, clock, fork });
    expect((await database.metadata())?.get('name')).toBe('odd');
    await database.close();
  });

  it('ends in the middle of a query without an end, at the time of a query or with the console', async () => {
    await keep(endlessMbtiles());
    for (const [code, end] of [
      ['MAP_ENDLESS', () => clock.runNext(clock.elapsed() + 20_000)],
      ['MAP_DATABASE', (close: () => Promise<void>) => close()],
    ] as const) {
      const database = await files.openDatabase(id, 'kept');
      expect((await database.metadata())?.get('name')).toBe('endless');
      const asked = expect(database.zooms()).rejects.toMatchObject({ code });
      await end(() => database.close());
      await asked;
      await database.close();
      await until(() => ended === readers.length, 'the end of the process');
    }
    expect(readers).toHaveLength(2);
  });

  it('costs what a long search for a tile has computed', async () => {
    const path = join(dataDir, 'slow.mbtiles');
    // Twenty-seven million rows are more than a quarter of a second on any machine.
    await writeFile(path, endlessMbtiles({ levels: 3, ways: 300 }));
    const budget = readingBudget();
    const database = await openTileDatabase({ path, clock, fork, budget });
    expect(await database.tile(0, 0, 0)).toBeNull();
    expect(budget.leftMs).toBeLessThan(readingBudget().leftMs);
    await database.close();
  });

  it.each([
    ['answers each tile just in time', 3, 'reply: { tile: null, failure: null, costMs: 8250 }'],
    ['finds each tile damaged, just in time', 3, "reply: { tile: null, failure: 'x', costMs: 8250 }"],
    ['ends at each tile', 20, null],
    ['takes a quarter of a second for each', Infinity, 'reply: { tile: null, failure: null, costMs: 250 }'],
  ])('whose process %s is given up after %d tiles', async (_what, tiles, reply) => {
    const program = pathToFileURL(join(dataDir, 'reader.mjs'));
    const answer = reply === null ? 'process.exit(1)' : `process.send({ id, ${reply} })`;
    await writeFile(program, `process.on('message', ({ id }) => ${answer})`);
    const budget = readingBudget();
    const ask = async (): Promise<unknown> => {
      const database = await openTileDatabase({ path: dataDir, clock, fork, program, budget });
      const code = await database.tile(0, 0, 0).catch(codeOf);
      await database.close();
      return code;
    };
    for (let tile = 0; tile < Math.min(tiles, 25); tile += 1) expect(await ask()).not.toBe('MAP_ENDLESS');
    if (tiles !== Infinity) expect(await ask()).toBe('MAP_ENDLESS');
  });

  it('has the time of one query for a whole inspection', async () => {
    const incoming = await files.receive(id);
    await incoming.write(endlessMbtiles());
    await incoming.finish();
    const database = await files.openDatabase(id, 'incoming');
    await database.metadata();
    expect(clock.runNext(clock.elapsed() + 20_000)).toBe(true);
    await expect(database.zooms()).rejects.toMatchObject({ code: 'MAP_DATABASE' });
    await until(() => ended === 1, 'the end of the process');
    await incoming.discard();
  });

  it('is given up when it does not answer', async () => {
    const program = pathToFileURL(join(dataDir, 'silent.mjs'));
    await writeFile(program, 'setInterval(() => {}, 1000)');
    const database = await openTileDatabase({ path: dataDir, clock, fork, program });
    const asked = Promise.allSettled([database.zooms(), database.metadata()]);
    expect(clock.runNext(clock.elapsed() + 21_000)).toBe(true);
    for (const { status } of await asked) expect(status).toBe('rejected');
    await expect(database.zooms()).rejects.toMatchObject({ code: 'MAP_ENDLESS' });
    await database.close();
  });
});
