import process from 'node:process';
import { createClock } from '../adapters/clock.ts';
import { createRandom } from '../adapters/crypto.ts';
import { createNetwork } from '../adapters/network.ts';
import { readTextFile, TextFileError } from '../adapters/textFile.ts';
import { english } from '../core/base/messages/message.ts';
import type { Logger } from '../core/base/ports.ts';
import { checkDeployment, type DeploymentCheckReport } from '../core/features/deploymentCheck/index.ts';
import { folderOf, readDeploymentText, ruledBy } from '../core/features/deployments/index.ts';
import { exitStatus } from './app.ts';
import { readCredentials } from './credentials.ts';
import { policyOfStart } from './policy.ts';

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
const ignored = (): void => undefined;
/** A check has no data folder, and so no log. */
const noLog: Logger = { debug: ignored, info: ignored, warn: ignored, error: ignored };

/**
 * Checks the deployment of a file, and prints the report as JSON. When the computer's policy lists the deployments, it
 * checks none: a file could name another one.
 *
 * @param mapPath the real path for a path of the computer, for tests.
 * @returns the exit status: done when the sign-in succeeded and the check ended, failed when not, refused when nothing
 * was sent.
 */
export async function checkFromCommandLine(
  path: string,
  mapPath?: (path: string) => string,
): Promise<number> {
  const policy = await policyOfStart({
    start: { policy: null, kiosk: 'off' },
    platform: process.platform,
    ...(mapPath && { mapPath }),
  });
  if (policy.ok && policy.policy.deployments.kind !== 'any') {
    say('This computer’s policy says which deployments there are, so the console does not check a file.');
    return exitStatus.refused;
  }
  const read = await readFiles(path);
  if (typeof read === 'string') {
    say(read);
    return exitStatus.refused;
  }
  const credentials = await readCredentials(process.stdin, process.stderr);
  if (credentials === null) {
    say('No user name and password were given. Type them, or write each on a line of standard input.');
    return exitStatus.refused;
  }
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort());
  const report = await checkDeployment({
    ...read,
    ...credentials,
    deployment: policy.ok ? ruledBy(policy.policy, read.deployment) : read.deployment,
    network: createNetwork(),
    clock: createClock(),
    random: createRandom(),
    logger: noLog,
    signal: ending.signal,
  });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  return isWhole(report) ? exitStatus.done : exitStatus.failed;
}

const isWhole = ({ stopped, findings }: DeploymentCheckReport): boolean =>
  stopped === null && findings.some(({ id, outcome }) => id === 'login' && outcome === 'seen');

async function readFiles(
  path: string,
): Promise<string | Pick<Parameters<typeof checkDeployment>[0], 'deployment' | 'file' | 'ca'>> {
  try {
    const text = await readTextFile(path);
    const reading = readDeploymentText(text, folderOf(path));
    if (!reading.valid) return `The deployment file cannot be used: ${english(reading.reason)}`;
    const { deployment } = reading;
    const ca = deployment.caFile === null ? null : await readTextFile(deployment.caFile);
    return { deployment, ca, file: JSON.parse(text) as Readonly<Record<string, unknown>> };
  } catch (error) {
    if (error instanceof TextFileError) return 'The deployment file, or its CA file, cannot be read.';
    throw error;
  }
}
