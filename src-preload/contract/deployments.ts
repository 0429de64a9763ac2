import { z } from 'zod';
import { callers, done, type VerbDeclarations } from './verb.ts';

export const deploymentSummarySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  infrastructureHost: z.string(),
  coordinationHost: z.string(),
  source: z.enum(['training', 'policy', 'command-line', 'environment', 'added']),
});
export type DeploymentSummary = z.infer<typeof deploymentSummarySchema>;

/** A deployment file added by hand, waiting for the operator's answer. */
export const deploymentProposalSchema = z.strictObject({
  proposalId: z.string(),
  summary: deploymentSummarySchema,
  infrastructureUrl: z.string(),
  coordinationUrl: z.string(),
  replacesSameOrigin: z.boolean(),
});
export type DeploymentProposal = z.infer<typeof deploymentProposalSchema>;

export const deploymentsSchema = z.strictObject({
  known: z.array(deploymentSummarySchema),
  chosen: z.string().nullable(),
  proposal: deploymentProposalSchema.nullable(),
});

export const deploymentVerbs = {
  chooseDeployment: {
    access: callers.unlocked,
    request: z.strictObject({ id: z.string().min(1).max(64) }),
    reply: done,
  },
  /** `text` is the deployment file's own text: configuration, checked by schema, never stored unread. */
  proposeDeployment: {
    access: callers.handsOnUnlocked,
    request: z.strictObject({ text: z.string().max(65_536) }),
    reply: deploymentProposalSchema,
  },
  confirmDeployment: {
    access: callers.handsOnUnlocked,
    request: z.strictObject({ proposalId: z.string().max(64) }),
    reply: done,
  },
  dismissDeployment: {
    access: callers.unlocked,
    request: z.strictObject({ proposalId: z.string().max(64) }),
    reply: done,
  },
  removeDeployment: {
    access: callers.handsOnUnlocked,
    request: z.strictObject({ id: z.string().min(1).max(64) }),
    reply: done,
  },
} as const satisfies VerbDeclarations;
