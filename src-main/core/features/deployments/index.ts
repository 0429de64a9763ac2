// What other features use of deployments. They import nothing else of it.
export { folderOf, notJson, readDeploymentText } from './file.ts';
export { describeIssue, faultMessage } from './issue.ts';
export { findJsonFault } from './jsonText.ts';
export type { AllowedDeployments } from './registry.ts';
export { address, type Deployment } from './schema.ts';
