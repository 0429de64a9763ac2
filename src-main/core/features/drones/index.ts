// What other features may import of drones.
export { Drones, dronesAtStart } from './drones.ts';
export type { DroneSilence } from './silence.ts';
export { readPosition, type PositionRule } from './positionReader.ts';
