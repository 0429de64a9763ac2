// What other features use of exports. They import nothing else of it.
export type { Download, Downloads } from './downloads.ts';
