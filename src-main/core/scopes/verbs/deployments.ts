import type { VerbContext, VerbTable } from './table.ts';

type DeploymentVerb =
  | 'chooseDeployment'
  | 'proposeDeployment'
  | 'confirmDeployment'
  | 'dismissDeployment'
  | 'removeDeployment';

/** Choosing, adding and removing deployments. */
export const deploymentVerbs = ({ desk }: VerbContext): Pick<VerbTable, DeploymentVerb> => ({
  chooseDeployment: ({ id }) => desk.choose(id),
  proposeDeployment: ({ text }) => desk.propose(text),
  confirmDeployment: ({ proposalId }) => desk.confirm(proposalId),
  dismissDeployment: ({ proposalId }) => desk.dismiss(proposalId),
  removeDeployment: ({ id }) => desk.remove(id),
});
