/** Of the tables, of the files' format, and of what is sealed in them; another one is not opened. */
export const sealVersion = 1;

/** What a seal is bound to, so that what it covers opens nowhere but where it was put. */
export const boundTo = (
  kind: 'row' | 'head' | 'anchor' | 'sidecar' | 'file',
  ...place: readonly string[]
): Uint8Array => Buffer.from(JSON.stringify([`field-console actions ${kind}`, sealVersion, ...place]));
