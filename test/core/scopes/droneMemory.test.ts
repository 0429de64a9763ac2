import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AlarmsState } from '../../../src-preload/contract/index.ts';
import { createTestPorts, type TestPorts } from '../../support/ports.ts';
import { page } from '../features/diagnostics/diagnosticsRig.ts';
import { askDriven, fetched, openConsole, startService } from './appFixtures.ts';

/** Notes what is given to any function of an object, and of the objects that these answer with. */
function overheard<T extends object>(object: T, heard: string[]): T {
  return new Proxy(object, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member === 'object' && member !== null) return overheard(member, heard);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        heard.push(
          JSON.stringify(given, (_, value: unknown) =>
            ArrayBuffer.isView(value)
              ? Buffer.from(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength).toString(
                  'latin1',
                )
              : value,
          ),
        );
        const answer: unknown = Reflect.apply(member, target, given);
        return answer instanceof Promise
          ? answer.then((value: unknown) =>
              typeof value === 'object' && value !== null && 'store' in value
                ? overheard(value, heard)
                : value,
            )
          : answer;
      };
    },
  });
}

it('nothing of where drones are reaches the vault, a document, a handover, the log or the diagnostics', async () => {
  const stored: string[] = [];
  const plain = createTestPorts();
  const ports: TestPorts = {
    ...plain,
    records: overheard(plain.records, stored),
    handovers: overheard(plain.handovers, stored),
    documents: overheard(plain.documents, stored),
  };
  const service = await startService(ports);
  onTestFinished(() => service.close());
  const { infrastructureUrl, coordinationUrl } = service;
  const path = join(ports.dataDir, 'field.json');
  await writeFile(
    path,
    JSON.stringify({
      version: 1,
      id: 'field',
      name: 'Field',
      infrastructureUrl,
      coordinationUrl,
      eventsPath: '/events',
    }),
  );
  const open = await openConsole({ ports, named: [{ source: 'command-line', path }] });
  onTestFinished(() => open.close());
  await askDriven(open, 'signIn', { ...service.credentials });
  await open.shows(({ events }) => events?.state === 'open', 'an open stream');

  const fly = (drone_id: string): void => {
    service.emitEvent({ kind: 'telemetry', data: { drone_id, latitude: 47.123456, longitude: 15.654321 } });
  };
  fly('drone-canary-silent');
  await open.shows(({ drones }) => drones?.received === 1, 'the first position');
  await ports.clock.advance(61_000);
  fly('drone-canary-other');
  await open.shows(({ alarms }) => alarms?.active.some(({ kind }) => kind === 'drone') === true, 'the alarm');
  const { active } = open.mirror.slices.alarms as AlarmsState;
  const alarm = active.find(({ kind }) => kind === 'drone');
  expect(JSON.stringify(alarm)).toContain('drone-canary-silent');
  expect(await askDriven(open, 'readDrones', { since: null })).toMatchObject({
    latitudes: [47.123456, 47.123456],
  });
  await askDriven(open, 'readDrone', { id: 'drone-canary-other' });
  await askDriven(open, 'handOver', { summary: 'the handover’s summary', successor: '', language: 'en' });
  await askDriven(open, 'acknowledgeAlarm', { id: alarm?.id ?? '', note: 'seen' });
  const bundle = await askDriven(open, 'prepareBundle', { page });
  stored.push(Buffer.from(fetched(open, bundle.exportId) ?? []).toString('latin1'));
  stored.push(JSON.stringify(await askDriven(open, 'readDiagnostics', { page })));
  await askDriven(open, 'signOut', {});
  await open.close();

  const said = stored.join('\n') + JSON.stringify(plain.logger.lines);
  const found = (texts: readonly string[]): readonly string[] => texts.filter((text) => said.includes(text));
  const heard = ['the handover’s summary', '"id":"alarms"'];
  expect(found(heard), 'what is stored is heard').toEqual(heard);
  expect(found(['drone-canary', '47.123456', '15.654321'])).toEqual([]);
});
