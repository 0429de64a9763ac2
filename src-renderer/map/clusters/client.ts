import type { MarkMembers } from './index.ts';
import type { ClusterReply, ClusterRequest } from './messages.ts';
import type { Bounds, PointColumns } from './points.ts';

export interface Indexed {
  readonly count: number;
  readonly bounds: Bounds | null;
}

interface Waiting {
  readonly tile: Map<number, (bytes: ArrayBuffer) => void>;
  readonly members: Map<number, (members: MarkMembers | null) => void>;
}

/**
 * The page's side of the cluster worker. At most one set of points is on its way; of those that come
 * meanwhile only the latest is sent, so a storm of changes cannot queue up in front of the tiles.
 */
export class ClusterClient {
  readonly #worker: Worker;
  readonly #onIndexed: (indexed: Indexed) => void;
  readonly #waiting: Waiting = { tile: new Map(), members: new Map() };
  #lastId = 0;
  #version = 0;
  #indexing = false;
  #next: PointColumns | null = null;

  constructor(onIndexed: (indexed: Indexed) => void) {
    this.#onIndexed = onIndexed;
    this.#worker = new Worker(new URL('./cluster.worker.ts', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<ClusterReply>) => {
      this.#receive(data);
    });
  }

  /** Hands the points' arrays over to the worker; they are empty here afterwards. */
  setPoints(points: PointColumns): void {
    this.#next = points;
    this.#sendNext();
  }

  tile(zoom: number, x: number, y: number): Promise<ArrayBuffer> {
    return new Promise((resolve) => {
      const id = this.#newId();
      this.#waiting.tile.set(id, resolve);
      this.#send({ kind: 'tile', id, zoom, x, y });
    });
  }

  members(zoom: number, longitude: number, latitude: number): Promise<MarkMembers | null> {
    return new Promise((resolve) => {
      const id = this.#newId();
      this.#waiting.members.set(id, resolve);
      this.#send({ kind: 'members', id, zoom, longitude, latitude });
    });
  }

  /** Stops the worker; requests under way are answered with nothing. */
  close(): void {
    this.#worker.terminate();
    for (const resolve of this.#waiting.tile.values()) resolve(new ArrayBuffer(0));
    for (const resolve of this.#waiting.members.values()) resolve(null);
    this.#waiting.tile.clear();
    this.#waiting.members.clear();
  }

  #receive(reply: ClusterReply): void {
    switch (reply.kind) {
      case 'indexed':
        this.#indexing = false;
        this.#onIndexed(reply);
        this.#sendNext();
        return;
      case 'tile':
        this.#waiting.tile.get(reply.id)?.(reply.bytes);
        this.#waiting.tile.delete(reply.id);
        return;
      case 'members':
        this.#waiting.members.get(reply.id)?.(reply.members);
        this.#waiting.members.delete(reply.id);
        return;
    }
  }

  #sendNext(): void {
    const points = this.#next;
    if (this.#indexing || !points) return;
    this.#next = null;
    this.#indexing = true;
    this.#version += 1;
    const { key, longitude, latitude, rank, gone } = points;
    this.#send({ kind: 'points', version: this.#version, points }, [
      key.buffer,
      longitude.buffer,
      latitude.buffer,
      rank.buffer,
      gone.buffer,
    ]);
  }

  #send(request: ClusterRequest, transfer: Transferable[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  #newId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}
