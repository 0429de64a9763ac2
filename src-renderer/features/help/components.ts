// Components that other features show. They import no other component of help.
export { default as DataFreshness } from './DataFreshness.vue';
export { default as StateHelp } from './StateHelp.vue';
