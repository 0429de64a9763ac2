import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';

/** Takes a picture of the map as it is shown; null while there is none. */
export type PictureTaker = () => Promise<Blob | null>;

/** A picture of the map, for what goes to paper. */
export const useMapPicture = defineStore('mapPicture', () => {
  const taker = shallowRef<PictureTaker | null>(null);
  return {
    isDrawn: computed(() => taker.value !== null),
    /** An opaque PNG; null while no map is drawn. */
    take: (): Promise<Blob | null> => taker.value?.().catch(() => null) ?? Promise.resolve(null),
    /** The map says how a picture of it is taken; null when it goes. */
    offer: (next: PictureTaker | null) => {
      taker.value = next;
    },
  };
});
