import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type {
  Documents,
  Logger,
  LogFields,
  PasswordHasher,
  Ports,
  Random,
} from '../../src-main/core/ports.ts';
import { createVirtualClock } from './clock.ts';
import type { VirtualClock } from './clock.ts';

/** The same numbers at every run (mulberry32). */
export function createSeededRandom(seed = 1): Random {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { fraction, bytes: (length) => Uint8Array.from({ length }, () => Math.floor(fraction() * 256)) };
}

export interface MemoryDocuments extends Documents {
  readonly texts: Map<string, string>;
}

export function createMemoryDocuments(): MemoryDocuments {
  const texts = new Map<string, string>();
  return {
    texts,
    read: (name) => Promise.resolve(texts.get(name) ?? null),
    write(name, text) {
      texts.set(name, text);
      return Promise.resolve();
    },
    remove(name) {
      texts.delete(name);
      return Promise.resolve();
    },
  };
}

/** As quick as a hash: tests sign in often, and prove the real cost once elsewhere. */
export const cheapHasher: PasswordHasher = {
  derive(password, salt, length) {
    const digest = createHash('shake256', { outputLength: length }).update(salt).update(password).digest();
    return Promise.resolve(new Uint8Array(digest));
  },
};

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields: LogFields;
}

export interface RecordingLogger extends Logger {
  readonly lines: LogLine[];
}

export function createRecordingLogger(): RecordingLogger {
  const lines: LogLine[] = [];
  const at =
    (level: LogLine['level']) =>
    (event: string, fields: LogFields = {}): void =>
      void lines.push({ level, event, fields });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export interface TestPorts extends Ports {
  readonly clock: VirtualClock;
  readonly logger: RecordingLogger;
  readonly documents: MemoryDocuments;
}

export function createTestPorts(options: { seed?: number; wall?: number } = {}): TestPorts {
  return {
    clock: createVirtualClock(options.wall === undefined ? {} : { wall: options.wall }),
    random: createSeededRandom(options.seed),
    logger: createRecordingLogger(),
    documents: createMemoryDocuments(),
    hasher: cheapHasher,
    readTextFile: (path) => readFile(path, 'utf8'),
  };
}
