/** Names that Windows gives to devices, whatever ending follows. */
const devices = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;
const form = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;

/**
 * Whether a file's name is one, and never a path, on every system: no separator, no drive, no device,
 * no `..`, nothing hidden, and no dot at the end, which Windows takes away.
 */
export const isPlainName = (name: string): boolean =>
  form.test(name) && !name.includes('..') && !name.endsWith('.') && !devices.test(name);
