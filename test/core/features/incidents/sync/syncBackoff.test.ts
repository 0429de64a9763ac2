import { expect, it } from 'vitest';
import { SyncBackoff } from '../../../../../src-main/core/features/incidents/sync/syncBackoff.ts';
import { StillClock } from '../../../../support/clock.ts';
import { createRecordingLogger, createSeededRandom } from '../../../../support/ports.ts';
import { failure } from './scriptedApi.ts';
import { syncDeployment } from './syncDeployment.ts';

function paused(retryAt: number | null): { readonly backoff: SyncBackoff; readonly clock: StillClock } {
  const clock = new StillClock();
  const serverNow = () => clock.elapsed();
  const ports = { clock, random: createSeededRandom(), logger: createRecordingLogger() };
  const backoff = new SyncBackoff({ ...ports, serverNow, deployment: syncDeployment() });
  backoff.failed(failure('too-many-requests', { retryAt }));
  return { backoff, clock };
}

it('resumes at once what failed without a time to try again', () => {
  const { backoff } = paused(null);
  backoff.resume(500);
  expect(backoff.pausedUntil).toBe(500);
});

it('resumes nothing before the time that a 429 named, whatever else the service answers meanwhile', () => {
  const { backoff, clock } = paused(600_000);
  clock.advance(2_000);
  backoff.resume(2_500);
  expect(backoff.pausedUntil).toBeGreaterThanOrEqual(600_000);
  clock.advance(600_000);
  backoff.resume(602_500);
  expect(backoff.pausedUntil).toBe(602_500);
});
