/**
 * What the browser host's Node is started with, as it cannot be set once Node runs: each half of the space for
 * new objects takes at most 16 MB. On a machine with much memory Node lets it take 64 MB.
 */
export const consoleNodeOptions = ['--max-semi-space-size=16'];
