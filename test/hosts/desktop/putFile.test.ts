import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { preloadBridge } from '../../../src-renderer/base/bridge/open.ts';
import { putAwaitedFile, putFile } from '../../../src-renderer/base/bridge/putFile.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';

const route = 'spool/0123456789abcdef';
const mebibyte = 1_048_576;
const piece = 65_536;

let desktop: DesktopUnderTest;
const bridge = preloadBridge({
  verbs: {} as never,
  subscribe: () => () => undefined,
  answer: () => undefined,
  raise: () => undefined,
});

beforeEach(async () => {
  desktop = await desktopUnderTest();
  await desktop.run();
  vi.stubGlobal('document', { baseURI: 'console://app/' });
  vi.stubGlobal('fetch', (url: URL, init: Parameters<typeof desktop.electron.pageSession.fetch>[1]) =>
    desktop.electron.pageSession.fetch(url.href, init),
  );
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await desktop.end();
});

/** A file that counts what was read of it, and breaks at `breaksAt`. */
class WatchedFile extends Blob {
  taken = 0;
  readonly breaksAt: number;
  constructor(bytes: Uint8Array<ArrayBuffer>, breaksAt = Infinity) {
    // Node hands a Blob's parts on as they were given; Chromium reads a file in pieces like these.
    super(
      Array.from({ length: bytes.length / piece }, (_, at) => bytes.subarray(at * piece, (at + 1) * piece)),
    );
    this.breaksAt = breaksAt;
  }
  override stream(): ReturnType<Blob['stream']> {
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (read, pipe) => {
        this.taken += read.byteLength;
        if (this.taken > this.breaksAt) throw new Error('The card was pulled out');
        pipe.enqueue(read);
      },
    });
    return super.stream().pipeThrough(count);
  }
  override arrayBuffer(): Promise<ArrayBuffer> {
    this.taken += this.size;
    return super.arrayBuffer();
  }
}

test('a file reaches the console in pieces, none of it ahead of what the console takes', async () => {
  const bytes = new Uint8Array(8 * mebibyte).map((_, index) => index % 251);
  const file = new WatchedFile(bytes);
  const ahead: number[] = [];
  const pieces: Uint8Array[] = [];
  let got = 0;
  desktop.fake.takeSpool = async (_id, body) => {
    for await (const bytesOfPiece of body) {
      got += bytesOfPiece.byteLength;
      pieces.push(bytesOfPiece);
      ahead.push(file.taken - got);
    }
    return 'kept';
  };
  expect(await putFile(bridge, route, file)).toBe(true);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(mebibyte);
  expect(Math.max(...ahead)).toBeLessThanOrEqual(mebibyte);
  expect(desktop.electron.pageSession.readWhole).toEqual([]);
});

test('a file that the console lets go of at its first piece is not read on', async () => {
  const file = new WatchedFile(new Uint8Array(8 * mebibyte));
  desktop.fake.takeSpool = async (_id, body) => {
    for await (const _piece of body) return 'refused';
    return 'kept';
  };
  expect(await putFile(bridge, route, file)).toBe(false);
  expect(file.taken).toBeLessThanOrEqual(mebibyte);
});

test('a file without bytes reaches the console', async () => {
  const sizes: number[] = [];
  desktop.fake.takeSpool = async (_id, body) => {
    let size = 0;
    for await (const { byteLength } of body) size += byteLength;
    sizes.push(size);
    return 'kept';
  };
  expect(await putFile(bridge, route, new Blob([]))).toBe(true);
  expect(sizes).toEqual([0]);
});

test('a file that cannot be read to its end is not taken for a whole one', async () => {
  const file = new WatchedFile(new Uint8Array(2 * mebibyte), mebibyte);
  const ends: string[] = [];
  desktop.fake.takeSpool = async (_id, body) => {
    try {
      for await (const _piece of body);
      ends.push('whole');
      return 'kept';
    } catch {
      ends.push('broken');
      return 'refused';
    }
  };
  expect(await putFile(bridge, route, file)).toBe(false);
  expect(ends).toEqual(['broken']);
});

test('a file that the console refused is not sent again, and nothing is waited for', async () => {
  let sent = 0;
  desktop.fake.takeSpool = () => {
    sent += 1;
    return Promise.resolve('refused');
  };
  expect(await putAwaitedFile(bridge, route, new Blob([]), () => true)).toBe('over');
  expect(sent).toBe(1);
});
