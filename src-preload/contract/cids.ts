import { z } from 'zod';

/**
 * How bytes are cut and linked before they are named: chunk size, leaf form and CID version. The
 * three that importers use by default.
 */
export const cidProfileSchema = z.enum(['v1-raw-256k', 'v0-256k', 'v1-raw-1m']);
export type CidProfile = z.infer<typeof cidProfileSchema>;

/**
 * `match`: one of the profiles gives this CID. `differs`: the CID is a plain SHA-256 of bytes, and of
 * other bytes. `not-verifiable`: another way of importing may have given it, which says nothing.
 */
export const cidVerdictSchema = z.enum(['match', 'differs', 'not-verifiable']);
export type CidVerdict = z.infer<typeof cidVerdictSchema>;
