import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { CoordinateFormat, LengthUnits, Position } from '../../../src-preload/contract/index.ts';
import { formatPosition } from '../coordinates/index.ts';
import { areaText, lengthText } from '../units.ts';
import { useMirror } from './mirror.ts';

/** Places, lengths and areas in the format and the units that are chosen once for the whole console. */
export const useCoordinates = defineStore('coordinates', () => {
  const mirror = useMirror();
  const format = computed<CoordinateFormat>(() => mirror.preferences?.coordinates ?? 'dd');
  const units = computed<LengthUnits>(() => mirror.preferences?.units ?? 'metric');
  return {
    format,
    units,
    /** Beside decimal degrees, which paper always has. */
    onPaper: computed(() => (format.value === 'dd' ? 'mgrs' : format.value)),
    /** To about a metre. */
    full: (position: Position): string => formatPosition(position, format.value),
    /** To about 100 metres, for a row of a list. */
    brief: (latitude: number, longitude: number): string =>
      formatPosition({ latitude, longitude }, format.value, 'short'),
    length: (metres: number): string => lengthText(metres, units.value),
    area: (squareMetres: number): string => areaText(squareMetres, units.value),
  };
});
