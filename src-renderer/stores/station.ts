import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** Where the station stands, and how far everything is from it. */
export const useStation = defineStore('station', () => {
  /** Metres from the station for every row of the table, Infinity without a location; null without a station. */
  const distances = shallowRef<Float64Array | null>(null);
  return { distances };
});
