// What other features use of storage. They import nothing else of it.
export { default as KeptVaults } from './KeptVaults.vue';
