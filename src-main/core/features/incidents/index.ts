// What other features use of incidents. They import nothing else of it.
export { comparedTo, levelOf, reaches, rose, worstOf } from './severityOrder.ts';
export { isFirstReadingDone } from './sync/syncState.ts';
export { probeUnit } from './sync/unitProbe.ts';
