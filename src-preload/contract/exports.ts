import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { callers, done, type VerbDeclarations } from './verb.ts';

export const exportFormats = ['geojson', 'csv', 'kml', 'gpx', 'html', 'pdf'] as const;
export const exportFormatSchema = z.enum(exportFormats);
export type ExportFormat = (typeof exportFormats)[number];

/** An address under `/spool/`. */
export const exportJobIdSchema = z.string().regex(/^[0-9a-f]{16}$/);

export type PaperFormat = Extract<ExportFormat, 'html' | 'pdf'>;
/** Whether a format is for people, which the page itself makes, and sends as a document instead of keys. */
export const isPaperFormat = (format: ExportFormat): format is PaperFormat =>
  format === 'html' || format === 'pdf';
/** What is exported: incidents in any format, or the report of a handover, which the page makes, as a PDF. */
export const exportSubjects = ['incidents', 'handover'] as const;
export type ExportSubject = (typeof exportSubjects)[number];
/** So many incidents are listed on paper at most. */
export const mostListedRows = 2_000;

/**
 * One export. `rows`: it waits for the keys of its incidents, or for the document. `asking`: the system's dialog asks where to.
 * `ready`: it waits to be fetched as `GET /export/{exportId}`, in the browser host, whose own dialog asks.
 */
export const exportJobSchema = z.strictObject({
  id: exportJobIdSchema,
  subject: z.enum(exportSubjects),
  format: exportFormatSchema,
  fileName: z.string().max(255),
  state: z.enum(['rows', 'asking', 'ready', 'writing', 'done', 'cancelled', 'failed']),
  incidents: z.int().min(0),
  /** Incidents written so far. */
  written: z.int().min(0),
  /** Of the incidents: those that the format has no place for, as GPX for one without a location. */
  leftOut: z.int().min(0),
  /** Incidents that the console no longer knew when their turn came. */
  gone: z.int().min(0),
  bytes: z.int().min(0),
  exportId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
  failure: failureSchema.nullable(),
});
export type ExportJob = z.infer<typeof exportJobSchema>;

export const exportsSchema = z.strictObject({
  /** The latest first. */
  jobs: z.array(exportJobSchema).max(16),
});
export type Exports = z.infer<typeof exportsSchema>;

export const exportVerbs = {
  /**
   * Announces an export of so many incidents. Their keys follow as `PUT /spool/{jobId}`, little-endian
   * unsigned 32-bit numbers in the order of the list; for `html` and `pdf` a document follows there instead, one
   * HTML file. Nothing follows for `pdf` in the browser host, whose browser prints it. `filters` says in the
   * operator's words what was filtered. A handover is written as `pdf` only.
   */
  beginExport: {
    access: callers.exporters,
    request: z
      .strictObject({
        subject: z.enum(exportSubjects),
        format: exportFormatSchema,
        incidents: z.int().min(0).max(10_000_000),
        filters: z.string().max(2_000),
        /** For `csv`: whether the file begins with the mark by which spreadsheets know UTF-8. */
        byteOrderMark: z.boolean(),
      })
      .refine(({ subject, format }) => subject === 'incidents' || format === 'pdf'),
    reply: z.strictObject({ jobId: exportJobIdSchema }),
  },
  cancelExport: {
    access: callers.operators,
    request: z.strictObject({ jobId: exportJobIdSchema }),
    reply: done,
  },
  /** Takes an export that has ended off the list. */
  dismissExport: {
    access: callers.operators,
    request: z.strictObject({ jobId: exportJobIdSchema }),
    reply: done,
  },
} as const satisfies VerbDeclarations;
