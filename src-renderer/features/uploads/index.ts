// What other features use of uploads. They import nothing else of it.
export { percentOf } from './uploadText.ts';
export { useOutbox } from './uploadsStore.ts';
