import * as base10 from 'multiformats/bases/base10';
import * as base16 from 'multiformats/bases/base16';
import * as base2 from 'multiformats/bases/base2';
import * as base256emoji from 'multiformats/bases/base256emoji';
import * as base32 from 'multiformats/bases/base32';
import * as base36 from 'multiformats/bases/base36';
import * as base58 from 'multiformats/bases/base58';
import * as base64 from 'multiformats/bases/base64';
import * as base8 from 'multiformats/bases/base8';
import type { MultibaseDecoder } from 'multiformats/bases/interface';
import { CID } from 'multiformats/cid';

/** A content identifier (CID) after parsing. */
export interface ParsedCid {
  /** The usual spelling: version 0 in base 58, version 1 in lower-case base 32. */
  readonly canonical: string;
  /**
   * The same text for all spellings of the same content: version 0 equals version 1 with the codec dag-pb, and the base
   * is only a spelling.
   */
  readonly content: string;
  /** The numbers of the codec and the hash function in the multicodec table. */
  readonly codec: number;
  readonly hash: number;
  readonly digest: Uint8Array;
}

/** Enough for a SHA-512 in base 16. A longer text could only serve to slow the parser down. */
const longest = 256;
/** The length of a digest of 20 bytes, the shortest that is unique. */
const shortestGuess = 33;
const leastGuessedDigest = 20;
const printable = /^[^\s\p{Cc}]+$/u;
const versionZero = /^Qm[1-9A-HJ-NP-Za-km-z]{44}$/;

const decoders: ReadonlyMap<string, MultibaseDecoder<string>> = new Map(
  [base2, base8, base10, base16, base32, base36, base58, base64, base256emoji]
    .flatMap((family) => Object.values(family))
    .map((base): [string, MultibaseDecoder<string>] => [base.prefix, base]),
);

/**
 * Reads a CID: version 0, or version 1 in any base of the multibase table.
 *
 * @returns null for anything else; never throws.
 */
export function parseCid(text: string): ParsedCid | null {
  if (text.length > longest || !printable.test(text)) return null;
  try {
    return text.startsWith('Q') ? readVersion0(text) : readVersion1(text);
  } catch {
    return null;
  }
}

/**
 * Reads a CID in a text that may be anything. A number of nine digits is formally a CID (base 10, with the empty
 * digest), so only a long digest counts.
 */
export function guessCid(text: string): ParsedCid | null {
  if (text.length < shortestGuess) return null;
  const parsed = parseCid(text);
  return parsed !== null && parsed.digest.byteLength >= leastGuessedDigest ? parsed : null;
}

/** The same text for all spellings of `text`; null when it is no CID. */
export const contentKeyOf = (text: string): string | null => parseCid(text)?.content ?? null;

function readVersion0(text: string): ParsedCid | null {
  return versionZero.test(text) ? described(CID.parse(text)) : null;
}

function readVersion1(text: string): ParsedCid | null {
  const [first = ''] = text;
  const base = decoders.get(first);
  if (base === undefined) return null;
  const cid = CID.parse(text, base);
  return cid.version === 1 && Number.isSafeInteger(cid.code) ? described(cid) : null;
}

function described(cid: CID): ParsedCid {
  const { version, code, multihash } = cid;
  // Made again from its bytes: the library remembers the spelling that it read.
  const content = CID.createV1(code, multihash).toString();
  return {
    canonical: version === 0 ? cid.toString() : content,
    content,
    codec: code,
    hash: multihash.code,
    digest: multihash.digest,
  };
}
