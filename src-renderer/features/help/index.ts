// What other features use of help. They import nothing else of it.
export { default as StateHelp } from './StateHelp.vue';
export type { StateWord } from './glossary.ts';
