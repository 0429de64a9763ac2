// What other features may import of incidents.
export { comparedTo, levelOf, reaches, rose, worstOf } from './severityOrder.ts';
export { isFirstReadingDone } from './sync/syncState.ts';
export { isRefusal } from './sync/listReader.ts';
export { probeUnit } from './sync/unitProbe.ts';
