import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { createServiceManager } from '../../src-main/adapters/systemd.ts';
import { createVirtualClock, until } from '../support/clock.ts';
import { createRecordingLogger } from '../support/ports.ts';
import { temporaryFolder } from './support.ts';

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const missing = ['python3', 'systemd-notify'].filter((program) => !has(program));

/** A datagram socket as systemd has it, which prints what comes. */
const listener = `
import array, os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    data, ancillary, _, _ = s.recvmsg(4096, 4096)
    for _, _, fds in ancillary:
        for fd in array.array('i', fds): os.close(fd)
    for line in data.decode().splitlines(): print(line, flush=True)
`;

async function listening(use: (path: string, heard: string[]) => Promise<void>): Promise<void> {
  const path = join(await temporaryFolder(), 'notify');
  const child = spawn('python3', ['-c', listener, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const heard: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => heard.push(line));
  try {
    await until(() => heard.includes('bound'), 'the socket');
    heard.length = 0;
    await use(path, heard);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

const words = (heard: readonly string[], word: string): number =>
  heard.filter((line) => line === word).length;

it.skipIf(missing.length > 0)(
  `tells the service manager of the start, of life at half of its time, and of the end (skipped without: ${missing.join(', ') || 'nothing'})`,
  async () => {
    await listening(async (path, heard) => {
      const clock = createVirtualClock();
      const logger = createRecordingLogger();
      const environment = { PATH: process.env['PATH'], NOTIFY_SOCKET: path, WATCHDOG_USEC: '30000000' };
      const manager = createServiceManager({ environment, clock, logger });
      expect(manager.listens).toBe(true);
      manager.ready();
      await until(() => words(heard, 'READY=1') === 1, 'READY');
      await clock.advance(14_999);
      expect(words(heard, 'WATCHDOG=1')).toBe(0);
      await clock.advance(1);
      await until(() => words(heard, 'WATCHDOG=1') === 1, 'the first sign of life');
      await clock.advance(15_000);
      await until(() => words(heard, 'WATCHDOG=1') === 2, 'the second');
      manager.fallSilent();
      await clock.advance(600_000);
      expect(clock.pending()).toBe(0);
      manager.stopping();
      await until(() => words(heard, 'STOPPING=1') === 1, 'STOPPING');
      expect(words(heard, 'WATCHDOG=1')).toBe(2);
    });
  },
);

it('does nothing without a service manager, and sends no signs of life without a watchdog', async () => {
  const clock = createVirtualClock();
  const logger = createRecordingLogger();
  const none = createServiceManager({ environment: { WATCHDOG_USEC: '1000' }, clock, logger });
  expect(none.listens).toBe(false);
  none.ready();
  none.stopping();
  expect(clock.pending()).toBe(0);
  const environment = { NOTIFY_SOCKET: '/nowhere', PATH: '/nowhere' };
  createServiceManager({ environment, clock, logger }).ready();
  expect(clock.pending()).toBe(0);
});

it('says once in the log that the program is missing, and goes on without it', async () => {
  const clock = createVirtualClock();
  const logger = createRecordingLogger();
  const PATH = join(await temporaryFolder(), 'bin');
  await mkdir(PATH);
  await symlink('/nowhere', join(PATH, 'systemd-notify'));
  const environment = { PATH, NOTIFY_SOCKET: '/nowhere', WATCHDOG_USEC: '30000000' };
  const manager = createServiceManager({ environment, clock, logger });
  manager.ready();
  await until(() => logger.lines.some(({ event }) => event === 'service-manager-not-told'), 'the log');
  await clock.advance(600_000);
  manager.stopping();
  expect(logger.lines.filter(({ event }) => event === 'service-manager-not-told')).toHaveLength(1);
});
