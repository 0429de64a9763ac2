/** The words in simplified Chinese, by file: those of the page, and the console's sentences (`core`). */
export default import.meta.glob('../../../src-preload/contract/messages/zh-Hans/*.json', {
  eager: true,
  import: 'default',
});
