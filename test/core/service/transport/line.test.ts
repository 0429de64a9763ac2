import { expect, it } from 'vitest';
import { DataLimit } from '../../../../src-main/core/service/transport/dataLimit.ts';
import { Line } from '../../../../src-main/core/service/transport/line.ts';
import { createVirtualClock } from '../../../support/clock.ts';

const hour = 3_600_000;

it('the loss is that of the worse API, of at least four attempts', () => {
  const line = new Line(createVirtualClock(), null);
  const { infrastructure, coordination } = line.meters;
  for (const isLost of [true, false, false]) infrastructure.attempted(isLost);
  expect(line.state(0).loss).toBeNull();
  infrastructure.attempted(false);
  expect(line.state(0).loss).toBe(0.25);
  for (const isLost of [true, true, false, false]) coordination.attempted(isLost);
  expect(line.state(0).loss).toBe(0.5);
});

it('an hour may cost its bytes, without those of the hour before, and an excess ends with it', () => {
  const traffic = { total: 70 };
  const limit = new DataLimit(100, traffic);
  expect(limit.state(5 * hour)).toEqual({ used: 0, bytes: 100, until: 6 * hour, state: 'within' });
  traffic.total = 169;
  expect(limit.state(6 * hour - 1)).toMatchObject({ used: 99, state: 'within' });
  traffic.total = 170;
  expect(limit.state(6 * hour - 1)).toMatchObject({ used: 100, state: 'used-up' });
  limit.exceed();
  expect(limit.state(6 * hour - 1)).toMatchObject({ used: 100, state: 'exceeded' });
  expect(limit.state(6 * hour)).toEqual({ used: 0, bytes: 100, until: 7 * hour, state: 'within' });
});
