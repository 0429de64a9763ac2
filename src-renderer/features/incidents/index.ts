// What other features use of incidents. They import nothing else of it.
export { changeWord } from './changeText.ts';
export { useChanges } from './changesStore.ts';
export { useCriticalPlaces } from './criticalPlaces.ts';
export { useGroups } from './groupsStore.ts';
export { namedIncident } from './namedIncident.ts';
export { useMarked } from './markedStore.ts';
export { useNearby } from './nearbyStore.ts';
export { useRows } from './rowsStore.ts';
export { completenessClause } from './sync.ts';
