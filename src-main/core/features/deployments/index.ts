// What other features may import of deployments.
export { fileOf, folderOf, notJson, readDeploymentText } from './file.ts';
export { describeIssue, faultMessage } from './issue.ts';
export { findJsonFault } from './jsonText.ts';
export type { AllowedDeployments } from './registry.ts';
export { address, ruledBy, serviceAddress, type Deployment } from './schema.ts';
