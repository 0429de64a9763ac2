// What other features use of alarms. They import nothing else of it.
export { muteWords } from './alarmText.ts';
export { useAlarms, type AlarmIncidents } from './alarmsStore.ts';
export { useSiren } from './sirenStore.ts';
