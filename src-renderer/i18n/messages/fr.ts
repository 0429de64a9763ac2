/** The words in French, by file: those of the page, and the console's sentences (`core`). */
export default import.meta.glob('../../../src-preload/contract/messages/fr/*.json', {
  eager: true,
  import: 'default',
});
