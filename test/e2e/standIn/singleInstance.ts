import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import process from 'node:process';
import type { FakeApp } from '../../hosts/desktop/fake/app.ts';

/**
 * Gives the lock of the single instance to one process per profile folder, and hands it what later starts open. The
 * lock is a file with the holder's process id and port; that of a process that is gone is taken over.
 */
export function shareInstance(app: FakeApp): {
  /** Resolves when this start, if it is a later one, has handed over what it opens. */
  handedOver(): Promise<void>;
} {
  let handingOver = Promise.resolve();
  const request = app.requestSingleInstanceLock.bind(app);
  app.requestSingleInstanceLock = (data) => {
    const lock = join(app.paths.get('userData') ?? '', 'StandInLock');
    app.isFirst = !isHeld(lock);
    if (app.isFirst) hold(app, lock);
    else handingOver = handOver(lock, data);
    return request(data);
  };
  return { handedOver: () => handingOver };
}

const readLock = (lock: string): number[] => readFileSync(lock, 'utf8').split(' ').map(Number);

function isHeld(lock: string): boolean {
  try {
    const [pid = 0] = readLock(lock);
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch {
    return false;
  }
}

function hold(app: FakeApp, lock: string): void {
  writeFileSync(lock, `${String(process.pid)} 0`);
  process.on('exit', () => rmSync(lock, { force: true }));
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    void text(socket).then((data) => {
      app.otherStarts.push(JSON.parse(data) as object);
      app.handOver();
      socket.end();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    writeFileSync(lock, `${String(process.pid)} ${String((server.address() as AddressInfo).port)}`);
  });
}

async function handOver(lock: string, data?: object): Promise<void> {
  const [, port = 0] = readLock(lock);
  const socket = connect(port, '127.0.0.1');
  socket.end(JSON.stringify(data ?? {}));
  await text(socket);
}
