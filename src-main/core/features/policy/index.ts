// What other features may import of the policy.
export type { Policy } from './policy.ts';
