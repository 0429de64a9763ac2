import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { messageSchema } from './message.ts';
import { languages } from './preferences.ts';
import { callers, done, fetched, type VerbDeclarations } from './verb.ts';

const instant = z.number();

export const longestSummary = 4_000;
/** Of the name, or the names, of who takes over. */
export const longestSuccessor = 200;
export const mostOpenActions = 50;

export const handoverIdSchema = z.string().regex(/^[0-9a-f]{32}$/);

/**
 * What is left to do at a handover, in the order of listing. `decision`: one that was sent and whose outcome is
 * unknown. `alarm`: one that was not acknowledged. `mission`: one that was not decided on. `upload`: a file that was
 * not sent. `incident`: a pinned one.
 */
export const openActionKinds = ['decision', 'alarm', 'mission', 'upload', 'incident'] as const;
export type OpenActionKind = (typeof openActionKinds)[number];

export const openActionSchema = z.strictObject({
  kind: z.enum(openActionKinds),
  /** A mission's id, an alarm's sentence, a file's name, or an incident's type; empty where that is not known. */
  text: messageSchema,
  /** Of an incident, or of what an alarm is about. */
  severity: z.string().max(257).nullable(),
  incidentId: z.string().max(1_024).nullable(),
});
export type OpenAction = z.infer<typeof openActionSchema>;

/** What one operator hands over to the next one on this console. Times are server time, Unix milliseconds. */
export const handoverSchema = z.strictObject({
  id: handoverIdSchema,
  /** The user name of who handed over. */
  from: z.string().max(1_024),
  at: instant,
  summary: z.string().max(longestSummary),
  /** Who takes over, as it was typed; empty where nothing was. */
  successor: z.string().max(longestSuccessor),
  /** How many there were of each kind. */
  counts: z.record(z.enum(openActionKinds), z.int().min(0)),
  /** At most 50 of them. */
  actions: z.array(openActionSchema).max(mostOpenActions),
  takenOver: z.strictObject({ by: z.string().max(1_024), at: instant }).nullable(),
});
export type Handover = z.infer<typeof handoverSchema>;

export const handoversSchema = z.strictObject({
  /** The latest handover by another operator that waits for someone to take over, one not seen yet before the others. */
  pending: handoverSchema.nullable(),
  /** Whether this operator has not closed `pending` yet. */
  unseen: z.boolean(),
  /** A handover by this operator that was taken over, until the operator has read it: `givenAt` says which. */
  taken: z.strictObject({ id: handoverIdSchema, givenAt: instant, by: z.string(), at: instant }).nullable(),
  /** Why handovers cannot be read or stored on this computer. */
  problem: failureSchema.nullable(),
});
export type HandoversState = z.infer<typeof handoversSchema>;

export const handoverVerbs = {
  /**
   * Hands the present shift over: stores what the next operator on this console sees at sign-in, prepares what
   * the report says, to be fetched once as `GET /export/{exportId}`, and ends the shift. Its log stays to be read, and
   * handed over again in place of the first time, until the next one begins. What is fetched is JSON of the
   * `handoverReportSchema`, with names of towns in `language`; `fileName` is that of the page's file. `report` is null
   * where the policy allows no exports. `notStored` says why the next operator does not see it; where there is no
   * report either, that is the failure.
   */
  handOver: {
    access: callers.handsOn,
    request: z.strictObject({
      summary: z.string().max(longestSummary),
      successor: z.string().max(longestSuccessor),
      language: z.enum(languages),
    }),
    reply: z.strictObject({ report: fetched.nullable(), notStored: failureSchema.nullable() }),
  },
  /** The operator has read a handover, or that one was taken over: it is not shown unasked again. */
  seeHandover: { access: callers.handsOn, request: z.strictObject({ id: handoverIdSchema }), reply: done },
  /** Notes in the handover and in the log of the shift who took over, and when. Each is taken over once. */
  takeOver: { access: callers.handsOn, request: z.strictObject({ id: handoverIdSchema }), reply: done },
} as const satisfies VerbDeclarations;
