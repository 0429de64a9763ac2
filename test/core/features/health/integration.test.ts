import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelOfText, readHealth } from '../../../../src-main/core/features/health/integration.ts';
import type { Message } from '../../../../src-preload/contract/index.ts';
import { said } from '../../../support/messages.ts';

describe('health by shape', () => {
  const names = { aiAnalysis: 'brain', ipfsPinning: 'pin', ledger: 'chain' };

  it('takes status as the overall text, booleans as flags and other strings as texts', () => {
    const reading = readHealth(
      { status: 'ok', brain: true, pin: false, chain: 'v1.2.3', extra: 'degraded' },
      names,
    );
    const own = (name: string): Message => ({ id: `integration.${name}`, values: {} });
    expect(reading).toEqual({
      overall: { text: 'ok', level: 'ok' },
      integrations: [
        {
          field: 'brain',
          label: own('aiAnalysis'),
          kind: 'flag',
          value: 'available',
          level: 'ok',
        },
        {
          field: 'pin',
          label: own('ipfsPinning'),
          kind: 'flag',
          value: 'not available',
          level: 'down',
        },
        {
          field: 'chain',
          label: own('ledger'),
          kind: 'text',
          value: 'v1.2.3',
          level: 'unknown',
        },
        { field: 'extra', label: { text: 'extra' }, kind: 'text', value: 'degraded', level: 'degraded' },
      ],
    });
  });

  it('has names of the console for what the deployment names so', () => {
    const labels = readHealth({ brain: true, pin: false, chain: '' }, names)?.integrations.map(({ label }) =>
      said(label),
    );
    expect(labels).toEqual(['AI analysis', 'IPFS pinning', 'Ledger']);
  });

  it('raises no alarm for a text that merely holds a bad word', () => {
    expect(levelOfText('devnet, last error 3 days ago')).toBe('unknown');
    expect(levelOfText('download-server')).toBe('unknown');
    expect(levelOfText(' Not_Available ')).toBe('down');
  });

  it('shows unknown shapes as text of unknown level', () => {
    const reading = readHealth({ status: 3, n: 1, o: { deep: [1] }, z: null });
    expect(reading?.overall).toEqual({ text: '3', level: 'unknown' });
    expect(reading?.integrations.map(({ value, level }) => [value, level])).toEqual([
      ['1', 'unknown'],
      ['{"deep":[1]}', 'unknown'],
      ['null', 'unknown'],
    ]);
  });

  it('caps the number and the length of fields', () => {
    const body = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`f${String(index)}`, 'x'.repeat(10_000)]),
    );
    const reading = readHealth({ ...body, ['y'.repeat(100_000)]: true });
    expect(reading?.integrations).toHaveLength(64);
    expect(JSON.stringify(reading).length).toBeLessThan(60_000);
  });

  it('is not fooled by __proto__ and constructor', () => {
    const reading = readHealth(JSON.parse('{"status":"ok","__proto__":true,"constructor":"down"}'));
    expect(reading?.integrations.map(({ field, level }) => [field, level])).toEqual([
      ['__proto__', 'ok'],
      ['constructor', 'down'],
    ]);
  });

  it.each([[null], [[]], ['ok'], [true]])('refuses %j', (body) => {
    expect(readHealth(body)).toBeNull();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => void readHealth(body)),
      { numRuns: 500 },
    );
  });
});
