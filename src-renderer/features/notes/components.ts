// Components that other features show. They import no other component of notes.
export { default as NoteText } from './NoteText.vue';
export { default as RemoveNoteDialog } from './RemoveNoteDialog.vue';
