// What other features use of evidence. They import nothing else of it.
export { useEvidence } from './evidenceStore.ts';
export { useContents } from './contentsStore.ts';
export { fieldText } from './evidenceText.ts';
