import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { create } from 'multiformats/hashes/digest';
import { createHash } from 'node:crypto';
import pictures from '../../build/assets/training/pictures.json' with { type: 'json' };
import { json, refusal, type RequestHead, type TrainingAnswer } from './answer.ts';
import type { EventLog } from './eventLog.ts';
import type { IncidentStore } from './incidentStore.ts';
import { pageOf } from './paging.ts';
import { seeded, type Seeded } from './seeded.ts';
import type { WorldOptions } from './worldOptions.ts';

/** About how many pieces are there at the start, and how many an incident among them has at most. */
const atStart = 40;
const mostOfOne = 8;

interface Kind {
  readonly media_type: string;
  readonly ending: string;
  readonly lens: string | null;
}
/** Which of the pictures a lens takes; the video is the last. */
const kinds: readonly [Kind, ...Kind[]] = [
  { media_type: 'image/jpeg', ending: 'jpg', lens: 'wide' },
  { media_type: 'image/jpeg', ending: 'jpg', lens: 'zoom' },
  { media_type: 'image/tiff', ending: 'tif', lens: 'thermal' },
  // Declared as what it is not: a console tells it by its bytes.
  { media_type: 'video/mp4', ending: 'mp4', lens: 'wide' },
  { media_type: 'application/geo+json', ending: 'geojson', lens: null },
];

type Row = Readonly<Record<string, unknown>>;

interface Piece {
  readonly number: number;
  /** Without the clock offset, as the incidents keep their times. */
  readonly createdAt: number;
  readonly row: Row;
}

/** What drones and operators collected: each piece named by the CID of its bytes. */
export class Evidence {
  readonly #options: WorldOptions;
  readonly #incidents: IncidentStore;
  readonly #events: EventLog;
  readonly #pieces: Piece[] = [];
  readonly #byScript: Seeded;
  readonly #byHand: Seeded;
  /** What each CID names: a picture with some bytes behind it that no decoder reads, or these bytes alone. */
  readonly #files = new Map<string, { readonly seen: Uint8Array | null; readonly own: Uint8Array }>();

  constructor(options: WorldOptions, incidents: IncidentStore, events: EventLog) {
    this.#options = options;
    this.#incidents = incidents;
    this.#events = events;
    this.#byScript = seeded(options.seed, 'evidence');
    this.#byHand = seeded(options.seed, 'evidence by hand');
    const first = this.#first().toSorted((one, other) => one.createdAt - other.createdAt);
    for (const { createdAt, row } of first) this.#keep(createdAt, row);
  }

  /** The bytes that a CID names; null for one that is none of these pieces'. */
  file(cid: string): Uint8Array | null {
    const file = this.#files.get(cid);
    if (file === undefined) return null;
    return file.seen === null ? file.own : Buffer.concat([file.seen, file.own]);
  }

  /** Every piece as it is served, oldest first. */
  all(clockOffsetMs = 0): readonly Row[] {
    return this.#pieces.map((piece) => served(piece, clockOffsetMs));
  }

  /** What a drone collected of an incident whose count says so already. */
  collect(incidentId: string): void {
    this.#announce(this.#keep(this.#options.now(), this.#made(this.#byScript, incidentId)));
  }

  /** Adds a piece, of the newest incident unless `partial` says otherwise, and counts it there. */
  add(partial: Row = {}): void {
    const incidents = this.#incidents;
    const newest = incidents.at(incidents.size - 1)?.id ?? null;
    this.#counted({ ...this.#made(this.#byHand, newest), ...partial }, this.#options.now());
  }

  /** Adds what was uploaded. */
  receive(row: Row): void {
    this.#counted(row, this.#options.now());
  }

  /** `GET /evidence` (interface: protected list of evidence; pagination conventions). */
  list({ query, switches }: RequestHead): TrainingAnswer {
    const { clockOffsetMs } = switches;
    if (!switches.evidenceWithCursor) return json(200, this.all(clockOffsetMs));
    const page = pageOf('evidence', this.#pieces, query);
    if (typeof page === 'string') return refusal(400, page);
    const { nextCursor } = page;
    return json(200, {
      evidence: page.rows.map((piece) => served(piece, clockOffsetMs)),
      ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
    });
  }

  /** All of what the newest incidents count (of all with the exercise), and two pieces of none. */
  #first(): Omit<Piece, 'number'>[] {
    const { seed, now, exercise: whole } = this.#options;
    const incidents = this.#incidents;
    const draw = seeded(seed, 'first evidence');
    const pieces: Omit<Piece, 'number'>[] = [];
    for (let index = incidents.size - 1; index >= 0 && (whole || pieces.length < atStart); index -= 1) {
      const incident = incidents.at(index);
      if (!incident || (!whole && incident.evidence_count > mostOfOne)) continue;
      const since = Date.parse(incident.created_at);
      for (let count = incident.evidence_count; count > 0; count -= 1) {
        const createdAt = Math.min(now(), since + Math.round(draw.next() * 3_600_000));
        pieces.push({ createdAt, row: this.#made(draw, incident.id) });
      }
    }
    // A list may hold such pieces, and operators must meet them.
    for (const minutes of pieces.length > 0 ? [1, 2] : []) {
      pieces.push({ createdAt: now() - minutes * 60_000, row: this.#made(draw, null) });
    }
    return pieces;
  }

  #counted(row: Row, now: number): void {
    const incidents = this.#incidents;
    const incidentId = row['incident_id'];
    const incident = typeof incidentId === 'string' ? incidents.find(incidentId) : undefined;
    if (incident) incidents.change(incident.id, { evidence_count: incident.evidence_count + 1 });
    const given = Date.parse(String(row['created_at']));
    this.#announce(this.#keep(Number.isNaN(given) ? now : given, row));
  }

  #keep(createdAt: number, row: Row): Piece {
    const piece = { number: this.#pieces.length + 1, createdAt, row };
    this.#pieces.push(piece);
    return piece;
  }

  #announce({ row }: Piece): void {
    this.#events.publish('evidence.added', {
      cid: row['cid'],
      ...(row['incident_id'] === undefined ? {} : { incident_id: row['incident_id'] }),
    });
  }

  #made(draw: Seeded, incidentId: string | null): Row {
    const { media_type, ending, lens } = draw.pick(kinds);
    const own = Uint8Array.from({ length: 64 + draw.below(960) }, () => draw.below(256));
    const seen = seenOf(media_type, own[0] ?? 0);
    const bytes = seen === null ? own : Buffer.concat([seen, own]);
    const cid = contentIdOfSmall(bytes);
    this.#files.set(cid, { seen, own });
    const drone = `drone-${String(1 + draw.below(24)).padStart(2, '0')}`;
    return {
      id: `ev-${draw.below(2 ** 32).toString(36)}`,
      cid,
      ...(incidentId === null ? {} : { incident_id: incidentId }),
      file_name: `${drone}-${String(draw.below(10_000)).padStart(4, '0')}.${ending}`,
      media_type,
      size: bytes.byteLength,
      collected_by: drone,
      ...(lens === null ? {} : { camera: { lens, height_m: 30 + draw.below(90) } }),
    };
  }
}

/** A picture or a video for an item that declares one. Which of both a file is shows in its bytes, not in the declaration. */
function seenOf(mediaType: string, choice: number): Uint8Array | null {
  const group = mediaType.slice(0, mediaType.indexOf('/'));
  const files = seenFiles().filter((file) => file.mediaType.startsWith(`${group}/`));
  // A thermal picture is in a format that no page shows.
  if (mediaType === 'image/tiff' || files.length === 0) return null;
  return files[choice % files.length]?.bytes ?? null;
}

const served = ({ row, createdAt }: Piece, clockOffsetMs: number): Row => ({
  ...row,
  created_at: new Date(createdAt + clockOffsetMs).toISOString(),
});

const chunkBytes = 262_144;
const sha256Code = 0x12;

/** The CID of bytes that fill no second chunk, under the profile `v1-raw-256k`: the leaf is the root. */
function contentIdOfSmall(bytes: Uint8Array): string {
  if (bytes.byteLength > chunkBytes) throw new RangeError('More than one chunk');
  const digest = createHash('sha256').update(bytes).digest();
  return CID.createV1(raw.code, create(sha256Code, digest)).toString();
}

/** A picture or a video that a drone could have taken (data/README.md says where they are from). */
interface SeenFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

let read: readonly SeenFile[] | null = null;

/** All of them, decoded when the first is asked for. */
export function seenFiles(): readonly SeenFile[] {
  read ??= pictures.map(({ mediaType, data }) => ({
    mediaType,
    bytes: new Uint8Array(Buffer.from(data, 'base64')),
  }));
  return read;
}
