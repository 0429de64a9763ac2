// What other features may import of exports.
export type { Download, Downloads } from './downloads.ts';
