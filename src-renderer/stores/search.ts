import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** What the search box finds among the rows of the table. */
export const useSearch = defineStore('search', () => {
  /** A byte per row, 1 for those found; null while nothing is searched for. */
  const found = shallowRef<Uint8Array | null>(null);
  return { found };
});
