/** The words in Arabic, with the six plural forms, by file: those of the page, and the console's sentences (`core`). */
export default import.meta.glob('../../../src-preload/contract/messages/ar/*.json', {
  eager: true,
  import: 'default',
});
