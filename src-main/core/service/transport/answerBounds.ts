/**
 * What one answer of the service may hold, counted while its bytes come in and before anything parses
 * them: a few kilobytes of gzip unpack to millions of values, each of which costs memory.
 */
export interface AnswerBounds {
  /** Decoded bytes of the body. */
  readonly bytes: number;
  /** Values of any kind and names of members, all together. */
  readonly values: number;
  /** Arrays and objects, all together: the dearest values, with 30 to 250 bytes each. */
  readonly containers: number;
  /** Entries of lists, all together. A list is the outermost array, or an array directly in the outermost object. */
  readonly records: number;
  /** Of one entry of a list. One beyond them is set aside, and the other entries are read. */
  readonly record: PartBounds;
  /** Of everything beside the entries of lists. */
  readonly beside: PartBounds;
}

export interface PartBounds {
  readonly bytes: number;
  readonly values: number;
}

/**
 * Arrays and objects within one another, the entry itself counted. What the specification names lies
 * three deep; beyond this, code that follows a value by recursion would run out of stack.
 */
export const deepestNesting = 200;

/** Characters of one number or literal. A double written out in full needs 1,077. */
export const longestNumber = 1_100;

/**
 * An incident takes about 300 bytes and 12 values; one with 64 unknown fields and a thousand
 * transaction hashes still fits.
 */
const recordBounds: PartBounds = { bytes: 256 * 1024, values: 20_000 };
/** Cursors, totals and what else stands around a list. */
const besideBounds: PartBounds = { bytes: 1024 * 1024, values: 20_000 };

/**
 * An answer with a list. A page has at most 200 entries (interface: Limits), but whether
 * `GET /incidents` pages is not specified: a service without pages answers with all it has. 100,000
 * incidents take 30 MB, 2.4 million values and names, and 300,000 arrays and objects.
 */
export const listAnswer: AnswerBounds = {
  bytes: 64 * 1024 * 1024,
  values: 4_000_000,
  containers: 600_000,
  records: 120_000,
  record: recordBounds,
  beside: besideBounds,
};

/** An answer about one thing: a token, the health, a decision, an upload. */
export const smallAnswer: AnswerBounds = {
  bytes: 1024 * 1024,
  values: 20_000,
  containers: 20_000,
  records: 20_000,
  record: recordBounds,
  beside: besideBounds,
};

/** The small JSON envelope of a failure (interface: Errors). Of a larger one only the status counts. */
export const errorEnvelope: AnswerBounds = { ...smallAnswer, bytes: 64 * 1024 };
