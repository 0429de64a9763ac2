import { describe, expect, it } from 'vitest';
import { Scope } from '../../../../src-main/core/base/scope.ts';
import { HealthMonitor } from '../../../../src-main/core/features/health/healthMonitor.ts';
import { healthSchema } from '../../../../src-preload/contract/index.ts';
import { flush, testStart } from '../../../support/clock.ts';
import { createFeatureRig } from '../../featureRig.ts';
import { failure, ScriptedApi } from '../incidents/sync/scriptedApi.ts';
import { saying } from '../../../support/messages.ts';

function setUp() {
  const rig = createFeatureRig();
  const api = new ScriptedApi();
  const scope = new Scope(rig);
  const monitor = new HealthMonitor({
    ...rig,
    scope,
    clock: scope.clock,
    infrastructure: api,
    deployment: { health: { ledger: 'chain' }, pollIntervals: { healthMs: 10_000 } },
    connection: () => ({ state: rig.link.state }),
  });
  const slice = () => healthSchema.parse(rig.store.slice('health'));
  return { ...rig, api, monitor, scope, slice };
}

describe('health', () => {
  it('is asked for before anybody signs in, at a slower pace', async () => {
    const { api, monitor, clock, slice } = setUp();
    api.onHealth = () => ({ status: 'ok', ai: true, chain: 'v1' });
    monitor.start();
    await flush();
    expect(slice()).toMatchObject({
      overall: { text: 'ok', level: 'ok', since: testStart },
      integrations: [
        { field: 'ai', level: 'ok', since: testStart },
        { field: 'chain', label: saying('Ledger'), level: 'unknown' },
      ],
      history: [
        { outcome: 'answered', responseMs: 12, requestId: 'req-1', levels: { ai: 'ok', chain: 'unknown' } },
      ],
      lastAnswerAt: testStart,
      freshness: 'fresh',
    });
    await clock.advance(120_000);
    const idle = api.healthChecks;
    expect(idle).toBeLessThanOrEqual(6);
    monitor.attend(true);
    await clock.advance(120_000);
    expect(api.healthChecks - idle).toBeGreaterThanOrEqual(9);
  });

  it('keeps since while a level lasts and starts it again when it changes', async () => {
    const { api, monitor, clock, slice } = setUp();
    api.onHealth = () => ({ status: 'ok', ai: true });
    monitor.start();
    monitor.attend(true);
    await clock.advance(60_000);
    expect(slice().integrations[0]?.since).toBe(testStart);
    api.onHealth = () => ({ status: 'degraded', ai: false });
    await monitor.checkNow();
    const at = clock.wallNow();
    await clock.advance(60_000);
    expect(slice().integrations[0]).toMatchObject({ level: 'down', since: at });
    expect(slice().overall).toMatchObject({ level: 'degraded', since: at });
  });

  it('records a service that cannot be reached as unreachable and changes no level', async () => {
    const { api, monitor, clock, slice, link } = setUp();
    api.onHealth = () => ({ status: 'ok', ai: true });
    monitor.start();
    await flush();
    api.onHealth = () => failure('unreachable');
    link.state = 'offline';
    await monitor.checkNow();
    expect(slice()).toMatchObject({
      overall: { level: 'ok' },
      integrations: [{ level: 'ok' }],
      failure: { code: 'unreachable' },
      freshness: 'offline',
      lastAnswerAt: testStart,
    });
    expect(slice().history.at(-1)).toMatchObject({ outcome: 'unreachable', overall: 'unknown', levels: {} });
    link.state = 'degraded';
    await clock.advance(3_600_000);
    expect(slice().freshness).toBe('stale');
    expect(slice().history).toHaveLength(60);
  });

  it.each([
    ['service-error', failure('service-error', { requestId: 'r' })],
    ['unreadable-answer', ['not', 'an', 'object']],
  ])('records %s as failed, with its code', async (code, body) => {
    const { api, monitor, slice } = setUp();
    api.onHealth = () => body;
    monitor.start();
    await flush();
    expect(slice()).toMatchObject({ failure: { code }, history: [{ outcome: 'failed' }] });
  });

  it('checks once at a time, and never after it stopped', async () => {
    const { api, monitor, clock, scope } = setUp();
    monitor.start();
    await Promise.all([monitor.checkNow(), monitor.checkNow()]);
    expect(api.healthChecks).toBe(1);
    await scope[Symbol.asyncDispose]();
    await clock.advance(600_000);
    expect((await monitor.checkNow()).ok).toBe(false);
    expect(api.healthChecks).toBe(1);
  });

  it('survives a field named __proto__', async () => {
    const { api, monitor, slice } = setUp();
    api.onHealth = () => JSON.parse('{"status":"ok","__proto__":true,"constructor":false}') as unknown;
    monitor.start();
    await flush();
    expect(slice().integrations.map(({ field }) => field)).toEqual(['__proto__', 'constructor']);
    expect(slice().history[0]?.levels).toEqual({ constructor: 'down' });
  });
});
