// What other features use of map. They import nothing else of it.
export { useMapTools } from './mapToolsStore.ts';
export { useWalk } from './walkStore.ts';
