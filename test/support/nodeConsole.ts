import { createNodePorts } from '../../src-main/adapters/index.ts';
import type { LogLevel } from '../../src-main/adapters/log.ts';
import type { App } from '../../src-main/core/scopes/app.ts';
import { createApp } from '../../src-main/core/scopes/index.ts';
import type { Ports } from '../../src-main/core/features/ports.ts';
import { consoleOptions } from './console.ts';

type NodePorts = ReturnType<typeof createNodePorts>;

/**
 * What a program that is a console without a host starts with: the real core on the real adapters.
 *
 * @param change what stands in place of an adapter
 */
export async function openNodeConsole(options: {
  readonly dataDir: string;
  /** Path of a deployment file. */
  readonly deployment: string;
  readonly logLevel: LogLevel;
  readonly change?: (real: NodePorts) => Partial<Ports>;
}): Promise<{ readonly console: App; readonly ports: NodePorts }> {
  const { dataDir, deployment, logLevel, change } = options;
  const real = createNodePorts({ dataDir, logLevel, openExternal: () => Promise.resolve(false) });
  const ports = { ...real, ...change?.(real) };
  return { ports, console: await createApp(ports, consoleOptions(deployment)) };
}
