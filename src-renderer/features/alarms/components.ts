// Components that other features show. They import no other component of alarms.
export { default as LockAlarms } from './LockAlarms.vue';
