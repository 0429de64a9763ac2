// What other features use of missions. They import nothing else of it.
export { missionTitle, undecided } from './missionText.ts';
export { useMissions } from './missionsStore.ts';
