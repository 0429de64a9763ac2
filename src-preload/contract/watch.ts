import { z } from 'zod';

const instant = z.number();
const incidentId = z.string().min(1).max(1024);

export const noteIdSchema = z.string().regex(/^[0-9a-f]{32}$/);
export const noteTextSchema = z.string().min(1).max(4_000);

/** What an operator wrote about an incident. It stays on this computer: the service never gets it. */
export const noteSchema = z.strictObject({
  id: noteIdSchema,
  incidentId,
  text: noteTextSchema,
  username: z.string(),
  /** Station time. */
  at: instant,
  /** Station time of the last change; null while it is as it was first written. */
  changedAt: instant.nullable(),
});
export type Note = z.infer<typeof noteSchema>;

export const shiftEntryKinds = [
  'shift-began',
  'alarm-acknowledged',
  'mission-decided',
  'upload-queued',
  'upload-sent',
  'note-added',
  'note-changed',
  'note-removed',
  'incident-pinned',
  'incident-unpinned',
  'exported',
] as const;

/** One line of the shift log. `subject` is a file's name, a mission's id, an alarm's or a note's words. */
export const shiftEntrySchema = z.strictObject({
  at: instant,
  username: z.string(),
  kind: z.enum(shiftEntryKinds),
  subject: z.string().max(4_096).nullable(),
  incidentId: incidentId.nullable(),
  /** How it came out, where it can come out in different ways: `approve`, `reject`, `unknown`, ... */
  outcome: z.string().max(64).nullable(),
});
export type ShiftEntry = z.infer<typeof shiftEntrySchema>;

export const mostPins = 500;

/** Watching and handing over; the texts themselves are read page by page. */
export const watchSchema = z.strictObject({
  /** Goes up with every change, so that what was read can be read again. */
  revision: z.int().min(0),
  /** The ids of pinned incidents, in the order of pinning. */
  pins: z.array(incidentId).max(mostPins),
  /** The ids of incidents with notes. */
  noted: z.array(incidentId).max(10_000),
  shift: z.strictObject({ startedAt: instant, entries: z.int().min(0) }).nullable(),
});
export type Watch = z.infer<typeof watchSchema>;
