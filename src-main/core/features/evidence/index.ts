// What other features use of evidence. They import nothing else of it.
export { guessCid } from './cid/parse.ts';
export { verdictOf } from './cid/verdict.ts';
export { shownFields } from './evidenceItem.ts';
export type { OpenedContent } from './content/contents.ts';
