export { createIncidentMap } from './create.ts';
export type { MapGlyphs, MapTheme } from './theme.ts';
export type { IncidentMap, IncidentMapOptions, MapState } from './types.ts';
