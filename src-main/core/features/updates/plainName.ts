/** Names that Windows reserves for devices, with any ending. */
const devices = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;
const form = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;

/**
 * Whether a text is a plain file name on every system, and never a path: no separator, no drive, no device, no `..`, no
 * hidden file, and no final dot, which Windows removes.
 */
export const isPlainName = (name: string): boolean =>
  form.test(name) && !name.includes('..') && !name.endsWith('.') && !devices.test(name);
