import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { rootCertificates } from 'node:tls';
import { createDiagnosticTools } from '../../src-main/adapters/diagnostics/tools.ts';
import { openFile } from '../../src-main/adapters/durableFiles.ts';
import { createHandoverFiles } from '../../src-main/adapters/handoverFiles.ts';
import { createRecordFolders } from '../../src-main/adapters/vault/records/folders.ts';
import { createVaultStorage } from '../../src-main/adapters/vault/storage.ts';
import {
  noDeviceSecret,
  type Documents,
  type LogFields,
  type Logger,
  type PasswordHasher,
  type Random,
} from '../../src-main/core/base/ports.ts';
import { noControl, type Ports } from '../../src-main/core/features/ports.ts';
import type { Network } from '../../src-main/core/service/transport/network.ts';
import { ProxySignIn } from '../../src-main/core/service/transport/proxySignIn.ts';
import { createVirtualClock, type VirtualClock } from './clock.ts';
import { createMemoryMaps } from './memoryMaps.ts';

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
  cost: { N: 2, r: 1, p: 1 },
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
  /** The names of its events, in their order. */
  events(): string[];
  /** The same with their fields. */
  readonly entries: Omit<LogLine, 'level'>[];
}

export function createRecordingLogger(): RecordingLogger {
  const lines: LogLine[] = [];
  const at =
    (level: LogLine['level']) =>
    (event: string, fields: LogFields = {}): void =>
      void lines.push({ level, event, fields });
  return {
    lines,
    events: () => lines.map(({ event }) => event),
    get entries() {
      return lines.map(({ event, fields }) => ({ event, fields }));
    },
    ...{ debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
  };
}

export interface TestPorts extends Ports {
  readonly clock: VirtualClock;
  readonly logger: RecordingLogger;
  readonly documents: MemoryDocuments;
  /** Where its vaults lie. */
  readonly dataDir: string;
}

/** Made when first needed, and removed when the process ends: vaults may still be closing when a test is over. */
const folders: { parent: string | null } = { parent: null };

function temporaryFolder(): string {
  if (folders.parent === null) {
    const parent = mkdtempSync(join(tmpdir(), 'field-console-test-'));
    process.once('exit', () => rmSync(parent, { recursive: true, force: true }));
    folders.parent = parent;
  }
  return mkdtempSync(join(folders.parent, 'data-'));
}

/** Without proxies, and with Node's own authorities only. */
export const createTestNetwork = (change: Partial<Network> = {}): Network => ({
  addresses: () => 'one',
  resolveProxy: () => Promise.resolve('DIRECT'),
  authorities: () => [...rootCertificates],
  proxySignIn: new ProxySignIn(),
  ...change,
});

export function createTestPorts(options: { seed?: number; wall?: number } = {}): TestPorts {
  const dataDir = temporaryFolder();
  return {
    dataDir,
    clock: createVirtualClock(options.wall === undefined ? {} : { wall: options.wall }),
    random: createSeededRandom(options.seed),
    logger: createRecordingLogger(),
    documents: createMemoryDocuments(),
    hasher: cheapHasher,
    vaults: createVaultStorage({ dataDir }),
    records: createRecordFolders({ dataDir }),
    handovers: createHandoverFiles({
      dataDir,
      secretDir: join(dataDir, 'anchors'),
      deviceSecret: noDeviceSecret,
    }),
    maps: createMemoryMaps(),
    readTextFile: (path) => readFile(path, 'utf8'),
    openFile,
    openExternal: () => Promise.resolve(false),
    diagnostics: createDiagnosticTools({ dataDir }),
    network: createTestNetwork(),
    control: noControl,
    deviceSecret: noDeviceSecret,
    collectGarbage: () => undefined,
  };
}
