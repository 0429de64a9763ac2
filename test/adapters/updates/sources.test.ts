import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { rootCertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allAuthorities } from '../../../src-main/adapters/network.ts';
import { createFolderSource } from '../../../src-main/adapters/updates/folderSource.ts';
import { createPrivateFolder } from '../../../src-main/adapters/updates/privateFolder.ts';
import { createServerSource } from '../../../src-main/adapters/updates/serverSource.ts';
import { failureOf } from '../../../src-main/core/features/updates/messages.ts';
import { stagePackage } from '../../../src-main/core/features/updates/staging.ts';
import { SourceError, type ReleaseSource } from '../../../src-main/core/features/updates/updateHost.ts';
import {
  layOut,
  makeKey,
  makeRelease,
  packageFile,
  temporaryFolder,
} from '../../core/features/updates/releases.ts';
import { serveReleases, type ReleaseServer } from '../../core/features/updates/updateRig.ts';
import { certificate } from '../../core/service/transport/certificate.ts';
import { createVirtualClock, until } from '../../support/clock.ts';
import { mountSmallDisk } from '../../support/smallDisk.ts';
import { createTestNetwork } from '../../support/ports.ts';
import { said } from '../../support/messages.ts';

const key = makeKey('release-2026');
const release = makeRelease(key);
const going = new AbortController().signal;
let stick: string;
let server: ReleaseServer;

beforeEach(async () => {
  stick = temporaryFolder();
  await layOut(stick, release);
  server = await serveReleases(release);
});
afterEach(() => server.close());

const trusting = createTestNetwork({ authorities: () => [certificate] });
const secure = (address = server.address): ReleaseSource =>
  createServerSource({ address, clock: createVirtualClock(), network: trusting });

/** Why a source refuses, or `read`. */
async function reasonOf(source: ReleaseSource, name = 'release.json', signal = going): Promise<string> {
  try {
    await source.read(name, 65_536, signal);
    return 'read';
  } catch (error) {
    return error instanceof SourceError ? error.reason : String(error);
  }
}

const paths = [
  '../release.json',
  '..',
  '/etc/passwd',
  'a/b',
  'a\\b',
  'C:\\release.json',
  'release.json\0',
  'release.json:stream',
  'CON',
  '%2e%2e%2frelease.json',
  'https://elsewhere.example/release.json',
  '//elsewhere.example/release.json',
];

describe('a folder', () => {
  it('is read whole and in pieces', async () => {
    const source = createFolderSource(stick);
    expect(await source.read('release.json', 65_536, going)).toEqual(release.manifest);
    const pieces: Uint8Array[] = [];
    for await (const piece of source.pieces(packageFile, going)) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(release.content);
    expect(pieces.length).toBeGreaterThan(1);
  });

  it.each(paths)('opens nothing under %j', async (name) => {
    expect(await reasonOf(createFolderSource(stick), name)).toBe('not-plain');
  });

  it('reads no more than it is let', async () => {
    await writeFile(join(stick, 'release.json'), Buffer.alloc(65_537));
    expect(await reasonOf(createFolderSource(stick))).toBe('too-large');
  });

  it.skipIf(process.platform === 'win32')('does not wait at a named pipe', async () => {
    execFileSync('mkfifo', [join(stick, 'pipe')]);
    expect(await reasonOf(createFolderSource(stick), 'pipe')).toBe('not-plain');
  });

  it('that is a file is none', async () => {
    expect(await reasonOf(createFolderSource(join(stick, 'release.json')))).toBe('missing');
  });

  it('stops on request', async () => {
    expect(await reasonOf(createFolderSource(stick), 'release.json', AbortSignal.abort())).toBe('cancelled');
  });
});

describe('a server', () => {
  it('is read, with or without a slash at the end of its address', async () => {
    for (const address of [server.address, `${server.address}/`]) {
      expect(await secure(address).read('release.json', 65_536, going)).toEqual(release.manifest);
    }
  });

  it('is read when it sends an unasked 100 Continue first', async () => {
    server.otherwise = (_request, response) => {
      response.writeContinue();
      return false;
    };
    expect(await reasonOf(secure())).toBe('read');
  });

  it.each(paths)('is not asked for %j', async (name) => {
    expect(await reasonOf(secure(), name)).toBe('not-plain');
    expect(server.asked).toEqual([]);
  });

  it.each([
    [404, 'missing'],
    [410, 'missing'],
    [301, 'answered-otherwise'],
    [307, 'answered-otherwise'],
    [204, 'answered-otherwise'],
    [401, 'answered-otherwise'],
    [503, 'answered-otherwise'],
  ] as const)('that answers %i: %s', async (status, reason) => {
    server.otherwise = (_request, response) => {
      response.writeHead(status, { location: `${server.address}/release.json.sig` }).end();
      return true;
    };
    expect(await reasonOf(secure())).toBe(reason);
    expect(server.asked).toHaveLength(1);
  });

  it('is asked for plain bytes, and gives no others', async () => {
    let accepted: string | undefined;
    server.otherwise = (request, response) => {
      accepted = String(request.headers['accept-encoding']);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(release.manifest));
      return true;
    };
    expect(await reasonOf(secure())).toBe('answered-otherwise');
    expect(accepted).toBe('identity');
  });

  it('that goes on for ever is cut at the limit', async () => {
    server.otherwise = (_request, response) => {
      const more = (): void =>
        void response.write(Buffer.alloc(16_384), (error) => error ?? setImmediate(more));
      more();
      return true;
    };
    expect(await reasonOf(secure())).toBe('too-large');
  });

  it('that falls silent in the middle is given up', async () => {
    server.otherwise = (_request, response) => {
      response.write('{');
      return true;
    };
    const clock = createVirtualClock();
    const read = reasonOf(createServerSource({ address: server.address, clock, network: trusting }));
    await until(() => server.asked.length === 1);
    // The first piece begins the silence anew, whenever it comes.
    for (let time = 0; time < 4; time += 1) await clock.advance(15_000);
    expect(await read).toBe('timed-out');
    expect(clock.pending()).toBe(0);
  });

  it('that does not exist is unreachable; one without a trusted certificate is refused', async () => {
    expect(await reasonOf(secure('https://127.0.0.1:1/'))).toBe('unreachable');
    const stranger = createServerSource({
      ...{ address: server.address, clock: createVirtualClock(), network: createTestNetwork() },
    });
    expect(await reasonOf(stranger)).toBe('tls-refused');
    expect(server.asked).toEqual([]);
  });

  it('is ended when its answer is no longer wanted', async () => {
    server.otherwise = () => true;
    const stop = new AbortController();
    const read = reasonOf(secure(), 'release.json', stop.signal);
    await until(() => server.asked.length === 1);
    stop.abort();
    expect(await read).toBe('cancelled');
  });
});

describe('the private folder on a disk that fills up', () => {
  it('is said to be full, and keeps nothing', async ({ skip }) => {
    const data = temporaryFolder();
    const unmount = mountSmallDisk(data, 2);
    skip(unmount === null, 'this user may not mount a small disk');
    try {
      const real = createPrivateFolder(data);
      const free = await real.free();
      expect(free).toBeLessThanOrEqual(2 * 1024 ** 2);
      const wanted = { file: packageFile, bytes: release.content.byteLength, sha512: '' };
      const staged = (folder: typeof real): ReturnType<typeof stagePackage> =>
        stagePackage({
          source: createFolderSource(stick),
          folder,
          wanted,
          signal: going,
          onProgress: () => undefined,
        });
      expect(await staged(real)).toEqual({ kind: 'refused', fault: 'full' });
      // What was free at first is taken by something else meanwhile.
      const failure = await staged({ ...real, free: () => Promise.resolve(null) }).then(
        () => null,
        (error: unknown) => failureOf(error, 0),
      );
      expect(said(failure?.sentence)).toContain('Not enough room');
      expect(await readdir(join(data, 'updates'))).toEqual([]);
    } finally {
      unmount?.();
    }
  });

  it('that cannot be made is swept without a word', async () => {
    const data = join(temporaryFolder(), 'missing');
    await createPrivateFolder(data).sweep();
    await mkdir(data);
    await createPrivateFolder(data).sweep();
    expect(await readdir(data)).toEqual(['updates']);
  });
});

describe('authorities and a proxy of the system (fact 24)', () => {
  it('are taken beside the public authorities, or those alone where the system gives none', () => {
    expect(allAuthorities(() => [certificate])).toEqual([...rootCertificates, certificate]);
    expect(
      allAuthorities(() => {
        throw new Error('Not here');
      }),
    ).toEqual([...rootCertificates]);
  });

  it('are the same where NODE_EXTRA_CA_CERTS is set, which the installed console does not read (fact 24)', async () => {
    const file = join(stick, 'extra.pem');
    await writeFile(file, certificate);
    const module = resolve('src-main/adapters/network.ts');
    const script = `
      import { getCACertificates } from 'node:tls';
      import { allAuthorities } from ${JSON.stringify(pathToFileURL(module).href)};
      const extra = getCACertificates('extra');
      console.log(extra.length, allAuthorities().filter((one) => extra.includes(one)).length);`;
    const stdout = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    });
    expect(stdout).toBe('1 0\n');
  });

  it('let a server be read whose certificate no other authority signed', async () => {
    const { address } = server;
    const clock = createVirtualClock();
    const source = (ca: string[]): ReleaseSource =>
      createServerSource({ address, clock, network: createTestNetwork({ authorities: () => ca }) });
    expect(await reasonOf(source(allAuthorities(() => [])))).toBe('tls-refused');
    expect(await reasonOf(source(allAuthorities(() => [certificate])))).toBe('read');
  });

  it('carry the question through the proxy, which sees only where it goes', async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, client) => {
      asked.push(url);
      const onward = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connected\r\n\r\n');
        onward.pipe(client).pipe(onward);
      });
      onward.on('error', () => client.destroy());
      client.on('error', () => onward.destroy());
    });
    await new Promise<void>((up) => proxy.listen(0, '127.0.0.1', up));
    const { port } = proxy.address() as AddressInfo;
    const source = createServerSource({
      ...{ address: server.address, clock: createVirtualClock() },
      network: {
        ...trusting,
        resolveProxy: (address) => {
          expect(address).toBe(`${new URL(server.address).origin}/`);
          return Promise.resolve(`PROXY 127.0.0.1:${String(port)}`);
        },
      },
    });
    expect(await source.read('release.json', 65_536, going)).toEqual(release.manifest);
    expect(asked).toEqual([new URL(server.address).host]);
    proxy.closeAllConnections();
    await new Promise((down) => proxy.close(down));
  });
});
