export { createIncidentMap } from './create.ts';
export type { IncidentMap } from './incidentMap.ts';
export type { IncidentMapOptions, MapState, MapWords } from './types.ts';
