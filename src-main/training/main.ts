import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createClock } from '../adapters/clock.ts';
import { createRandom } from '../adapters/crypto.ts';
import { startTraining } from './index.ts';
import { paths } from './paths.ts';
import { incidentField } from './storage.ts';

const help = `Usage: npm run training -- [options]

Runs the training service alone: both APIs on 127.0.0.1 until interrupted.

  --port N         port of the Infrastructure API (default: any free one)
  --seed N         tells the same story every time
  --page-limit N   cut lists at N incidents, as a service with a page maximum does
  --write FILE     write a deployment file that names this service
  --help           show this
`;

/** Reads a whole number of the command line; undefined when the option is absent. */
function wholeNumber(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most) throw new RangeError(`--${name} takes a number from 0 to ${most}`);
  return value;
}

/** Names the service as every deployment file does: without its credentials. */
async function writeDeployment(
  path: string,
  urls: { readonly infrastructureUrl: string; readonly coordinationUrl: string },
): Promise<void> {
  const file = {
    version: 1,
    id: 'training-alone',
    name: 'Training service',
    ...urls,
    timestampUnit: 'seconds',
    upload: { path: paths.storage, incidentField },
    missions: { approvePath: paths.approve, rejectPath: paths.reject, pendingPath: paths.pending },
    eventsPath: paths.events,
  };
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`);
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      seed: { type: 'string' },
      'page-limit': { type: 'string' },
      write: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const port = wholeNumber('port', values.port, 65_535);
  const seed = wholeNumber('seed', values.seed, 2 ** 32 - 1);
  const pageLimit = wholeNumber('page-limit', values['page-limit'], 100_000);
  const server = await startTraining({
    clock: createClock(),
    random: createRandom(),
    ...(seed === undefined ? {} : { seed }),
    ...(port === undefined ? {} : { infrastructurePort: port }),
    ...(pageLimit === undefined ? {} : { switches: { pageLimit, pageLimitEnforced: true } }),
  });
  const stop = (): void => void server.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const { infrastructureUrl, coordinationUrl, credentials, uploadToken } = server;
  if (values.write !== undefined) {
    try {
      await writeDeployment(values.write, { infrastructureUrl, coordinationUrl });
    } catch (error) {
      await server.close();
      throw error;
    }
  }
  process.stdout.write(
    `Infrastructure API  ${infrastructureUrl}\n` +
      `Coordination API    ${coordinationUrl}\n` +
      `User name           ${credentials.username}\n` +
      `Password            ${credentials.password}\n` +
      `Upload token        ${uploadToken}\n` +
      `Seed                ${server.seed}\n`,
  );
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
