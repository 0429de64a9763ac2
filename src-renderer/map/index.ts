export { createIncidentMap } from './create.ts';
export type { IncidentMap, MapState } from './types.ts';
