import type { Plugin } from 'vite';

/**
 * Puts the names of the verbs, as literals, in place of their declarations. For the preload: one named function per
 * verb is all that it makes of them, and with their schemas its one file would hold all of zod.
 */
export const verbNamesOnly = (): Plugin => ({
  name: 'field-console:verb-names',
  async load(id) {
    if (!id.endsWith('/src-preload/contract/verbs.ts')) return null;
    const { verbNames } = await import('../src-preload/contract/verbs.ts');
    return `export const verbNames = ${JSON.stringify(verbNames)};`;
  },
});
