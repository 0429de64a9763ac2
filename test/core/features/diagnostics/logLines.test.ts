import { describe, expect, it } from 'vitest';
import type { LogFields } from '../../../../src-main/core/base/ports.ts';
import { bundledLog } from '../../../../src-main/core/features/diagnostics/logLines.ts';

const line = (fields: LogFields): LogFields => ({
  level: 'warn',
  time: '2026-11-20T12:00:00.000Z',
  msg: 'session',
  ...fields,
});

const parsed = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => JSON.parse(one) as unknown);

describe('the log in a bundle', () => {
  it('keeps known events with known fields, in their order', () => {
    const { text, lines, linesLeftOut, fieldsLeftOut } = bundledLog({
      lines: [
        line({ from: 'none', to: 'signing-in', event: 'sign-in' }),
        line({ msg: 'request.failed', code: 'timed-out', status: null, ms: 12, requestId: 'r-1' }),
      ],
      unreadable: 0,
    });
    expect(parsed(text)).toEqual([
      line({ from: 'none', to: 'signing-in', event: 'sign-in' }),
      line({ msg: 'request.failed', code: 'timed-out', ms: 12, requestId: 'r-1' }),
    ]);
    expect([lines, linesLeftOut, fieldsLeftOut]).toEqual([2, 0, 0]);
  });

  it('leaves out and counts what it does not know', () => {
    const { text, linesLeftOut, fieldsLeftOut } = bundledLog({
      lines: [
        line({ msg: 'fire-at-school' }),
        line({ msg: 'toString' }),
        line({ level: 'loud' }),
        line({ time: 'canary' }),
        line({ from: 'Fire at school', constructor: 'x', incident: 'INC-1', code: 'canary', ms: 3 }),
      ],
      unreadable: 2,
    });
    expect(parsed(text)).toEqual([line({ ms: 3 })]);
    expect([linesLeftOut, fieldsLeftOut]).toEqual([6, 4]);
  });

  it('says of an error only what kind it is', () => {
    const { text } = bundledLog({
      lines: [
        line({ detail: "ENOENT: no such file or directory, open '/home/canary/x'" }),
        line({ error: 'TypeError', message: 'canary is not a function' }),
        line({ code: 'ECONNREFUSED', name: 'AbortError' }),
      ],
      unreadable: 0,
    });
    expect(parsed(text)).toEqual([
      line({ detail: 'ENOENT' }),
      line({ error: 'TypeError' }),
      line({ code: 'ECONNREFUSED', name: 'AbortError' }),
    ]);
  });
});
