import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDeploymentText } from '../../../../src-main/core/features/deployments/file.ts';
import { findJsonFault } from '../../../../src-main/core/features/deployments/jsonText.ts';
import { deploymentFile } from './deploymentFile.ts';
import { english } from '../../../../src-main/core/base/messages/message.ts';

const secret = 'hunter2-canary';
const reasonOf = (text: string, folder: string | null = '/station'): string => {
  const reading = readDeploymentText(text, folder);
  return reading.valid ? 'valid' : english(reading.reason);
};
const reasonFor = (change: object): string => reasonOf(JSON.stringify({ ...deploymentFile(), ...change }));

describe('a deployment file', () => {
  it('is read with its defaults', () => {
    const reading = readDeploymentText(`\uFEFF${JSON.stringify(deploymentFile())}`, null);
    expect(reading).toMatchObject({
      valid: true,
      deployment: {
        timestampUnit: 'auto',
        loginPath: '/login',
        caFile: null,
        systemAuthorities: false,
        proxy: null,
        health: {},
        timeouts: { attemptMs: 15_000, totalMs: 45_000, eventsMs: 90_000 },
        pollIntervals: { incidentsMs: 15_000, healthMs: 15_000 },
        sync: { requestsPerMinute: 120 },
        retention: { days: null, incidents: 1_000_000, notReturnedDays: 30 },
        evidencePath: '/evidence',
        upload: {
          path: '/storage',
          field: 'file',
          cidField: 'cid',
          fields: {},
          incidentField: null,
          separateSignIn: false,
        },
        missions: {
          approvePath: '/admin/missions/approve',
          rejectPath: null,
          pendingPath: null,
          idField: 'mission_id',
        },
        eventsPath: null,
        gateways: [],
        severities: null,
        closedStatuses: [],
      },
    });
  });

  it.each([
    [`{"version": 1,\n "name": "a", "name": "b"}`, 'line 2, column 15'],
    [`{"health": {"a": 1, "\\u0061": 2}}`, 'line 1, column 21'],
  ])('with a repeated key is refused: %s', (text, place) => {
    expect(reasonOf(text)).toBe(`the file: repeats a key at ${place}.`);
  });

  it('may have a key in two of its objects', () => {
    expect(findJsonFault('[{"a": {"a": 1}}, {"a": "a"}]')).toBeNull();
  });

  it('takes words for closed beside those of the specification', () => {
    const closedStatuses = ['dismissed', 'false alarm'];
    const reading = readDeploymentText(JSON.stringify(deploymentFile({ closedStatuses })), null);
    expect(reading).toMatchObject({ valid: true, deployment: { closedStatuses } });
    expect(reasonFor({ closedStatuses: ['dismissed', ' - '] })).toMatch(/^closedStatuses\.1: /);
    expect(reasonFor({ closedStatuses: 'dismissed' })).toMatch(/^closedStatuses: /);
  });

  it('ranks severities by names and synonyms, from worst to least', () => {
    const severities = ['catastrophic', { name: 'critical', synonyms: ['sev 1'] }, { name: 'high' }];
    const reading = readDeploymentText(JSON.stringify(deploymentFile({ severities })), null);
    const ranked = [
      { name: 'catastrophic', synonyms: [] },
      { name: 'critical', synonyms: ['sev 1'] },
      { name: 'high', synonyms: [] },
    ];
    expect(reading).toMatchObject({ valid: true, deployment: { severities: ranked } });
    // As it is kept on this computer and read again.
    const kept = readDeploymentText(JSON.stringify(deploymentFile({ severities: ranked })), null);
    expect(kept).toMatchObject({ valid: true, deployment: { severities: ranked } });
  });

  it.each([
    [['critical', 'CRITICAL'], 'severities.1: names a severity that this list names already.'],
    [['high', 'critical'], 'severities.1: critical, high, medium and low must stand in this order.'],
    [[{ rank: 1 }], 'severities.0: must be the name of a severity, or an object with "name" and "synonyms".'],
  ])('says of the severities %j: %s', (severities, sentence) => {
    expect(reasonFor({ severities })).toBe(sentence);
  });

  it.each([
    [{ version: 2 }, 'version'],
    [{ severities: 'critical' }, 'severities'],
    [{ severities: [] }, 'severities'],
    [{ severities: [7] }, 'severities.0'],
    [{ severities: ['critical', ' '] }, 'severities.1'],
    [{ severities: ['critical', 'Critical '] }, 'severities.1'],
    [{ severities: ['a', { name: 'b', synonyms: ['A'] }] }, 'severities.1'],
    [{ severities: ['low', 'critical'] }, 'severities.1'],
    [{ severities: [{ name: 'critical', rank: 1 }] }, 'severities.0.rank'],
    [{ severities: [{ synonyms: ['a'] }] }, 'severities.0'],
    [{ severities: ['a'.repeat(65)] }, 'severities.0'],
    [{ severities: Array.from({ length: 33 }, (_, at) => `s${at}`) }, 'severities'],
    [{ id: 'A' }, 'id'],
    [{ id: 'training' }, 'id'],
    [{ id: '.a' }, 'id'],
    [{ id: 'a'.repeat(65) }, 'id'],
    [{ name: '  ' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ infrastructureUrl: 'http://service.example' }, 'infrastructureUrl'],
    [{ infrastructureUrl: 'http://127.0.0.1.example' }, 'infrastructureUrl'],
    [{ infrastructureUrl: 'ftp://127.0.0.1' }, 'infrastructureUrl'],
    [{ infrastructureUrl: 'service' }, 'infrastructureUrl'],
    [{ infrastructureUrl: `https://u:${secret}@service.example` }, 'infrastructureUrl'],
    [{ infrastructureUrl: `https://${secret}@service.example` }, 'infrastructureUrl'],
    [{ infrastructureUrl: 'https://@service.example' }, 'infrastructureUrl'],
    [{ infrastructureUrl: `https://service.example/?key=${secret}` }, 'infrastructureUrl'],
    [{ infrastructureUrl: `https://service.example/#${secret}` }, 'infrastructureUrl'],
    [{ infrastructureUrl: 'https://service.example/?' }, 'infrastructureUrl'],
    [{ coordinationUrl: 7 }, 'coordinationUrl'],
    [{ proxy: `http://u:${secret}@proxy.example` }, 'proxy'],
    [{ proxy: 'socks://proxy.example' }, 'proxy'],
    [{ proxy: 'System' }, 'proxy'],
    [{ infrastructureUrl: 'system' }, 'infrastructureUrl'],
    [{ systemAuthorities: 'system' }, 'systemAuthorities'],
    [{ timestampUnit: 'hours' }, 'timestampUnit'],
    [{ loginPath: 'login' }, 'loginPath'],
    [{ loginPath: '//evil.example/login' }, 'loginPath'],
    [{ loginPath: '/a/../b' }, 'loginPath'],
    [{ loginPath: `/login?token=${secret}` }, 'loginPath'],
    [{ health: { aiAnalysis: '' } }, 'health.aiAnalysis'],
    [{ health: { other: 'x' } }, 'health.other'],
    [{ timeouts: { attemptMs: 0 } }, 'timeouts.attemptMs'],
    [{ timeouts: { attemptMs: 20_000, totalMs: 10_000 } }, 'timeouts.totalMs'],
    [{ pollIntervals: { incidentsMs: '15000' } }, 'pollIntervals.incidentsMs'],
    [{ pollIntervals: { healthMs: 999 } }, 'pollIntervals.healthMs'],
    [{ sync: { requestsPerMinute: 0 } }, 'sync.requestsPerMinute'],
    [{ sync: { requestsPerMinute: 6001 } }, 'sync.requestsPerMinute'],
    [{ sync: { bytesPerHour: 9_999 } }, 'sync.bytesPerHour'],
    [{ saveData: 'yes' }, 'saveData'],
    [{ sync: { perMinute: 60 } }, 'sync.perMinute'],
    [{ retention: { days: 0 } }, 'retention.days'],
    [{ retention: { incidents: 1.5 } }, 'retention.incidents'],
    [{ evidencePath: '/a?b' }, 'evidencePath'],
    [{ eventsPath: '//elsewhere.example/' }, 'eventsPath'],
    [{ upload: { path: 'storage' } }, 'upload.path'],
    [{ upload: { field: 'a"b' } }, 'upload.field'],
    [{ upload: { field: 'a\r\nb' } }, 'upload.field'],
    [{ upload: { fields: { note: 7 } } }, 'upload.fields.note'],
    [{ upload: { separateSignIn: 'yes' } }, 'upload.separateSignIn'],
    [{ upload: { token: secret } }, 'upload.token'],
    [{ upload: { fields: { 'api-key': secret } } }, 'upload.fields.api-key'],
    [{ missions: { approvePath: '/x/../y' } }, 'missions.approvePath'],
    [{ missions: { idField: '' } }, 'missions.idField'],
    [{ gateways: ['http://gateway.example/ipfs/'] }, 'gateways.0'],
    [{ gateways: [`https://u:${secret}@gateway.example/ipfs/`] }, 'gateways.0'],
    [{ password: secret }, 'password'],
    [{ token: { value: secret } }, 'token'],
  ])('is refused with the path of the bad key and without its value (%#)', (change, path) => {
    const reason = reasonFor(change);
    expect(reason.startsWith(`${path}: `)).toBe(true);
    expect(reason).not.toContain(secret);
    expect(reason.endsWith('.')).toBe(true);
  });

  it('takes a gateway with or without its last slash', () => {
    const gateways = ['https://gateway.example/ipfs', 'https://gateway.example:8443/'];
    expect(readDeploymentText(JSON.stringify({ ...deploymentFile(), gateways }), null)).toMatchObject({
      valid: true,
      deployment: { gateways: ['https://gateway.example/ipfs/', 'https://gateway.example:8443/'] },
    });
  });

  it('refuses __proto__ as a key', () => {
    const text = JSON.stringify(deploymentFile()).replace('{', '{"__proto__":{"proxy":"x"},');
    expect(reasonOf(text)).toMatch(/^__proto__: /);
  });

  it.each([
    'http://localhost:1',
    'http://127.0.0.1:1/base',
    'http://127.9.9.9',
    'http://[::1]:80',
    'https://a.example/x',
  ])('accepts %s', (infrastructureUrl) => {
    expect(reasonFor({ infrastructureUrl })).toBe('valid');
  });

  it('says the line and column of what is no JSON, and nothing of its text', () => {
    const reason = reasonOf(`{\n  "version": 1,\n  "x": ${secret}\n}`);
    expect(reason).toBe('the file: is not JSON at line 3, column 8.');
  });

  it('finds a CA file beside a file that was named, and wants a whole path in one added by hand', () => {
    const text = JSON.stringify({ ...deploymentFile(), caFile: 'ca.pem' });
    expect(readDeploymentText(text, '/station')).toMatchObject({
      valid: true,
      deployment: { caFile: '/station/ca.pem' },
    });
    expect(reasonOf(text, null)).toMatch(/^caFile: /);
    expect(reasonOf(text.replace('ca.pem', '/etc/ca.pem'), null)).toBe('valid');
  });

  it('refuses one over 64 KiB', () => {
    expect(reasonOf(JSON.stringify({ ...deploymentFile(), name: 'x'.repeat(70_000) }))).toMatch(/64 KiB/);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void reasonOf(text)));
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(deploymentFile()), 'health', 'timeouts', 'proxy'),
        fc.jsonValue(),
        (key, value) => {
          expect(reasonFor({ [key]: value })).not.toBe('');
        },
      ),
    );
  });
});

describe('the JSON fault finder', () => {
  it('agrees with the engine on what is JSON', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', 'a', '\n', '\\', '0'))
      .map(([json, at, insert]) => {
        const cut = at % (json.length + 1);
        return json.slice(0, cut) + insert + json.slice(cut + 1);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken, fc.string()), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(findJsonFault(text) === null).toBe(isJson);
      }),
      { numRuns: 2000 },
    );
  });

  it('does not overflow on deep nesting', () => {
    expect(findJsonFault('['.repeat(60_000))).toEqual({
      kind: 'notJson',
      line: 1,
      column: expect.any(Number) as number,
    });
  });
});
