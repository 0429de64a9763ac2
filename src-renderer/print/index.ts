// What goes to paper. Features load it when something does: no start of the page needs it.
export { paperDocument } from './document.ts';
export { dataAddress } from './fonts.ts';
export { handoverPaper } from './handoverPaper.ts';
export { printPaper } from './printing.ts';
export { sheetPaper } from './sheetPaper.ts';
