// What other features use of maps. They import nothing else of it.
export { useMaps } from './mapsStore.ts';
