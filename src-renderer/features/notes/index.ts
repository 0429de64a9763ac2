// What other features use of notes. They import nothing else of it.
export { default as NoteText } from './NoteText.vue';
export { default as RemoveNoteDialog } from './RemoveNoteDialog.vue';
export { useHandovers } from './handoversStore.ts';
export { useWatch } from './notesStore.ts';
