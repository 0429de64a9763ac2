/**
 * The limits of one answer of the service. They are checked while its bytes come in, before anything is parsed: a few
 * kilobytes of gzip can unpack to millions of values, each of which costs memory.
 */
export interface AnswerBounds {
  /** Decoded bytes of the body. */
  readonly bytes: number;
  /** Values of any kind and names of members, in total. */
  readonly values: number;
  /** Arrays and objects, in total: they cost the most memory, 30 to 250 bytes each. */
  readonly containers: number;
  /** Entries of lists, in total. A list is the outermost array, or an array directly in the outermost object. */
  readonly records: number;
  /** The limits of one entry of a list. An entry beyond them is set aside, and the others are read. */
  readonly record: PartBounds;
  /** The limits of everything outside of the entries of lists. */
  readonly beside: PartBounds;
}

export interface PartBounds {
  readonly bytes: number;
  readonly values: number;
}

/**
 * The deepest nesting of arrays and objects, counted from the entry. The specification needs three levels; beyond this
 * limit, recursive code would run out of stack.
 */
export const deepestNesting = 200;

/** The most characters of one number or literal. A double written out in full needs 1,077. */
export const longestNumber = 1_100;

/**
 * An incident takes about 300 bytes and 12 values. One with 64 unknown fields and a thousand transaction hashes still
 * fits.
 */
const recordBounds: PartBounds = { bytes: 256 * 1024, values: 20_000 };
/** Cursors, totals and other members beside a list. */
const besideBounds: PartBounds = { bytes: 1024 * 1024, values: 20_000 };

/**
 * An answer with a list. A page has at most 200 entries (interface: Limits), but the specification does not say whether
 * `GET /incidents` has pages: a service without pages answers with all incidents. 100,000 incidents take 30 MB, 2.4
 * million values and names, and 300,000 arrays and objects.
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
