import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { LogEvent } from '../core/base/logEvents.ts';
import type { LogFields, Logger } from '../core/base/ports.ts';
import { redactedPaths, scrubFields, scrubText } from './redaction.ts';
import { RotatingFile, type RotatingFileOptions } from './rotatingFile.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

interface LogOptions extends Partial<Pick<RotatingFileOptions, 'largestBytes' | 'files'>> {
  readonly dataDir: string;
  readonly level: LogLevel;
  /** Unix milliseconds. */
  readonly wallNow: () => number;
}

/**
 * The log, JSON lines in `<dataDir>/logs/console.log` with mode 0600: at most three files of 5 MB.
 *
 * @throws Error when the folder cannot be made.
 */
export function createLog(options: LogOptions): Logger & { close(): Promise<void> } {
  const { dataDir, level, wallNow, largestBytes = 5_000_000, files = 3 } = options;
  const folder = join(dataDir, 'logs');
  const path = join(folder, 'console.log');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // A full or read-only disk must not end the console. Lines are lost then.
  }
  const file = new RotatingFile({ path, largestBytes, files });
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(wallNow()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: [...redactedPaths], censor: '[redacted]' },
    },
    file,
  );
  let closing: Promise<void> | null = null;
  const at =
    (kind: Exclude<LogLevel, 'silent'>) =>
    (event: LogEvent, fields: LogFields = {}): void => {
      // Parts that end after the log can no longer log, and must not throw because of that.
      if (closing !== null) return;
      log[kind](scrubFields(fields), scrubText(event));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    close: () => (closing ??= file.close()),
  };
}
