// Components that other features show. They import no other component of deployments.
export { default as DeploymentChooser } from './DeploymentChooser.vue';
