import type { VerbContext, VerbTable } from './table.ts';

type DeploymentVerb =
  | 'chooseDeployment'
  | 'proposeDeployment'
  | 'confirmDeployment'
  | 'dismissDeployment'
  | 'removeDeployment';

/** Choosing, adding and removing deployments. */
export const deploymentVerbs = ({ deploymentSwitch }: VerbContext): Pick<VerbTable, DeploymentVerb> => ({
  chooseDeployment: ({ id }) => deploymentSwitch.choose(id),
  proposeDeployment: ({ text }) => deploymentSwitch.propose(text),
  confirmDeployment: ({ proposalId }) => deploymentSwitch.confirm(proposalId),
  dismissDeployment: ({ proposalId }) => deploymentSwitch.dismiss(proposalId),
  removeDeployment: ({ id }) => deploymentSwitch.remove(id),
});
