import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { kioskModeSchema } from '../../../src-preload/contract/index.ts';
import { describeIssue } from '../deployment/issue.ts';
import { address } from '../deployment/schema.ts';
import { readVerifier } from './verifier.ts';

/** In a policy's list of deployments it stands for the embedded one. */
export const trainingWord = 'training';

const yesOrNo = z.boolean('must be true or false').optional();

const count = (least: number, most: number, of: string) => {
  const message = `must be a whole number of ${of} between ${String(least)} and ${String(most)}`;
  return z.int(message).min(least, message).max(most, message);
};

const verifier = z.string().transform((line, context) => {
  const read = readVerifier(line);
  if (read !== null) return read;
  const message = 'must be a line that build/kiosk-code.mjs has printed';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** A file outside of anybody's working folder, or the word for training. */
const deployment = z
  .string()
  .min(1, 'must not be empty')
  .max(4096, 'must have at most 4,096 characters')
  .refine(
    (entry) => entry === trainingWord || (isAbsolute(entry) && !entry.includes('\0')),
    `must be the absolute path of a deployment file, or "${trainingWord}"`,
  );

/**
 * A policy file, version 1. Strict: a misspelt key would otherwise be a rule that nobody notices to be
 * without effect. Everything but the version may be left out.
 */
const policyFileSchema = z.strictObject({
  version: z.literal(1, 'must be 1'),
  kiosk: z
    .strictObject({
      mode: z.enum(kioskModeSchema.options, 'must be "off", "operator" or "wallboard"').optional(),
      /** Who may end a kiosk (verifier.ts). */
      leave: verifier.optional(),
      idleLockMinutes: count(1, 1440, 'minutes').nullable().optional(),
      hidePointerSeconds: count(1, 3600, 'seconds').nullable().optional(),
      rotateSeconds: count(1, 3600, 'seconds').optional(),
      drop: yesOrNo,
    })
    .optional(),
  exports: yesOrNo,
  updates: z.strictObject({ allowed: yesOrNo, server: address('updates').optional() }).optional(),
  deployments: z
    .array(deployment)
    .min(1, 'must name at least one')
    .max(64, 'must have at most 64 entries')
    .optional(),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error'], 'must be "debug", "info", "warn" or "error"')
    .optional(),
  passwordOnly: yesOrNo,
});

export type PolicyFile = z.output<typeof policyFileSchema>;

const unknownKey = 'this key is not part of a policy, so it would be without effect';

/** Reads a parsed policy file, or says what is wrong: beginning with the bad key, never with a value. */
export function readPolicyFile(
  value: unknown,
): { readonly file: PolicyFile } | { readonly file: null; readonly reason: string } {
  const reading = policyFileSchema.safeParse(value, { reportInput: false });
  if (reading.success) return { file: reading.data };
  const [issue] = reading.error.issues;
  return {
    file: null,
    reason: issue ? describeIssue(issue, unknownKey) : 'the file: has no known shape.',
  };
}
