/** The smallest deployment file. */
export const deploymentFile = (change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  version: 1,
  id: 'field-north',
  name: 'Field North',
  infrastructureUrl: 'https://infra.example',
  coordinationUrl: 'https://coord.example',
  ...change,
});
