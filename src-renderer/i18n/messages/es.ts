/** The words in Spanish, by file: those of the page, and the console's sentences (`core`). */
export default import.meta.glob('../../../src-preload/contract/messages/es/*.json', {
  eager: true,
  import: 'default',
});
