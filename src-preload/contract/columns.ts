/**
 * The incident frame: how rows cross the bridge.
 *
 * A list of 100,000 objects costs hundreds of milliseconds to clone; the same rows as typed arrays
 * cost two. So rows travel as one binary block of aligned columns, identical in both hosts:
 *
 *   u32 magic "FCIF", u32 header length, header (UTF-8 JSON, padded to 8), then the columns in the
 *   order of `columnArrays`, each padded to 8 bytes, then the ids as UTF-8.
 *
 * Decoded columns are views on the block: nothing is copied.
 */

/**
 * What is known of each incident as numbers, in the order of the block: the arrays of the store, of the frame and of
 * the page's table are made from this. The store fills them (core/state/incidentTable.ts).
 */
export const columnArrays = {
  /** Unix milliseconds. */
  createdAt: Float64Array,
  /** Decimal degrees, NaN where there is no location. */
  latitude: Float64Array,
  longitude: Float64Array,
  /** Server time in Unix ms of an arrival seen live; 0 for what the first read brought. */
  arrivedAt: Float64Array,
  /** The row's number in the console's store: stable within an epoch, never reused in it. */
  key: Uint32Array,
  evidenceCount: Uint32Array,
  anchorCount: Uint32Array,
  /** Indices into the frame's dictionaries. */
  severity: Uint16Array,
  status: Uint16Array,
  type: Uint16Array,
  /** 1 for an incident that the service no longer returns, else 0. */
  notReturned: Uint8Array,
} as const;
type ArrayName = keyof typeof columnArrays;
export const columnArrayNames = Object.keys(columnArrays) as ArrayName[];

/** Arrays of the types that a table of constructors names. */
export type ArraysOf<T extends Readonly<Record<string, new (length: number) => unknown>>> = {
  [N in keyof T]: InstanceType<T[N]>;
};

/** Columns of one or more incidents. All arrays have `length` entries (`idOffsets`: length + 1). */
export interface IncidentColumns extends Readonly<ArraysOf<typeof columnArrays>> {
  readonly length: number;
  /** Ids as UTF-8, and where each begins; opaque strings (interface: Resource IDs). */
  readonly idOffsets: Uint32Array;
  readonly idBytes: Uint8Array;
}

/** Append-only within an epoch: an index keeps its meaning. */
export interface IncidentDictionaries {
  readonly severity: readonly string[];
  readonly status: readonly string[];
  readonly type: readonly string[];
}

export interface IncidentFrame {
  /** True: these are all rows. False: rows to insert or replace by key, after dropping `removed`. */
  readonly complete: boolean;
  readonly removed: Uint32Array;
  readonly dictionaries: IncidentDictionaries;
  readonly columns: IncidentColumns;
}

const magic = 0x46_49_43_46;
const align = (offset: number): number => (offset + 7) & ~7;

interface Header {
  readonly complete: boolean;
  readonly rows: number;
  readonly removed: number;
  readonly idBytes: number;
  readonly dictionaries: IncidentDictionaries;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

/** A count that is no count would give columns of another length than `length` says. */
function isHeader(value: unknown): value is Header {
  if (typeof value !== 'object' || value === null) return false;
  const { complete, rows, removed, idBytes, dictionaries } = value as Partial<Record<keyof Header, unknown>>;
  if (typeof complete !== 'boolean' || ![rows, removed, idBytes].every(isCount)) return false;
  if (typeof dictionaries !== 'object' || dictionaries === null) return false;
  const { severity, status, type } = dictionaries as Partial<Record<keyof IncidentDictionaries, unknown>>;
  return [severity, status, type].every(isTexts);
}

function readHeader(bytes: Uint8Array): Header {
  let value: unknown = null;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Said below, together with JSON of another shape.
  }
  if (!isHeader(value)) throw new RangeError('The header of an incident frame cannot be read');
  return value;
}

/** Encodes a frame into one block of bytes whose buffer belongs to it alone. */
export function encodeIncidentFrame(frame: IncidentFrame): Uint8Array<ArrayBuffer> {
  const { columns, removed, dictionaries, complete } = frame;
  const rows = columns.length;
  const header: Header = {
    complete,
    rows,
    removed: removed.length,
    idBytes: columns.idBytes.byteLength,
    dictionaries,
  };
  const headerBytes = new TextEncoder().encode(JSON.stringify(header));
  const bodyAt = align(8 + headerBytes.byteLength);
  let size = bodyAt;
  for (const { BYTES_PER_ELEMENT } of Object.values(columnArrays))
    size = align(size + rows * BYTES_PER_ELEMENT);
  size = align(size + (rows + 1) * 4);
  size = align(size + removed.length * 4);
  size += columns.idBytes.byteLength;

  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, headerBytes.byteLength, true);
  bytes.set(headerBytes, 8);
  let offset = bodyAt;
  for (const name of columnArrayNames) {
    const Type = columnArrays[name];
    new Type(bytes.buffer, offset, rows).set(columns[name]);
    offset = align(offset + rows * Type.BYTES_PER_ELEMENT);
  }
  new Uint32Array(bytes.buffer, offset, rows + 1).set(columns.idOffsets);
  offset = align(offset + (rows + 1) * 4);
  new Uint32Array(bytes.buffer, offset, removed.length).set(removed);
  offset = align(offset + removed.length * 4);
  bytes.set(columns.idBytes, offset);
  return bytes;
}

/**
 * Decodes a block into views on it.
 *
 * @throws RangeError when the block is not an incident frame, is shorter than it says, or has a header
 * that cannot be read.
 */
export function decodeIncidentFrame(block: Uint8Array): IncidentFrame {
  // Copied by its constructor: the `slice` of a Node Buffer copies nothing and stays unaligned.
  const bytes = block.byteOffset % 8 === 0 ? block : new Uint8Array(block);
  if (bytes.byteLength < 8) throw new RangeError('An incident frame has at least 8 bytes');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== magic) throw new RangeError('Not an incident frame');
  const headerLength = view.getUint32(4, true);
  if (8 + headerLength > bytes.byteLength) throw new RangeError('An incident frame is cut in its header');
  const header = readHeader(bytes.subarray(8, 8 + headerLength));
  const { rows } = header;
  let offset = align(8 + headerLength);
  const take = <A>(
    Type: new (buffer: ArrayBufferLike, at: number, length: number) => A,
    size: number,
    count: number,
  ) => {
    if (offset + size * count > bytes.byteLength)
      throw new RangeError('An incident frame is cut in its columns');
    const array = new Type(bytes.buffer, bytes.byteOffset + offset, count);
    offset = align(offset + size * count);
    return array;
  };
  const columns: Record<string, unknown> = { length: rows };
  for (const name of columnArrayNames) {
    const Type = columnArrays[name];
    columns[name] = take<unknown>(Type, Type.BYTES_PER_ELEMENT, rows);
  }
  columns['idOffsets'] = take(Uint32Array, 4, rows + 1);
  const removed = take(Uint32Array, 4, header.removed);
  columns['idBytes'] = take(Uint8Array, 1, header.idBytes);
  return {
    complete: header.complete,
    removed,
    dictionaries: header.dictionaries,
    columns: columns as unknown as IncidentColumns,
  };
}

const decoder = new TextDecoder();

/** The id of the row at `index`, decoded when it is wanted and not before. */
export function incidentId(columns: IncidentColumns, index: number): string {
  const from = columns.idOffsets[index] ?? 0;
  const to = columns.idOffsets[index + 1] ?? from;
  return decoder.decode(columns.idBytes.subarray(from, to));
}
