// What other features use of deployments. They import nothing else of it.
export { default as DeploymentChooser } from './DeploymentChooser.vue';
