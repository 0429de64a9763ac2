import process from 'node:process';
import { takeOwnership } from '../../../src-main/adapters/ownerLock.ts';

/** Takes the folder named in its argument, says how that went, and stays until it is ended. */
const result = takeOwnership(process.argv[2] ?? '', { pid: process.pid, host: 'browser', startedAt: 12 });
process.stdout.write(`${JSON.stringify(result)}\n`);
setInterval(() => undefined, 60_000);
