// What other features use of the policy. They import nothing else of it.
export type { Policy } from './policy.ts';
