import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { kioskModeSchema } from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { address, describeIssue, faultMessage } from '../deployments/index.ts';
import { readVerifier } from './verifier.ts';

/** Stands for the embedded training deployment in a policy's list of deployments. */
export const trainingWord = 'training';

const yesOrNo = z.boolean(faultMessage('file.trueOrFalse')).optional();

const count = (least: number, most: number, of: 'minutes' | 'seconds') => {
  const fault = faultMessage(`file.${of}`, { least: String(least), most: String(most) });
  return z.int(fault).min(least, fault).max(most, fault);
};

const verifier = z.string().transform((line, context) => {
  const read = readVerifier(line);
  if (read !== null) return read;
  const fault = faultMessage('file.codeLine');
  context.addIssue({ code: 'custom', message: fault });
  return z.NEVER;
});

/** An absolute path, or the word for training. */
const deployment = z
  .string()
  .min(1, faultMessage('file.notEmpty'))
  .max(4096, faultMessage('file.mostCharacters', { most: 4096 }))
  .refine(
    (entry) => entry === trainingWord || (isAbsolute(entry) && !entry.includes('\0')),
    faultMessage('file.listed'),
  );

/**
 * A policy file, version 1. Strict: otherwise a misspelt key would be a rule without effect, which no one notices. Only
 * the version is required.
 */
const policyFileSchema = z.strictObject({
  version: z.literal(1, faultMessage('file.one')),
  kiosk: z
    .strictObject({
      mode: z.enum(kioskModeSchema.options, faultMessage('file.kioskMode')).optional(),
      /** The verifier of the code that ends a kiosk (verifier.ts). */
      leave: verifier.optional(),
      idleLockMinutes: count(1, 1440, 'minutes').nullable().optional(),
      hidePointerSeconds: count(1, 3600, 'seconds').nullable().optional(),
      rotateSeconds: count(1, 3600, 'seconds').optional(),
      drop: yesOrNo,
    })
    .optional(),
  exports: yesOrNo,
  evidencePreview: yesOrNo,
  saveData: yesOrNo,
  systemAuthorities: yesOrNo,
  updates: z.strictObject({ allowed: yesOrNo, server: address('updates').optional() }).optional(),
  deployments: z
    .array(deployment)
    .min(1, faultMessage('file.oneEntry'))
    .max(64, faultMessage('file.mostEntries', { most: 64 }))
    .optional(),
  logLevel: z.enum(['debug', 'info', 'warn', 'error'], faultMessage('file.logLevel')).optional(),
  passwordOnly: yesOrNo,
});

export type PolicyFile = z.output<typeof policyFileSchema>;

/** Reads a parsed policy file, or says what is wrong: the bad key, and never a value. */
export function readPolicyFile(
  value: unknown,
): { readonly file: PolicyFile } | { readonly file: null; readonly reason: Message } {
  const reading = policyFileSchema.safeParse(value, { reportInput: false });
  if (reading.success) return { file: reading.data };
  const [issue] = reading.error.issues;
  return {
    file: null,
    reason: issue ? describeIssue(issue, 'file.notOfPolicy') : message('file.noShape'),
  };
}
