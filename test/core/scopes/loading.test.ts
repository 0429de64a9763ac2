import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createTestPorts } from '../../support/ports.ts';
import { openConsole, startService } from './appFixtures.ts';

/** A console of a deployment on the training service, until `close`. */
async function consoleOf(pollIntervals: object = {}) {
  const ports = createTestPorts();
  const folder = await mkdtemp(join(tmpdir(), 'field-console-loading-'));
  const service = await startService(ports);
  const path = join(folder, 'field.json');
  const { infrastructureUrl, coordinationUrl } = service;
  const named = { version: 1, id: 'field', name: 'Field', timestampUnit: 'seconds' };
  await writeFile(path, JSON.stringify({ ...named, pollIntervals, infrastructureUrl, coordinationUrl }));
  const open = await openConsole({ ports, named: [{ source: 'command-line', path }] });
  return {
    ...{ ports, service, open },
    asked: (what: string): number => service.counts.requests[`GET /${what}`] ?? 0,
    close: async () => {
      await open.close();
      await service.close();
      await ports.records.close();
      await ports.vaults.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

it('the newest incidents are asked for before the list of evidence, however long the stored ones take', async () => {
  const { ports, service, open, asked, close } = await consoleOf();
  const { promise: held, resolve: release } = Promise.withResolvers<null>();
  const { openCache } = ports.vaults;
  vi.spyOn(ports.vaults, 'openCache').mockImplementation(async (options) => {
    const opened = await openCache(options);
    const load = vi.fn<typeof opened.store.load>(async (show) => {
      await held;
      return opened.store.load(show);
    });
    return { ...opened, store: { ...opened.store, load } };
  });
  await open.signIn(service);
  await open.shows(({ watch }) => (watch?.shift ?? null) !== null, 'the log of the shift');
  await open.shows(() => asked('health') > 1, 'another check of the health');
  expect([asked('incidents'), asked('evidence')]).toEqual([0, 0]);
  release(null);
  await open.shows(({ evidence }) => (evidence?.lastReadAt ?? null) !== null, 'evidence that was read');
  expect(asked('incidents')).toBeGreaterThan(0);
  await close();
});

it('a wake while stored data are loaded is heard by the list of incidents alone, and later by all', async () => {
  // Nothing but the wake causes a reading within the test.
  const { ports, service, open, asked, close } = await consoleOf({ incidentsMs: 300_000 });
  const { promise: held, resolve: release } = Promise.withResolvers<null>();
  const { open: openRecords } = ports.records;
  vi.spyOn(ports.records, 'open').mockImplementation(async (options) => {
    const records = await openRecords.call(ports.records, options);
    const rows = records.store.rows.bind(records.store);
    vi.spyOn(records.store, 'rows').mockImplementation(async (table) => {
      if (table === 'pins') await held;
      return rows(table);
    });
    return records;
  });
  await open.signIn(service);
  await open.shows(({ incidents }) => (incidents?.lastReadAt ?? null) !== null, 'a list that was read');
  await open.shows(({ evidence }) => (evidence?.lastReadAt ?? null) !== null, 'evidence that was read');

  await open.shows(({ sync }) => sync?.phase === 'rolling', 'the end of the first reading');
  const before = { incidents: asked('incidents'), evidence: asked('evidence') };
  const wokenAt = ports.clock.elapsed();
  open.console.wake();
  await open.shows(() => asked('incidents') > before.incidents, 'another reading of the list');
  expect(ports.clock.elapsed() - wokenAt).toBeLessThan(60_000);
  expect(asked('evidence')).toBe(before.evidence);

  release(null);
  await open.shows(({ watch }) => (watch?.shift ?? null) !== null, 'the log of the shift');
  open.console.wake();
  await open.shows(() => asked('evidence') > before.evidence, 'another reading of the evidence');
  await close();
});
