import { z } from 'zod';
import { callers, done, type VerbDeclarations } from './verb.ts';

/** What only a desktop application has; null in the browser host. */
export const desktopSchema = z
  .strictObject({
    /** Null where this system cannot be told to start it. */
    startsAtLogin: z.boolean().nullable(),
    /** Whether this system shows a tray. */
    tray: z.boolean(),
  })
  .nullable();
export type DesktopState = z.infer<typeof desktopSchema>;

/** The sizes that the desktop application's keys and settings step through; 1 is the page's own size. */
export const zoomSteps = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

export const desktopVerbs = {
  /** A setting that the desktop application has the system keep. */
  setStartAtLogin: { access: callers.unlocked, request: z.strictObject({ on: z.boolean() }), reply: done },
} as const satisfies VerbDeclarations;
