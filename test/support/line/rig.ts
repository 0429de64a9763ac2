import { expect } from 'vitest';
import { createServerTime } from '../../../src-main/core/base/serverTime.ts';
import {
  createService,
  createTestLink,
  credentials,
  type TestService,
} from '../../core/service/transport/service.ts';
import type { ServiceLink } from '../../../src-main/core/service/transport/link.ts';
import type { VirtualClock } from '../clock.ts';
import { createTestPorts } from '../ports.ts';
import { fieldLine, Line, type LineOptions } from './line.ts';
import { openLineRelay } from './relay.ts';

/** A link with an operator signed in, whose service is behind a slow line on the virtual clock. */
export interface LineRig {
  readonly clock: VirtualClock;
  readonly service: TestService;
  readonly line: Line;
  readonly link: ServiceLink;
  /** Lets virtual time pass until the work is done. */
  drive<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** `stepMs`: how finely time passes. */
export async function openLineRig(change: Partial<LineOptions> = {}, stepMs = 500): Promise<LineRig> {
  const ports = createTestPorts();
  const { clock } = ports;
  const service = await createService(() => clock.wallNow());
  const line = new Line({ clock, ...fieldLine, resets: 0, ...change });
  const relay = await openLineRelay(line, service.url);
  const link = createTestLink(ports, {
    url: relay.url,
    serverTime: createServerTime({ clock }),
    address: { attemptTimeoutMs: 15_000, totalTimeoutMs: 45_000 },
  });
  const drive = <T>(work: Promise<T>): Promise<T> => clock.drive(work, { stepMs, mostMs: 3_600_000 });
  expect((await drive(link.session.signIn(credentials.username, credentials.password))).ok).toBe(true);
  return {
    clock,
    service,
    line,
    link,
    drive,
    async close() {
      await link.close();
      await relay.close();
      await service.close();
    },
  };
}
