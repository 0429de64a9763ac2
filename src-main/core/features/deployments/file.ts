import { dirname, isAbsolute, resolve } from 'node:path';
import type { DeploymentSummary } from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { hostOf } from '../../base/origins.ts';
import { findJsonFault, type JsonFault } from './jsonText.ts';
import { hasAbsoluteCa, readDeployment, type Deployment, type DeploymentReading } from './schema.ts';

const sizeLimit = 65_536;

/**
 * Reads a deployment file's text. `folder` is where the file lies, for a relative `caFile`; null
 * for one added by hand, whose `caFile` must be absolute.
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

/** Lines and columns are said as they are counted, without a sign between thousands. */
export const notJson = ({ line, column }: JsonFault): Message =>
  message('file.notJson', { line: String(line), column: String(column) });

/** The folder that a deployment file's relative paths start from. */
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
