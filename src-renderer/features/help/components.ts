// Components that other features show. They import no other component of help.
export { default as StateHelp } from './StateHelp.vue';
