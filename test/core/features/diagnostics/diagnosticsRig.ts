import { createLog } from '../../../../src-main/adapters/log.ts';
import type { LogEvent } from '../../../../src-main/core/base/logEvents.ts';
import type { LogFields } from '../../../../src-main/core/base/ports.ts';
import type { PageFacts, Result, VerbName, VerbRequest } from '../../../../src-preload/contract/index.ts';
import { createTestPorts, type RecordingLogger, type TestPorts } from '../../../support/ports.ts';
import { askDriven, fetched, type OpenConsole } from '../../scopes/appFixtures.ts';

export const page: PageFacts = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0',
  webgl: 'WebGL 2.0, SwiftShader',
  language: 'en-GB',
  pixelRatio: 2,
  size: '1440 x 900',
};

/** Ports whose log is a real one in the data folder, as a console has it. */
export function portsWithLog(): { readonly ports: TestPorts; readonly closeLog: () => Promise<void> } {
  const ports = createTestPorts();
  const log = createLog({ dataDir: ports.dataDir, level: 'debug', wallNow: () => ports.clock.wallNow() });
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (event: LogEvent, fields?: LogFields): void => {
      ports.logger[level](event, fields);
      log[level](event, fields);
    };
  const logger: RecordingLogger = {
    lines: ports.logger.lines,
    events: ports.logger.events,
    get entries() {
      return ports.logger.entries;
    },
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
  return { ports: { ...ports, logger }, closeLog: () => log.close() };
}

/** As `askDriven`, but for a failure, which it gives. */
export const attempt = <V extends VerbName>(
  open: OpenConsole,
  verb: V,
  request: VerbRequest<V>,
): Promise<Result<unknown>> => open.ports.clock.drive(open.console.call(verb, request), { mostMs: 120_000 });

/** A bundle as it would be saved. */
export async function savedBundle(open: OpenConsole): Promise<Uint8Array> {
  const { exportId } = await askDriven(open, 'prepareBundle', { page });
  const zip = fetched(open, exportId);
  if (!zip) throw new Error('The bundle is not there');
  return zip;
}
