import { z } from 'zod';
import { stateSchema } from './state.ts';

/**
 * What the console sends to one subscriber.
 *
 * `base` is the revision the delta starts from, null for a snapshot. A mirror whose epoch or
 * revision differs from `epoch`/`base` drops what came and asks to resync. `slices` holds each
 * changed slice whole; `incidents` an incident frame (columns.ts) or null when no row changed.
 */
export const pushSchema = z.strictObject({
  epoch: z.string(),
  revision: z.int(),
  base: z.int().nullable(),
  slices: stateSchema.partial(),
  incidents: z.instanceof(Uint8Array).nullable(),
});
export type Push = z.infer<typeof pushSchema>;

/** What a subscriber answers: it has applied a revision, or it lost the thread. */
export const linkMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('acknowledge'), epoch: z.string().max(64), revision: z.int() }),
  z.strictObject({ kind: z.literal('resync') }),
]);
export type LinkMessage = z.infer<typeof linkMessageSchema>;
