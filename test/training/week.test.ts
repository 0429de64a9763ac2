import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { realWeek } from '../../src-main/training/world.ts';
import { testStart } from '../support/clock.ts';
import { syntheticIncidents } from '../support/dataset.ts';
import { scene } from './support.ts';

const share = (rows: readonly { severity: string }[], severity: string): number =>
  rows.filter((row) => row.severity === severity).length / rows.length;

test('the bundled week is the source, value by value', () => {
  // The digest of the 1,707 objects as the source file has them, stringified without spaces.
  expect(createHash('sha256').update(JSON.stringify(realWeek())).digest('hex')).toBe(
    '19f59b51bb1b7815c5691d5c571d8b74b8be0f0f57c510b88371fa88530ac077',
  );
});

test('training has the 1,707 with their spacing, the newest now, and a few without location', async () => {
  const { list } = await scene();
  const rows = await list();
  const located = rows.filter((row) => row.location);
  expect(located).toHaveLength(1707);
  expect(rows).toHaveLength(1712);
  const unlocated = rows.filter((row) => !row.location);
  expect(unlocated.some((row) => row.location === null)).toBe(true);
  expect(unlocated.some((row) => !('location' in row))).toBe(true);
  expect(Date.parse(rows[0]?.created_at ?? '')).toBe(testStart);

  const source = realWeek();
  const newest = Date.parse(source.at(-1)?.created_at ?? '');
  const moved = new Map(located.map((row) => [row.id, row]));
  for (const incident of source) {
    const back = testStart - Date.parse(moved.get(incident.id)?.created_at ?? '');
    expect(back).toBe(newest - Date.parse(incident.created_at));
    expect({ ...moved.get(incident.id), created_at: '' }).toEqual({ ...incident, created_at: '' });
  }
});

test('the number without location is an option', async () => {
  const { list } = await scene({ withoutLocation: 0 });
  expect(await list()).toHaveLength(1707);
});

test('synthetic incidents repeat by seed, are distinct, valid and spread like the week', async () => {
  const rows = syntheticIncidents(20_000, 3);
  expect(syntheticIncidents(20_000, 3)).toEqual(rows);
  expect(syntheticIncidents(10, 4)).not.toEqual(rows.slice(0, 10));
  expect(new Set(rows.map((row) => row.id)).size).toBe(20_000);
  for (const row of rows) {
    expect(Math.abs(row.location?.latitude ?? 91)).toBeLessThanOrEqual(90);
    expect(Math.abs(row.location?.longitude ?? 181)).toBeLessThanOrEqual(180);
  }
  const week = realWeek();
  for (const severity of ['low', 'medium', 'high']) {
    expect(Math.abs(share(rows, severity) - share(week, severity))).toBeLessThan(0.02);
  }
  const { list } = await scene({ dataset: rows });
  expect(await list()).toHaveLength(20_000);
});
