// Components that other features show. They import no other component of storage.
export { default as KeptVaults } from './KeptVaults.vue';
