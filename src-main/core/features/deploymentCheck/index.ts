export { checkDeployment } from './deploymentCheck.ts';
