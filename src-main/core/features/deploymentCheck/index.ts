export { checkDeployment, type DeploymentCheckReport } from './deploymentCheck.ts';
export { deploymentCheckAtStart, DeploymentChecks } from './deploymentChecks.ts';
