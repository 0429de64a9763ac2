// What other features use of notes. They import nothing else of it.
export { useHandovers } from './handoversStore.ts';
export { useWatch } from './notesStore.ts';
