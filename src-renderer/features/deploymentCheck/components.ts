// Components that other features show. They import no other component of deploymentCheck.
export { default as CheckButton } from './CheckButton.vue';
