// What other features may import of deployments.
export { fileOf, folderOf, notJson, readDeploymentText } from './file.ts';
export { describeIssue, faultMessage } from './issue.ts';
export { findJsonFault } from './jsonText.ts';
export { DeploymentRegistry, type AllowedDeployments, type NamedDeployment } from './registry.ts';
export { address, deploymentFileSchema, ruledBy, serviceAddress, type Deployment } from './schema.ts';
