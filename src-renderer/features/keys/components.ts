// Components that other features show. They import no other component of keys.
export { default as KeyList } from './KeyList.vue';
export { default as SingleKeysSwitch } from './SingleKeysSwitch.vue';
