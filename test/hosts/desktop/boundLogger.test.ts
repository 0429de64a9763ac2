import { describe, expect, it } from 'vitest';
import { createBoundLogger } from '../../../src-main/hosts/desktop/boundLogger.ts';
import { createRecordingLogger } from '../../support/ports.ts';

describe('a logger for parts that live longer than the log', () => {
  it('says what happens while there is one, and is quiet before and after', () => {
    const log = createRecordingLogger();
    const { logger, begin, end } = createBoundLogger();
    const sayAll = (): void => {
      for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level]('policy', { at: 1 });
    };
    sayAll();
    expect(log.entries).toEqual([]);
    begin(log);
    sayAll();
    expect(log.lines.map(({ level }) => level)).toEqual(['debug', 'info', 'warn', 'error']);
    expect(log.entries[0]?.fields).toEqual({ at: 1 });
    end();
    sayAll();
    expect(log.entries).toHaveLength(4);
  });
});
