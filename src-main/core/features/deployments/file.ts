import { dirname, isAbsolute, resolve } from 'node:path';
import type { DeploymentSummary } from '../../../../src-preload/contract/index.ts';
import { isObject } from '../../base/json.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { hostOf } from '../../base/origins.ts';
import { findJsonFault, type JsonFault } from './jsonText.ts';
import {
  deploymentFileSchema,
  hasAbsoluteCa,
  readDeployment,
  type Deployment,
  type DeploymentReading,
} from './schema.ts';

const sizeLimit = 65_536;

/**
 * Reads a deployment file's text. `folder` is the folder of the file, for a relative `caFile`; null for a deployment
 * added by hand, whose `caFile` must be absolute.
 */
export function readDeploymentText(text: string, folder: string | null): DeploymentReading {
  if (Buffer.byteLength(text) > sizeLimit) return { valid: false, reason: message('file.tooLarge') };
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const fault = findJsonFault(json);
  if (fault) {
    return {
      valid: false,
      reason: notJson(fault),
    };
  }
  const reading = readDeployment(JSON.parse(json));
  if (!reading.valid) return reading;
  const { deployment } = reading;
  if (hasAbsoluteCa(deployment) || deployment.caFile === null) return reading;
  if (folder === null) {
    return {
      valid: false,
      reason: message('file.caAdded'),
    };
  }
  return { valid: true, deployment: { ...deployment, caFile: resolve(folder, deployment.caFile) } };
}

/** Lines and columns have no separator between thousands. */
export const notJson = ({ kind, line, column }: JsonFault): Message =>
  message(`file.${kind}`, { line: String(line), column: String(column) });

/** The deployment as a person would write it: without default values, so that the others are easy to see. */
export function fileOf(deployment: Deployment): Readonly<Record<string, unknown>> {
  const { version, id, name, infrastructureUrl, coordinationUrl } = deployment;
  const named = { version, id, name, infrastructureUrl, coordinationUrl };
  const defaults: Readonly<Record<string, unknown>> = deploymentFileSchema.parse(named);
  return { ...named, ...differing(deployment, { ...defaults, ...named }) };
}

function differing(
  values: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const usual = defaults[key];
    if (JSON.stringify(value) === JSON.stringify(usual)) continue;
    found[key] = isObject(value) && isObject(usual) ? differing(value, usual) : value;
  }
  return found;
}

/** The folder that relative paths in a deployment file start from. */
export const folderOf = (path: string): string => dirname(isAbsolute(path) ? path : resolve(path));

export const summaryOf = (
  deployment: Deployment,
  source: DeploymentSummary['source'],
): DeploymentSummary => ({
  id: deployment.id,
  name: deployment.name,
  infrastructureHost: hostOf(deployment.infrastructureUrl),
  coordinationHost: hostOf(deployment.coordinationUrl),
  source,
});
