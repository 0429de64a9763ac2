// What other features use of keys. They import nothing else of it.
export { default as KeyList } from './KeyList.vue';
export { default as SingleKeysSwitch } from './SingleKeysSwitch.vue';
