export { createIncidentMap } from './create.ts';
export type { IncidentMap, IncidentMapOptions, MapState, MapWords } from './types.ts';
