import { z } from 'zod';
import { messageSchema } from './message.ts';
import { callers, type VerbDeclarations } from './verb.ts';

const fact = z.strictObject({ name: z.string().max(80), value: z.string().max(512) });

/** One attempt at the service: never a body, a header, a token, or a query's values. */
export const requestLineSchema = z.strictObject({
  at: z.number(),
  api: z.enum(['infrastructure', 'coordination']),
  method: z.string().max(16),
  /** Path below the API's address, with the names of its query's parameters; parts that hold an id are `…`. */
  path: z.string().max(512),
  status: z.int().nullable(),
  /** Stable failure code when no answer came or it was no success. */
  code: z.string().max(64).nullable(),
  milliseconds: z.number(),
  requestId: z.string().max(256).nullable(),
});
export type RequestLine = z.infer<typeof requestLineSchema>;

export const connectionChangeSchema = z.strictObject({
  at: z.number(),
  api: z.enum(['infrastructure', 'coordination']),
  state: z.enum(['unknown', 'online', 'degraded', 'offline']),
  code: z.string().max(64).nullable(),
});
export type ConnectionChange = z.infer<typeof connectionChangeSchema>;

/** What the page knows of the program that shows it. Texts come from the browser itself. */
export const pageFactsSchema = z.strictObject({
  userAgent: z.string().max(512),
  webgl: z.string().max(256).nullable(),
  language: z.string().max(64),
  pixelRatio: z.number().min(0).max(64),
  size: z.string().max(32),
});
export type PageFacts = z.infer<typeof pageFactsSchema>;

export const diagnosticsReportSchema = z.strictObject({
  madeAt: z.number(),
  /** Facts under the headings of the page: versions, runtime, storage, vault, features. */
  sections: z.array(z.strictObject({ title: z.string().max(80), facts: z.array(fact).max(64) })).max(16),
  /** The latest first. */
  connections: z.array(connectionChangeSchema).max(200),
  requests: z.array(requestLineSchema).max(500),
});
export type DiagnosticsReport = z.infer<typeof diagnosticsReportSchema>;

export const selfTestStepSchema = z.strictObject({
  id: z.string().max(40),
  name: messageSchema,
  outcome: z.enum(['passed', 'failed', 'not-run']),
  /** What was seen, or why it was not run, as a sentence. */
  detail: messageSchema,
  milliseconds: z.number(),
});
export type SelfTestStep = z.infer<typeof selfTestStepSchema>;

/** One file of a bundle, listed before it is saved. */
export const bundleFileSchema = z.strictObject({
  name: z.string().max(120),
  bytes: z.int().min(0),
  holds: z.string().max(256),
});
export type BundleFile = z.infer<typeof bundleFileSchema>;

export const diagnosticsVerbs = {
  readDiagnostics: {
    access: callers.unlocked,
    request: z.strictObject({ page: pageFactsSchema }),
    reply: diagnosticsReportSchema,
  },
  runSelfTest: {
    access: callers.unlocked,
    request: z.strictObject({ page: pageFactsSchema }),
    reply: z.strictObject({ steps: z.array(selfTestStepSchema).max(32) }),
  },
  /** Makes the redacted bundle, to be fetched once as `GET /export/{exportId}`. */
  prepareBundle: {
    access: callers.exportersUnlocked,
    request: z.strictObject({ page: pageFactsSchema }),
    reply: z.strictObject({
      exportId: z.string().regex(/^[0-9a-f]{32}$/),
      fileName: z.string(),
      files: z.array(bundleFileSchema).max(32),
    }),
  },
} as const satisfies VerbDeclarations;
