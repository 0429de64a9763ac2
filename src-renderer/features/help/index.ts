// What other features use of help. They import nothing else of it.
export type { StateWord } from './glossary.ts';
