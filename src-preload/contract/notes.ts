import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { messageSchema } from './message.ts';
import { callers, done, nothing, page, type VerbDeclarations } from './verb.ts';

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
  /** Server time. */
  at: instant,
  /** Server time of the last change; null while it is as it was first written. */
  changedAt: instant.nullable(),
});
export type Note = z.infer<typeof noteSchema>;

export const shiftEntryKinds = [
  'shift-began',
  'alarm-acknowledged',
  'acknowledgement-undone',
  'mission-decided',
  'upload-queued',
  'upload-sent',
  'note-added',
  'note-changed',
  'note-removed',
  'incident-pinned',
  'incident-unpinned',
  'exported',
  'handed-over',
  'taken-over',
] as const;

/**
 * One line of the shift log. `subject` is a file's name, a mission's id, the words of a note or of who acknowledged an
 * alarm, or who handed over.
 */
export const shiftEntrySchema = z.strictObject({
  at: instant,
  username: z.string(),
  kind: z.enum(shiftEntryKinds),
  subject: z.string().max(4_096).nullable(),
  /** What the alarm said that the line is about. */
  alarm: messageSchema.nullable(),
  incidentId: incidentId.nullable(),
  /**
   * How it came out, where it can come out in different ways. Of a mission: decision and outcome, as
   * `approve-done` or `reject-unknown`. Of an upload: what its CID says. Of an export: its format.
   */
  outcome: z.string().max(64).nullable(),
});
export type ShiftEntry = z.infer<typeof shiftEntrySchema>;

export const mostPins = 500;
export const mostNotes = 10_000;

/** The log of a shift, which restarts do not end: only the next shift does. */
export const shiftSchema = z.strictObject({
  startedAt: instant,
  /** Lines of the log that are there. */
  entries: z.int().min(0),
  /** The oldest lines, of which only this count is left: 10,000 are kept. */
  folded: z.int().min(0),
  /** When it was handed over last; what comes after that belongs to the next shift. */
  handedOverAt: instant.nullable(),
});

/** Watching and handing over; the texts themselves are read page by page. */
export const watchSchema = z.strictObject({
  /** Goes up with every change, so that what was read can be read again. */
  revision: z.int().min(0),
  /** The ids of pinned incidents, in the order of pinning. */
  pins: z.array(incidentId).max(mostPins),
  /** The ids of incidents with notes. */
  noted: z.array(incidentId).max(mostNotes),
  notes: z.int().min(0),
  shift: shiftSchema.nullable(),
  /** Notes, pins and lines of the log that are on this computer and cannot be read. */
  damaged: z.int().min(0),
  /** Why the file that held notes, pins and log before was put aside; null when it was not. */
  lost: z.enum(['missing', 'unreadable']).nullable(),
  /** Why nothing, or not everything, can be kept on this computer. */
  problem: failureSchema.nullable(),
});
export type Watch = z.infer<typeof watchSchema>;

export const noteVerbs = {
  pinIncident: {
    access: callers.handsOn,
    request: z.strictObject({ incidentId: noteSchema.shape.incidentId, pinned: z.boolean() }),
    reply: done,
  },
  addNote: {
    access: callers.handsOn,
    request: z.strictObject({ incidentId: noteSchema.shape.incidentId, text: noteTextSchema }),
    reply: noteSchema,
  },
  changeNote: {
    access: callers.handsOn,
    request: z.strictObject({ id: noteIdSchema, text: noteTextSchema }),
    reply: noteSchema,
  },
  removeNote: { access: callers.handsOn, request: z.strictObject({ id: noteIdSchema }), reply: done },
  /** Notes, the latest first; of one incident, or all for null; with `text` in them, whatever its case. */
  readNotes: {
    access: callers.operators,
    request: z.strictObject({
      incidentId: noteSchema.shape.incidentId.nullable(),
      text: z.string().max(256).default(''),
      ...page,
    }),
    reply: z.strictObject({ total: z.int(), notes: z.array(noteSchema) }),
  },
  /** Ends the present shift's log, if there is one, and begins another. */
  beginShift: { access: callers.handsOn, request: nothing, reply: done },
  /** The log of the present shift, the latest first. */
  readShift: {
    access: callers.operators,
    request: z.strictObject(page),
    reply: z.strictObject({ total: z.int(), entries: z.array(shiftEntrySchema) }),
  },
} as const satisfies VerbDeclarations;
