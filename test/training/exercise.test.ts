import { expect, test } from 'vitest';
import { testStart } from '../support/clock.ts';
import { scene } from './support.ts';

const inExercise = (incidents: Iterable<{ readonly id: string }>) =>
  [...incidents].filter(({ id }) => id.startsWith('exercise-'));

test('every incident of the exercise has the evidence that it counts', async () => {
  const { server } = await scene({ exercise: true });
  const held = new Map<unknown, number>();
  for (const piece of server.evidence())
    held.set(piece['incident_id'], (held.get(piece['incident_id']) ?? 0) + 1);
  for (const { id, evidence_count } of server.incidents().values())
    expect(held.get(id) ?? 0, id).toBe(evidence_count);
  expect(held.get('exercise-flood')).toBe(5);
});

test('the exercise has open critical incidents, many types, many at one place, one without', async () => {
  const { list, server } = await scene({ exercise: true, withoutLocation: 0 });
  const rows = await list();
  const exercised = rows.filter(({ id }) => id.startsWith('exercise-'));
  const open = exercised.filter(({ status }) => status === 'open');
  expect(open.filter(({ severity }) => severity === 'critical').length).toBeGreaterThanOrEqual(3);
  expect(new Set(exercised.map((row) => row.incident_type)).size).toBeGreaterThanOrEqual(6);
  const places = exercised.map(({ location }) => JSON.stringify(location));
  expect(
    places.filter(
      (place) => place === JSON.stringify(server.incidents().get('exercise-depot-fire')?.location),
    ),
  ).toHaveLength(5);
  expect(rows.filter(({ location }) => !location)).toMatchObject([
    { id: 'exercise-missing', severity: 'high', status: 'open' },
  ]);
  expect(Date.parse(rows[0]?.created_at ?? '')).toBe(testStart);
});

test('the exercise changes while somebody looks, and waits while arrivals are off', async () => {
  const { clock, server } = await scene({ exercise: true });
  const now = (id: string) => server.incidents().get(id);
  clock.advance(600_000);
  expect(now('exercise-collapse')).toMatchObject({ severity: 'high', evidence_count: 3 });

  await server.set({ arrivals: true });
  clock.advance(40_000);
  expect(now('exercise-collapse')?.severity).toBe('critical');
  await server.set({ arrivals: false });
  clock.advance(600_000);
  expect(now('exercise-depot-explosion')).toBeUndefined();

  const before = server.evidence().filter((piece) => piece['incident_id'] === 'exercise-collapse').length;
  await server.set({ arrivals: true });
  clock.advance(80_000);
  expect(now('exercise-depot-explosion')).toMatchObject({
    severity: 'critical',
    status: 'open',
    location: now('exercise-depot-fire')?.location,
  });
  const after = server.evidence().filter((piece) => piece['incident_id'] === 'exercise-collapse').length;
  expect(after).toBeGreaterThan(before);
  expect(now('exercise-power')?.status).toBe('resolved');
});

test('no service tells the exercise unless it is asked for', async () => {
  const { server } = await scene();
  expect(inExercise(server.incidents().values())).toEqual([]);
});
