import { arch, availableParallelism, freemem, release, totalmem, type, uptime } from 'node:os';
import process from 'node:process';
import type { RuntimeFacts } from '../../core/features/diagnostics/tools.ts';

/** What runs the console, as the runtime and the system say it. Neither says who uses them. */
export function readRuntime(): RuntimeFacts {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();
  const versions = Object.entries(process.versions).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    versions: Object.fromEntries(versions),
    system: `${type()} ${release()}`,
    architecture: arch(),
    processors: availableParallelism(),
    memoryTotal: totalmem(),
    memoryFree: freemem(),
    memoryUsed: process.memoryUsage.rss(),
    computerUptimeMs: uptime() * 1_000,
    consoleUptimeMs: process.uptime() * 1_000,
    timeZone,
    locale,
  };
}
