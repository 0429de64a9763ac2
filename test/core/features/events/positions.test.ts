import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../../src-main/core/base/scope.ts';
import { Drones } from '../../../../src-main/core/features/drones/index.ts';
import { createEventRig, type EventRig } from './eventRig.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** An open stream whose positions go to the drones. */
async function listening(): Promise<{ er: EventRig; drones: Drones; received: () => number }> {
  let drones: Drones | null = null;
  const er = await createEventRig({ takePosition: (event) => drones?.take(event) ?? null });
  closers.push(() => er.close());
  const { clock, store } = er;
  const scope = new Scope(er.rig.ports);
  closers.push(() => scope[Symbol.asyncDispose]());
  const { serverNow } = er.rig.serverTime;
  const deployment = { positions: 'auto' as const, eventsPath: '/events' };
  const flown = (drones = new Drones(
    { scope, clock, store, serverNow, deployment },
    {
      knowsIncident: (id) => id === 'INC-1',
      evidenceNaming: () => Promise.resolve([]),
      heard: () => er.live.heard,
      onSilence: () => undefined,
      versions: { used: 0 },
    },
  ));
  await er.live.start();
  await er.until(() => er.state().state === 'open', 'an open stream');
  return { er, drones: flown, received: () => store.slice('drones').received };
}

const event = (kind: string, data: object): string => `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
const position = (drone: number, round: number, more: object = {}): string =>
  event('telemetry', {
    drone_id: `d-${String(drone)}`,
    latitude: 48 + round / 1_000,
    longitude: 16,
    ...more,
  });

describe('positions among the events', () => {
  it('are no lines of the list and put none of them out, while all else is listed as ever', async () => {
    const { er, received } = await listening();
    for (let line = 0; line < 100; line += 1) er.send(event('weather', { line }));
    er.send(event('almost', { drone_id: 'd-1', latitude: 91, longitude: 16 }));
    for (let round = 0; round < 5; round += 1) {
      er.send(Array.from({ length: 1_000 }, (_, drone) => position(drone, round)).join(''));
    }
    er.send('data: last\n\n');
    await er.until(() => er.state().received >= 102, 'what is no position');
    await er.pass(400);
    expect(received()).toBe(5_000);
    const { recent } = er.state();
    expect(recent).toHaveLength(100);
    expect(recent.slice(0, 2).map(({ kind }) => kind)).toEqual(['message', 'almost']);
    expect(recent.some(({ kind }) => kind === 'telemetry')).toBe(false);
  });

  it('hint once at what they name, and again when they say something else', async () => {
    const { er, received } = await listening();
    for (let round = 0; round < 20; round += 1) {
      er.send(position(1, round, { incident_id: 'INC-1', mission_id: 'M-1' }));
      er.send(position(2, round, { incident_id: 'INC-2' }));
    }
    await er.until(() => received() >= 40, 'the positions');
    await er.pass(600);
    expect(er.incidents).toEqual(['INC-1', 'INC-2']);
    expect(er.missions.map(({ id }) => id)).toEqual(['M-1']);
    er.send(position(1, 21, { incident_id: 'INC-1', mission_id: 'M-1', state: 'approved' }));
    await er.until(() => er.missions.length === 2, 'what was decided');
    await er.pass(600);
    expect(er.missions[1]?.event.text).toContain('approved');
    expect(er.incidents).toEqual(['INC-1', 'INC-2', 'INC-1']);
  });

  it('leave the other duties of the stream as they are: all hints, and the id to go on from', async () => {
    const { er, received, drones } = await listening();
    for (let round = 0; round < 5; round += 1) {
      er.send(Array.from({ length: 1_000 }, (_, drone) => position(drone, round)).join(''));
      er.send(event('incident.changed', { incident_id: `INC-${String(round)}` }));
      er.send(event('mission.pending', { mission_id: `M-${String(round)}` }));
      await er.until(() => er.missions.length === round + 1, 'the hint');
    }
    er.send(`id: 77\n${position(0, 9)}`);
    await er.until(() => received() >= 5_001, 'the positions');
    expect(er.incidents).toEqual(['INC-0', 'INC-1', 'INC-2', 'INC-3', 'INC-4']);
    expect(er.missions.map(({ id }) => id)).toEqual(['M-0', 'M-1', 'M-2', 'M-3', 'M-4']);
    expect(drones.read(null).ids).toHaveLength(1_000);
    er.streams.at(-1)?.end();
    await er.until(() => er.asked.length === 2, 'the next connection');
    expect(er.asked[1]?.seen.headers['last-event-id']).toBe('77');
  });

  it('that a service repeats after a break move nothing, with or without a time', async () => {
    const { er, received, drones } = await listening();
    er.send(`id: 1\n${position(1, 0)}`);
    await er.until(() => received() === 1, 'the position');
    const before = drones.read(null);
    er.streams.at(-1)?.end();
    await er.until(() => er.asked.length === 2 && er.state().state === 'open', 'the next stream');
    const old = new Date(er.clock.wallNow() - 3_600_000).toISOString();
    er.send(position(1, 1) + position(2, 1) + position(1, 2, { timestamp: old }));
    er.send('data: last\n\n');
    await er.until(() => er.state().recent[0]?.kind === 'message', 'what came after them');
    expect(drones.read(null)).toMatchObject({ ids: ['d-1'], latitudes: before.latitudes, at: before.at });
    er.send(position(1, 3, { timestamp: new Date(er.clock.wallNow()).toISOString() }));
    await er.until(() => received() === 2, 'a position of now');
    expect(drones.read(null).latitudes).toEqual([48.003]);
  });
});
