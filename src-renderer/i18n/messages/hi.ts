/** The words in Hindi, by file: those of the page, and the console's sentences (`core`). */
export default import.meta.glob('../../../src-preload/contract/messages/hi/*.json', {
  eager: true,
  import: 'default',
});
