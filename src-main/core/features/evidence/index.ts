// What other features may import of evidence.
export { guessCid } from './cid/parse.ts';
export { verdictOf } from './cid/verdict.ts';
export type { OpenedContent } from './content/contents.ts';
