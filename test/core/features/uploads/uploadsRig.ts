import { createHash } from 'node:crypto';
import { makeFailure, momentsOf } from '../../../../src-main/core/base/failure.ts';
import type { Clock } from '../../../../src-main/core/base/ports.ts';
import {
  deploymentFileSchema,
  type Deployment,
} from '../../../../src-main/core/features/deployments/schema.ts';
import type { UploadsAccount } from '../../../../src-main/core/features/uploads/uploadRepository.ts';
import { Uploads } from '../../../../src-main/core/features/uploads/uploads.ts';
import type { ActionAnswer, UploadCall } from '../../../../src-main/core/service/api/coordination.ts';
import type { ConsoleStore } from '../../../../src-main/core/state/consoleStore.ts';
import type {
  IncomingFile,
  RecordRow,
  RecordStore,
  Spool,
  VaultRecords,
} from '../../../../src-main/core/vault/records.ts';
import { StorageError, type StorageReason } from '../../../../src-main/core/vault/storage.ts';
import {
  outboxSchema,
  uploadSchema,
  type FailureCode,
  type OutboxState,
  type Result,
  type Upload,
  type UploadState,
  type Message,
} from '../../../../src-preload/contract/index.ts';
import { createVirtualClock, flush, type VirtualClock } from '../../../support/clock.ts';
import { createRecordingLogger, createSeededRandom } from '../../../support/ports.ts';
import { accountLife, type AccountLife } from '../../accountLife.ts';
import { createFeatureRig } from '../../featureRig.ts';
import { createTestStore } from '../../state/storeFixtures.ts';
import { said } from '../../../support/messages.ts';
import { english } from '../../../../src-main/core/base/messages/message.ts';

export type DiskWork =
  | 'rows'
  | 'row'
  | 'free'
  | 'receive'
  | 'take'
  | 'finish'
  | 'read'
  | 'list'
  | 'remove'
  | 'sidecar'
  | 'sidecars'
  | 'sweep';

/** What survives a kill: rows, files and sidecars in memory, with faults where a test wants them. */
export class Disk {
  readonly rows = new Map<string, string>();
  readonly files = new Map<string, Uint8Array>();
  readonly sidecars = new Map<string, string | null>();
  /** Files that are spooled half. */
  readonly halves = new Set<string>();
  damagedRows = 0;
  lost: 'missing' | 'unreadable' | null = null;
  room: number | null = null;
  /** Every write that was done, in order: `row`, `sidecar`, `remove`. */
  readonly log: string[] = [];
  fails: (work: DiskWork, id: string) => StorageReason | null = () => null;

  /** Opens it; `alive` false for ever stops all that is asked of it, as a kill does. */
  open(process: { alive: boolean } = { alive: true }): VaultRecords {
    const turn = async <T>(work: DiskWork, id: string, run: () => T): Promise<T> => {
      await Promise.resolve();
      if (!process.alive) return new Promise<T>(() => undefined);
      const reason = this.fails(work, id);
      if (reason !== null) throw new StorageError(reason, `${work} of ${id}`);
      return run();
    };
    const store: RecordStore = {
      rows: (table) =>
        turn('rows', table, () => {
          const rows = [...this.rows]
            .filter(([name]) => name.startsWith(`${table}/`))
            .map(([name, text]) => ({ id: name.slice(table.length + 1), text }))
            .sort((a, b) => (a.id < b.id ? -1 : 1));
          return { rows, damaged: table === 'uploads' ? this.damagedRows : 0 };
        }),
      write: (rows) =>
        turn('row', rows.map(({ id }) => id).join(' '), () => {
          for (const row of rows) this.#put(row);
        }),
      readHead: () => Promise.resolve({ text: null, damaged: false }),
      writeHead: () => Promise.resolve(),
      readAnchor: () => Promise.resolve(null),
      writeAnchor: () => Promise.resolve(),
    };
    const spool: Spool = {
      free: () => turn('free', '', () => this.room),
      receive: (id) => turn('receive', id, () => this.#receive(id, turn)),
      read: (id) => this.#read(id, turn),
      list: () =>
        turn('list', '', () => new Map([...this.files].map(([id, bytes]) => [id, bytes.byteLength]))),
      remove: (id) =>
        turn('remove', id, () => {
          this.log.push(`remove ${id}`);
          this.files.delete(id);
          this.sidecars.delete(id);
        }),
      sweep: (keep) =>
        turn('sweep', '', () => {
          this.halves.clear();
          for (const id of new Set([...this.files.keys(), ...this.sidecars.keys()])) {
            if (keep.has(id)) continue;
            this.files.delete(id);
            this.sidecars.delete(id);
          }
        }),
      writeSidecar: (id, text) =>
        turn('sidecar', id, () => {
          this.log.push(`sidecar ${id}`);
          this.sidecars.set(id, text);
        }),
      sidecars: () => turn('sidecars', '', () => new Map(this.sidecars)),
      // Uploads begin again.
      partials: () => Promise.resolve(new Map()),
      readPartial: (id) => this.#read(id, turn),
      // Uploads are read whole.
      readPart: (id) => this.#read(id, turn),
    };
    const { lost } = this;
    this.lost = null;
    return {
      store,
      spool,
      contents: spool,
      lost,
      rollback: null,
      auditKey: new Uint8Array(32),
      close: () => Promise.resolve(),
    };
  }

  /** As when the database cannot be read: it is put aside and a new one begun. */
  loseRows(): void {
    this.rows.clear();
    this.lost = 'unreadable';
  }

  #put({ table, id, text }: RecordRow): void {
    this.log.push(`row ${id}`);
    if (text === null) this.rows.delete(`${table}/${id}`);
    else this.rows.set(`${table}/${id}`, text);
  }

  #receive(id: string, turn: <T>(work: DiskWork, id: string, run: () => T) => Promise<T>): IncomingFile {
    const pieces: Uint8Array[] = [];
    this.halves.add(id);
    return {
      write: (bytes) => turn('take', id, () => void pieces.push(Uint8Array.from(bytes))),
      finish: () =>
        turn('finish', id, () => {
          const whole = Buffer.concat(pieces);
          this.halves.delete(id);
          this.files.set(id, whole);
          const sha256 = createHash('sha256').update(whole).digest('hex');
          return {
            bytes: whole.byteLength,
            sha256,
            computed: [{ profile: 'v1-raw-256k', cid: cidOf(whole) }],
          };
        }),
      discard: () => {
        this.halves.delete(id);
        return Promise.resolve();
      },
      leave: () => Promise.resolve(),
    };
  }

  async *#read(
    id: string,
    turn: <T>(work: DiskWork, id: string, run: () => T) => Promise<T>,
  ): AsyncGenerator<Uint8Array> {
    const bytes = await turn('read', id, () => this.files.get(id));
    if (bytes === undefined) throw new StorageError('broken', `no file ${id}`);
    for (let at = 0; at < bytes.byteLength; at += 1024) yield bytes.subarray(at, at + 1024);
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** CIDv1, codec raw, SHA-256, base 32: right for files up to 256 KiB. */
export function cidOf(bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest();
  const binary = Buffer.concat([Buffer.from([0x01, 0x55, 0x12, 0x20]), digest]);
  let bits = '';
  for (const byte of binary) bits += byte.toString(2).padStart(8, '0');
  let text = 'b';
  for (let at = 0; at < bits.length; at += 5) {
    text += alphabet[Number.parseInt(bits.slice(at, at + 5).padEnd(5, '0'), 2)] ?? '';
  }
  return text;
}

/** What the service does with one request. */
export type Behaviour =
  | { readonly kind: 'take' }
  /** It acts, and the answer is lost. */
  | { readonly kind: 'lose-answer' }
  /** It acts, and answers what cannot be read. */
  | { readonly kind: 'garble' }
  /** It acts, and answers so. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** It does not get the whole request. */
  | { readonly kind: 'cut' }
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly code?: FailureCode;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'not-left'; readonly code?: FailureCode }
  /** It does not answer in time. */
  | { readonly kind: 'hang' };

interface Effect {
  readonly key: string;
  readonly body: string;
}

/** A service with an idempotency cache, without sockets. */
export class FakeService {
  readonly effects: Effect[] = [];
  readonly calls: { readonly key: string; readonly body: string; readonly type: string }[] = [];
  readonly violations: string[] = [];
  /** The contents whose CID an answer has named. */
  readonly proven = new Set<string>();
  /** Requests under way, of the process that lives. */
  active = new Set<UploadCall>();
  peak = 0;
  behave: (call: UploadCall, nth: number) => Behaviour = () => ({ kind: 'take' });
  readonly #cache = new Map<string, { readonly body: string; readonly at: number }>();
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  async upload(call: UploadCall): Promise<ActionAnswer> {
    const nth = this.calls.length;
    const behaviour = this.behave(call, nth);
    const at = this.#clock.wallNow();
    if (behaviour.kind === 'not-left') return failure(behaviour.code ?? 'unreachable', at, null, false);
    const { active } = this;
    active.add(call);
    this.peak = Math.max(this.peak, active.size);
    try {
      const pieces: Uint8Array[] = [];
      let length = 0;
      for await (const piece of call.body()) {
        if (call.signal.aborted) return failure('cancelled', at, null, true);
        pieces.push(Uint8Array.from(piece));
        length += piece.byteLength;
        call.onProgress(length);
      }
      if (length !== call.contentLength) this.violations.push('Content-Length is wrong');
      const body = Buffer.concat(pieces).toString('latin1');
      this.calls.push({ key: call.key, body, type: call.contentType });
      return await this.#answer(call, body, behaviour, at);
    } catch {
      return failure('unreachable', at, null, true);
    } finally {
      active.delete(call);
    }
  }

  async #answer(
    call: UploadCall,
    body: string,
    behaviour: Exclude<Behaviour, { kind: 'not-left' }>,
    at: number,
  ): Promise<ActionAnswer> {
    switch (behaviour.kind) {
      case 'take':
      case 'answer':
        this.#act(call.key, body);
        if (behaviour.kind === 'take') this.proven.add(Buffer.from(fileIn(body)).toString());
        return {
          left: true,
          result: {
            ok: true,
            value: {
              ...(behaviour.kind === 'answer'
                ? { status: behaviour.status, body: behaviour.body }
                : { status: 201, body: { cid: cidOf(fileIn(body)), size: 1, name: 'x' } }),
              requestId: `req-${String(this.calls.length)}`,
              responseMs: 1,
              linkCursor: null,
            },
          },
        };
      case 'lose-answer':
        this.#act(call.key, body);
        return failure('unreachable', at, null, true);
      case 'garble':
        this.#act(call.key, body);
        return failure('unreadable-answer', at, 201, true);
      case 'cut':
        return failure('unreachable', at, null, true);
      case 'hang':
        await new Promise<void>((resolve) => {
          call.signal.addEventListener('abort', () => {
            resolve();
          });
          if (call.signal.aborted) resolve();
          this.#clock.schedule(15_000, resolve);
        });
        return failure(call.signal.aborted ? 'cancelled' : 'timed-out', at, null, true);
      case 'refuse': {
        // What was done under a key is answered with what it gave (interface: Idempotency).
        const isDefinite = behaviour.status < 500 && ![401, 408, 409, 425, 429].includes(behaviour.status);
        if (isDefinite && this.#isKnown(call.key)) return this.#answer(call, body, { kind: 'take' }, at);
        const retryAt = behaviour.retryAfterMs === undefined ? null : at + behaviour.retryAfterMs;
        return failure(behaviour.code ?? codeOf(behaviour.status), at, behaviour.status, true, retryAt);
      }
    }
  }

  /** Once for a key within 24 hours; a key for other bytes would be two effects under one name. */
  #act(key: string, body: string): void {
    const known = this.#cache.get(key);
    if (known && known.body !== body) this.violations.push('One key for two bodies');
    if (this.#isKnown(key)) return;
    this.#cache.set(key, { body, at: this.#clock.elapsed() });
    this.effects.push({ key, body });
  }

  #isKnown(key: string): boolean {
    const known = this.#cache.get(key);
    return known !== undefined && this.#clock.elapsed() - known.at < 24 * 3_600_000;
  }
}

/** The file's bytes in a form whose last part is the file. */
export function fileIn(body: string): Uint8Array {
  const from = body.lastIndexOf('Content-Type: application/octet-stream\r\n\r\n') + 42;
  return Buffer.from(body.slice(from, body.lastIndexOf('\r\n--')), 'latin1');
}

const codeOf = (status: number): FailureCode =>
  status === 403
    ? 'not-granted'
    : status === 409
      ? 'conflict'
      : status === 429
        ? 'too-many-requests'
        : status >= 500
          ? 'service-error'
          : 'refused-by-service';

const failure = (
  code: FailureCode,
  at: number,
  status: number | null,
  left: boolean,
  retryAt: number | null = null,
): ActionAnswer => ({
  left,
  result: { ok: false, failure: makeFailure({ code, at, status, retryAt, requestId: 'req-failed' }) },
});

export const uploadPlan = (change: Record<string, unknown> = {}): Deployment['upload'] =>
  deploymentFileSchema.parse({
    version: 1,
    id: 'harbour',
    name: 'Harbour',
    infrastructureUrl: 'https://infrastructure.example',
    coordinationUrl: 'https://coordination.example',
    upload: change,
  }).upload;

export interface Circumstances {
  session: 'live' | 'waiting' | 'ended';
  connection: 'unknown' | 'online' | 'degraded' | 'offline';
  uploadToken: OutboxState['uploadToken'];
  verified: boolean;
  /** The service's clock minus the test's. */
  skew: number;
  evidence: 'found' | 'not-found' | 'unknown';
}

export interface OutboxRig {
  readonly clock: VirtualClock;
  readonly disk: Disk;
  readonly service: FakeService;
  readonly store: ConsoleStore;
  readonly at: Circumstances;
  readonly notices: string[];
  readonly unsent: number[];
  readonly asked: (readonly string[])[];
  outbox: Uploads & AccountLife;
  slice(): OutboxState;
  /** All items, checked against the contract. */
  items(): Upload[];
  item(id: string): Upload;
  state(id: string): UploadState | undefined;
  /** Adds a file to its end; answers its id. */
  add(name: string, content: string | Uint8Array, incidentId?: string | null): Promise<string>;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
  pass(ms: number): Promise<void>;
  /** Ends the process as a kill does, and starts another one. */
  kill(options?: { readonly account?: string }): Promise<void>;
  /** Leaves the vault and opens it again. */
  restart(): Promise<void>;
}

export const account = 'operator';

export async function createOutboxRig(
  options: {
    readonly upload?: Deployment['upload'];
    readonly seed?: number;
    readonly disk?: Disk;
    readonly api?: UploadsAccount['coordination'];
    readonly clock?: VirtualClock;
    /** In place of the disk: the real one. */
    readonly open?: () => Promise<VaultRecords>;
  } = {},
): Promise<OutboxRig> {
  const clock = options.clock ?? createVirtualClock();
  const disk = options.disk ?? new Disk();
  const service = new FakeService(clock);
  const random = createSeededRandom(options.seed);
  const at: Circumstances = {
    session: 'live',
    connection: 'online',
    uploadToken: 'not-used',
    verified: true,
    skew: 0,
    evidence: 'not-found',
  };
  const notices: string[] = [];
  const unsent: number[] = [];
  const asked: (readonly string[])[] = [];
  let process = { alive: true };
  const open = (): Promise<VaultRecords> => options.open?.() ?? Promise.resolve(disk.open(process));

  const make = (store: ConsoleStore): Uploads & AccountLife => {
    const mine = process;
    const logger = createRecordingLogger();
    const mortal: Clock = {
      ...clock,
      schedule: (ms, run) =>
        clock.schedule(ms, () => {
          if (mine.alive) run();
        }),
    };
    const shared = {
      ...createFeatureRig({ store }),
      coordination: options.api ?? {
        upload: async (call: UploadCall) => {
          if (!mine.alive) return new Promise<ActionAnswer>(() => undefined);
          const answer = await service.upload(call);
          return mine.alive ? answer : new Promise<ActionAnswer>(() => undefined);
        },
      },
      random,
      logger,
      ...momentsOf(() => clock.wallNow() + at.skew),
      serverTime: { verified: () => at.verified },
      deployment: { upload: options.upload ?? uploadPlan() },
      connection: () => ({ state: at.connection }),
      vault: {
        noteUnsent: (count: number) => void unsent.push(count),
        note: (notice: Message) => void notices.push(english(notice)),
      },
    };
    const sources = {
      session: () => at.session,
      uploadToken: () => at.uploadToken,
      findEvidence: (cids: readonly string[]) => {
        asked.push(cids);
        return Promise.resolve(at.evidence);
      },
    };
    return accountLife(
      { clock: mortal, logger },
      (opening) => new Uploads({ ...shared, ...opening }, sources),
    );
  };

  const rig: OutboxRig = {
    clock,
    disk,
    service,
    store: createTestStore(),
    at,
    notices,
    unsent,
    asked,
    outbox: make(createTestStore()),
    slice: () => outboxSchema.parse(rig.store.slice('outbox')),
    items: () => {
      const { items, total, revision } = rig.outbox.read(0, 1_000_000);
      if (items.length !== total) throw new Error('The list is not as long as it says');
      if (revision !== rig.slice().revision) throw new Error('The slice is behind the list');
      const shown = items.map((item) => uploadSchema.parse(item));
      const { counts } = rig.slice();
      for (const state of Object.keys(counts) as UploadState[]) {
        const counted = shown.filter((item) => item.state === state).length;
        if (counted !== counts[state])
          throw new Error(`${state}: ${String(counts[state])} said, ${String(counted)} there`);
      }
      return shown;
    },
    item: (id) => {
      const item = rig.items().find((one) => one.id === id);
      if (!item) throw new Error(`No upload ${id}`);
      return item;
    },
    state: (id) => rig.items().find((one) => one.id === id)?.state,
    async add(name, content, incidentId = null) {
      const bytes = Buffer.from(content);
      const id = valueOf(await rig.outbox.begin(name, bytes.byteLength, incidentId)).uploadId;
      const answer = await rig.outbox.receive(id, pieces(bytes));
      if (answer !== 'kept') throw new Error(`The file was ${answer}`);
      return id;
    },
    settle: () => flush(),
    pass: (ms) => clock.advance(ms),
    async kill({ account: as = account } = {}) {
      process.alive = false;
      process = { alive: true };
      service.active = new Set();
      const store = createTestStore();
      Object.assign(rig, { store, outbox: make(store) });
      await rig.outbox.start(await open(), as);
      await flush();
    },
    async restart() {
      await rig.outbox.stop();
      await rig.outbox.start(await open(), account);
      await flush();
    },
  };
  const store = createTestStore();
  Object.assign(rig, { store, outbox: make(store) });
  await rig.outbox.start(await open(), account);
  return rig;
}

export async function* pieces(bytes: Uint8Array, size = 700): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${said(result.failure.sentence)}`);
  return result.value;
}
