import { pageFailure } from '../../base/failure.ts';

/** Largest deployment file that the page reads, in bytes; the verb's own limit is in characters. */
export const largestDeploymentFile = 65_536;

export const tooLarge = pageFailure(
  'deployment-invalid',
  'failures.deploymentTooLarge',
  'failures.deploymentTooLargeRemedy',
);

export const unreadable = pageFailure(
  'deployment-unreadable',
  'failures.deploymentUnreadable',
  'failures.deploymentUnreadableRemedy',
);
