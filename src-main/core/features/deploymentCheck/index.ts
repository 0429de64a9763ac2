export { checkDeployment } from './deploymentCheck.ts';
export type { DeploymentCheckReport } from './report.ts';
