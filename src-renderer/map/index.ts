export { createIncidentMap } from './create.ts';
export type { IncidentMap, MapState, MapWords } from './types.ts';
