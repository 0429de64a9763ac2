import type { CidProfile, CidVerdict } from '../../../../../src-preload/contract/index.ts';
import type { SpooledFacts } from '../../../vault/records.ts';
import { contentKeyOf, parseCid, type ParsedCid } from './parse.ts';

/** Numbers of the multicodec table. */
const rawCodec = 0x55;
const sha256Code = 0x12;
const sha256Length = 32;

export interface ClaimedFacts extends SpooledFacts {
  /** The CID as it was given. */
  readonly claimed: string;
}

/**
 * Compares bytes with a CID that is given for them.
 *
 * `match`: an import profile gives this CID, or it is the plain SHA-256 of the bytes (without a profile, for a file
 * larger than a chunk). `differs`: it is a plain SHA-256 (codec raw) of other bytes. Anything else is `not-verifiable`:
 * the root of a graph depends on how the importer cut and linked the file, so another CID proves nothing about the
 * bytes.
 */
export function verdictOf(facts: ClaimedFacts): {
  readonly verdict: CidVerdict;
  readonly profile: CidProfile | null;
} {
  const claimed = parseCid(facts.claimed);
  if (claimed === null) return { verdict: 'not-verifiable', profile: null };
  const same = facts.computed.find(({ cid }) => contentKeyOf(cid) === claimed.content);
  if (same) return { verdict: 'match', profile: same.profile };
  if (!namesBytes(claimed)) return { verdict: 'not-verifiable', profile: null };
  const matches = Buffer.from(claimed.digest).toString('hex') === facts.sha256.toLowerCase();
  return { verdict: matches ? 'match' : 'differs', profile: null };
}

const namesBytes = ({ codec, hash, digest }: ParsedCid): boolean =>
  codec === rawCodec && hash === sha256Code && digest.byteLength === sha256Length;
