// What other features use of notes. They import nothing else of it.
export { useHandovers } from './handoversStore.ts';
export { useNotes } from './notesStore.ts';
