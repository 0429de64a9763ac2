import { expect, it } from 'vitest';
import { readDeploymentText, summaryOf } from '../../src-main/core/features/deployments/file.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { scaleOf } from '../../src-preload/contract/index.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { damage, drawBytes, drawJunk, drawText, jsonText, setOwn } from './support/mutations.ts';
import { english } from '../../src-main/core/base/messages/message.ts';

const canary = 'canary7f3a';

const valid = () => ({
  version: 1,
  id: 'field-north',
  name: 'Field North',
  infrastructureUrl: 'https://infra.example/base',
  coordinationUrl: 'http://127.0.0.1:8443',
  timestampUnit: 'auto',
  health: { aiAnalysis: 'ai', ipfsPinning: 'ipfs', ledger: 'chain' },
  loginPath: '/login',
  caFile: 'ca.pem',
  systemAuthorities: true,
  proxy: 'http://proxy.example:3128',
  timeouts: { attemptMs: 15_000, totalMs: 45_000, eventsMs: 90_000 },
  pollIntervals: { incidentsMs: 15_000, healthMs: 15_000 },
  sync: { requestsPerMinute: 120, bytesPerHour: 10_000_000 },
  saveData: true,
  retention: { days: null, incidents: 1_000_000, notReturnedDays: 30 },
  evidencePath: '/evidence',
  upload: { path: '/storage', field: 'file', cidField: 'cid', fields: { source: 'console' } },
  missions: { rejectPath: '/reject', pendingPath: '/pending', idField: 'mission' },
  eventsPath: '/events',
  positions: { id: 'drone.id', latitude: 'at.lat', longitude: 'at.lon' } as unknown,
  gateways: ['https://gateway.example/ipfs/'],
  evidencePreview: 'ask',
  evidenceCache: 2 * 1024 ** 3,
  closedStatuses: ['done', 'cancelled'],
  severities: [
    'catastrophic',
    { name: 'critical', synonyms: ['sev 1'] },
    'high',
    'medium',
    'low',
  ] as unknown[],
});

/** What a list of severities may be: names, synonyms, repeated, out of order, of another kind. */
const drawSeverities = (draw: Seeded): unknown =>
  Array.from({ length: draw.below(6) }, () => {
    const name = (): unknown =>
      draw.below(8) === 0
        ? drawJunk(draw)
        : draw.pick(['critical', 'CRITICAL ', 'high', 'low', 'sev-1', 'Sev 1', 'dire', '', ' ', canary]);
    return draw.below(2) === 0 ? name() : { name: name(), synonyms: [name(), name()] };
  });

/** What the fields of a position may be called: well, badly, or not at all. */
const drawPositions = (draw: Seeded): unknown => {
  if (draw.below(3) === 0) return draw.pick(['auto', 'off', 'on', '', canary, drawJunk(draw)]);
  const name = (): unknown => draw.pick(['id', 'a.b.c', '.', 'a..b', '__proto__', canary, drawJunk(draw)]);
  return {
    id: name(),
    latitude: name(),
    longitude: name(),
    ...(draw.below(2) === 0 ? { heading: name() } : {}),
  };
};

const secretAddresses = [
  `https://u:${canary}@service.example`,
  `https://${canary}@service.example`,
  `https://service.example/?key=${canary}`,
  `https://service.example/#${canary}`,
  `http://u:${canary}@127.0.0.1`,
  `https:u:${canary}@service.example`,
  `https://u:${canary}@`,
  `//u:${canary}@service.example`,
  `u:${canary}@service.example`,
] as const;
const secretKeys = ['password', 'token', 'apiKey', 'Authorization', '__proto__', '<b>', 'x y', ''] as const;

/** A value that holds the canary, as deep as a careless file may hide it. */
const secretValue = (draw: Seeded): unknown =>
  draw.pick([canary, { value: canary }, [canary], { a: [{ b: canary }] }, `Bearer ${canary}`]);

function mutated(draw: Seeded): Record<string, unknown> {
  const file: Record<string, unknown> = valid();
  for (let left = draw.below(4); left > 0; left -= 1) {
    const keys = Object.keys(file);
    const key = keys[draw.below(keys.length)] ?? 'id';
    const nested = file[draw.pick(['health', 'timeouts', 'pollIntervals', 'upload', 'missions'])];
    switch (draw.below(10)) {
      case 0:
        setOwn(
          file,
          draw.pick(['infrastructureUrl', 'coordinationUrl', 'proxy', 'gateways']),
          draw.below(4) === 0 ? [draw.pick(secretAddresses)] : draw.pick(secretAddresses),
        );
        break;
      case 1:
        setOwn(file, draw.pick(secretKeys), secretValue(draw));
        break;
      case 2:
        if (typeof nested === 'object' && nested !== null)
          setOwn(nested, draw.pick(secretKeys), secretValue(draw));
        break;
      case 3:
        setOwn(file, key, secretValue(draw));
        break;
      case 4:
        Reflect.deleteProperty(file, key);
        break;
      case 5:
        setOwn(file, key, drawJunk(draw));
        break;
      case 6:
        setOwn(file, 'severities', drawSeverities(draw));
        break;
      case 7:
        setOwn(file, 'proxy', draw.pick(['system', 'SYSTEM', `system@${canary}`, drawJunk(draw)]));
        break;
      case 8:
        setOwn(file, 'positions', drawPositions(draw));
        break;
      default:
        setOwn(file, 'loginPath', draw.pick([`/login?token=${canary}`, '//evil.example', '/a/../b', '/ok']));
    }
  }
  return file;
}

/** A damaged text may have made a key of the canary; only values are promised to stay unsaid. */
function namesCanary(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => key.includes(canary) || namesCanary(member));
}

function check(text: string, folder: string | null): string {
  const reading = readDeploymentText(text, folder);
  if (!reading.valid) {
    expect(english(reading.reason)).toMatch(/^.{1,512}\.$/s);
    if (JSON.stringify(reading.reason).includes(canary)) expect(namesCanary(JSON.parse(text))).toBe(true);
    return 'refused';
  }
  const { deployment } = reading;
  const { infrastructureUrl, coordinationUrl, proxy, gateways, severities } = deployment;
  // What is taken can be ranked by: each word is its entry's severity, and the first is the worst.
  const { classOf } = scaleOf(severities);
  let weight = Infinity;
  for (const { name, synonyms } of severities ?? []) {
    const of = classOf(name);
    expect(of.known).toBe(true);
    expect(of.weight).toBeLessThan(weight);
    weight = of.weight;
    for (const synonym of synonyms) expect(classOf(synonym)).toBe(of);
  }
  for (const address of [infrastructureUrl, coordinationUrl, proxy, ...gateways]) {
    if (address === null || (address === proxy && proxy === 'system')) continue;
    const url = new URL(address);
    expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
    expect(['https:', 'http:']).toContain(url.protocol);
    expect(address).not.toContain('@');
  }
  expect(summaryOf(deployment, 'added').id).toBe(deployment.id);
  expect(Object.keys(deployment).sort()).toEqual(Object.keys(valid()).sort());
  return 'valid';
}

it(
  'reads any deployment file, and never repeats a secret that lies in one',
  async () => {
    const options = { name: 'deployment-files', whole: 10_000, part: 500 };
    const outcomes = await runCampaign(options, (draw) => {
      const folder = draw.pick(['/station', null]);
      const text = jsonText(mutated(draw));
      switch (draw.below(8)) {
        case 0:
          return check(drawText(draw, 400), folder);
        case 1:
          return check(Buffer.from(drawBytes(draw, 400)).toString('utf8'), folder);
        case 2:
        case 3:
          return check(Buffer.from(damage(Buffer.from(text), draw)).toString('utf8'), folder);
        default:
          return check(draw.below(10) === 0 ? `\uFEFF${text}` : text, folder);
      }
    });
    for (const outcome of ['refused', 'valid'])
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
  },
  campaignTimeoutMs,
);
