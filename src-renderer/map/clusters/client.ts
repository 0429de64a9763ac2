import type { LevelMarks, MarkMembers } from './index.ts';
import type { ClusterReply, ClusterRequest } from './messages.ts';
import type { Bounds, PointColumns } from './points.ts';

interface Indexed {
  readonly count: number;
  readonly bounds: Bounds | null;
  readonly worst: Bounds | null;
}

type ClusterWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

export interface ClientOptions {
  readonly onIndexed: (indexed: Indexed) => void;
  /** A new worker knows of no points: hand them over again. */
  readonly onRestarted: () => void;
  readonly start?: () => ClusterWorker;
}

interface Waiting {
  readonly tile: Map<number, (bytes: ArrayBuffer) => void>;
  readonly marks: Map<number, (marks: LevelMarks | null) => void>;
  readonly members: Map<number, (members: MarkMembers | null) => void>;
}

/** A worker that owes an answer is looked at; one that gave none at so many looks in a row is dead. */
const lookEveryMs = 10_000;
const looks = 3;
/** Starts within the window below; the first is the usual one. */
const mostStarts = 4;
const startWindowMs = 5 * 60_000;

const startWorker = (): ClusterWorker =>
  new Worker(new URL('./cluster.worker.ts', import.meta.url), { type: 'module' });

/**
 * The page's side of the cluster worker. At most one set of points is on its way; of those that come
 * meanwhile only the latest is sent, so a storm of changes cannot queue up in front of the tiles.
 *
 * A worker that breaks, or that the browser ended (which it does not report), is started again, and its
 * owner is asked for the points. What was asked of the old one is answered with nothing.
 */
export class ClusterClient {
  readonly #onIndexed: (indexed: Indexed) => void;
  readonly #onRestarted: () => void;
  readonly #start: () => ClusterWorker;
  readonly #waiting: Waiting = { tile: new Map(), marks: new Map(), members: new Map() };
  #worker: ClusterWorker | null = null;
  #starts: number[] = [];
  #lastId = 0;
  #version = 0;
  #indexing = false;
  #next: PointColumns | null = null;
  #looked = 0;
  #look: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(options: ClientOptions) {
    this.#onIndexed = options.onIndexed;
    this.#onRestarted = options.onRestarted;
    this.#start = options.start ?? startWorker;
    this.#begin();
  }

  /** Hands the points' arrays over to the worker; they are empty here afterwards. */
  setPoints(points: PointColumns): void {
    this.#next = points;
    // One that was given up for dying too often gets its next chance with the next change.
    if (!this.#worker) this.#begin();
    this.#sendNext();
  }

  /** A vector tile (./index.ts), its counts in a language. */
  tile(zoom: number, x: number, y: number, language: string): Promise<ArrayBuffer> {
    return new Promise((resolve) => {
      const id = this.#newId();
      this.#waiting.tile.set(id, resolve);
      this.#send({ kind: 'tile', id, zoom, x, y, language });
    });
  }

  /** All marks of a level of the whole world (./index.ts); null when the worker was lost. */
  marks(zoom: number): Promise<LevelMarks | null> {
    return new Promise((resolve) => {
      const id = this.#newId();
      this.#waiting.marks.set(id, resolve);
      this.#send({ kind: 'marks', id, zoom });
    });
  }

  members(zoom: number, longitude: number, latitude: number): Promise<MarkMembers | null> {
    return new Promise((resolve) => {
      const id = this.#newId();
      this.#waiting.members.set(id, resolve);
      this.#send({ kind: 'members', id, zoom, longitude, latitude });
    });
  }

  /** Stops the worker; pending requests are answered with nothing. */
  close(): void {
    this.#closed = true;
    this.#end();
  }

  /** False when there were too many starts lately. */
  #begin(): boolean {
    const now = performance.now();
    this.#starts = this.#starts.filter((at) => now - at < startWindowMs);
    if (this.#closed || this.#starts.length >= mostStarts) return false;
    this.#starts.push(now);
    const worker = this.#start();
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<ClusterReply>) => {
      if (worker === this.#worker) this.#receive(data);
    });
    const broke = (): void => {
      if (worker === this.#worker) this.#restart();
    };
    worker.addEventListener('error', broke);
    worker.addEventListener('messageerror', broke);
    return true;
  }

  #restart(): void {
    this.#end();
    if (this.#begin()) this.#onRestarted();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#indexing = false;
    this.#stopLooking();
    const tiles = [...this.#waiting.tile.values()];
    const marks = [...this.#waiting.marks.values()];
    const members = [...this.#waiting.members.values()];
    this.#waiting.tile.clear();
    this.#waiting.marks.clear();
    this.#waiting.members.clear();
    for (const resolve of tiles) resolve(new ArrayBuffer(0));
    for (const resolve of [...marks, ...members]) resolve(null);
  }

  #receive(reply: ClusterReply): void {
    this.#stopLooking();
    switch (reply.kind) {
      case 'indexed':
        this.#indexing = false;
        this.#onIndexed(reply);
        this.#sendNext();
        break;
      case 'tile':
        this.#waiting.tile.get(reply.id)?.(reply.bytes);
        this.#waiting.tile.delete(reply.id);
        break;
      case 'marks':
        this.#waiting.marks.get(reply.id)?.(reply.marks);
        this.#waiting.marks.delete(reply.id);
        break;
      case 'members':
        this.#waiting.members.get(reply.id)?.(reply.members);
        this.#waiting.members.delete(reply.id);
        break;
    }
    if (this.#indexing || Object.values(this.#waiting).some(({ size }) => size > 0)) this.#watch();
  }

  #sendNext(): void {
    const points = this.#next;
    if (this.#indexing || !points || !this.#worker) return;
    this.#next = null;
    this.#indexing = true;
    this.#version += 1;
    const { key, longitude, latitude, rank, gone, open } = points;
    this.#send({ kind: 'points', version: this.#version, points }, [
      key.buffer,
      longitude.buffer,
      latitude.buffer,
      rank.buffer,
      gone.buffer,
      open.buffer,
    ]);
  }

  #send(request: ClusterRequest, transfer: Transferable[] = []): void {
    if (!this.#worker) {
      this.#end();
      return;
    }
    this.#worker.postMessage(request, transfer);
    this.#watch();
  }

  /** Looks are counted, not time: after a sleep of the computer the worker gets the time it did not have. */
  #watch(): void {
    this.#look ??= setTimeout(() => {
      this.#look = null;
      this.#looked += 1;
      if (this.#looked >= looks) this.#restart();
      else this.#watch();
    }, lookEveryMs);
  }

  #stopLooking(): void {
    if (this.#look !== null) clearTimeout(this.#look);
    this.#look = null;
    this.#looked = 0;
  }

  #newId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}
