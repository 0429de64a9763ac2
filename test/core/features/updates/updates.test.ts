import {
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrivateFolder } from '../../../../src-main/adapters/updates/privateFolder.ts';
import { createServerSource } from '../../../../src-main/adapters/updates/serverSource.ts';
import { english, message } from '../../../../src-main/core/base/messages/message.ts';
import { noPolicy } from '../../../../src-main/core/features/policy/policy.ts';
import {
  SourceError,
  type CheckedPackage,
  type ReleaseSource,
} from '../../../../src-main/core/features/updates/updateHost.ts';
import { until } from '../../../support/clock.ts';
import { createTestPorts } from '../../../support/ports.ts';
import {
  layOut,
  makeKey,
  makeRelease,
  packageFile,
  someContent,
  temporaryFolder,
  trustIn,
  type ReleaseChange,
} from './releases.ts';
import {
  openUpdates,
  serveReleases,
  type ReleaseServer,
  type RigOptions,
  type UpdateRig,
} from './updateRig.ts';

const key = makeKey('release-2026');
const trust = trustIn([key]);
const open: UpdateRig[] = [];
let stick: string;
let server: ReleaseServer;

beforeEach(async () => {
  stick = temporaryFolder();
  server = await serveReleases(makeRelease(key));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ feature }) => feature.close()));
  await server.close();
});

function start(more: Partial<RigOptions> = {}): UpdateRig {
  const rig = openUpdates({ trust: { ...trust, server: server.address }, stick, ...more });
  open.push(rig);
  return rig;
}
const lay = (change: ReleaseChange = {}): Promise<void> => layOut(stick, makeRelease(key, change));
const kept = ({ ports }: UpdateRig): Promise<string[]> => readdir(join(ports.dataDir, 'updates'));

/** Takes from the stick, and expects a refusal that leaves nothing behind. */
async function refusedFrom(rig: UpdateRig): Promise<string> {
  const result = await rig.feature.takeFromFolder();
  expect(result.ok).toBe(false);
  expect(rig.state().kind).toBe('refused');
  expect(await kept(rig)).toEqual([]);
  expect((await rig.feature.install('1.1.0')).ok).toBe(false);
  expect(rig.installed).toEqual([]);
  return rig.said() ?? '';
}

describe('an update from a server', () => {
  it('is found, taken into the private folder, and that very copy is installed', async () => {
    const rig = start();
    expect(await rig.feature.check()).toEqual({ ok: true, value: null });
    expect(rig.state()).toMatchObject({ kind: 'available', release: { version: '1.1.0', bytes: 3_000_000 } });
    expect(rig.store.slice('updates').lastCheckAt).toBe(rig.ports.clock.wallNow());
    expect(await rig.feature.take()).toEqual({ ok: true, value: null });
    expect(rig.state().kind).toBe('ready');
    const [name = ''] = await kept(rig);
    const path = join(rig.ports.dataDir, 'updates', name);
    expect((await readFile(path)).equals(someContent())).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(rig.ports.dataDir, 'updates'))).mode & 0o777).toBe(0o700);
    expect(rig.installed).toEqual([]);
    expect(await rig.feature.install('1.1.0')).toEqual({ ok: true, value: null });
    expect(rig.state().kind).toBe('installing');
    expect(rig.installed).toMatchObject([{ path, version: '1.1.0', bytes: 3_000_000, kind: 'appimage' }]);
    const { manifest, signature } = server.release ?? {};
    const [{ signed }] = rig.installed as [CheckedPackage];
    expect([Buffer.from(signed.manifest), Buffer.from(signed.signatures)]).toEqual([manifest, signature]);
    expect(server.asked).toEqual(['/field/release.json', '/field/release.json.sig', `/field/${packageFile}`]);
  });

  it('that runs already is said to be current', async () => {
    server.release = makeRelease(key, { release: { version: '1.0.0', sequence: 10 } });
    const rig = start();
    expect((await rig.feature.check()).ok).toBe(true);
    expect(rig.state()).toEqual({ kind: 'current' });
  });

  it('is not followed elsewhere', async () => {
    server.otherwise = (_request, response) => {
      response.writeHead(302, { location: 'https://elsewhere.example/release.json' }).end();
      return true;
    };
    const rig = start();
    await rig.feature.check();
    expect(rig.state()).toMatchObject({ failure: { code: 'answered-by-something-else' } });
  });

  it('that says nothing ends in time, and can be tried again', async () => {
    server.otherwise = () => true;
    const rig = start();
    const checked = rig.feature.check();
    await until(() => server.asked.length === 1);
    await rig.ports.clock.advance(30_000);
    expect(await checked).toMatchObject({ ok: false, failure: { code: 'timed-out' } });
    server.otherwise = () => false;
    expect((await rig.feature.check()).ok).toBe(true);
  });

  it('whose connection is cut leaves nothing', async () => {
    const rig = start();
    await rig.feature.check();
    server.otherwise = (_request, response) => {
      response.writeHead(200, { 'content-length': '3000000' });
      response.write(Buffer.alloc(1_000_000), () => response.destroy());
      return true;
    };
    await rig.feature.take();
    expect(rig.said()).toBe('Can’t read the whole release.');
    expect(await kept(rig)).toEqual([]);
  });

  it('is not asked of a server that cannot prove itself', async () => {
    const rig = start({
      host: {
        server: (address) => createServerSource({ address, ...createTestPorts() }),
      },
    });
    await rig.feature.check();
    expect(rig.state()).toMatchObject({ failure: { code: 'tls-refused' } });
    expect(server.asked).toEqual([]);
  });
});

describe('an update from a folder', () => {
  it('takes the same way', async () => {
    await lay();
    const rig = start();
    expect(await rig.feature.takeFromFolder()).toEqual({ ok: true, value: null });
    expect(rig.state()).toMatchObject({ kind: 'ready', release: { version: '1.1.0' } });
    await rig.feature.install('1.1.0');
    const [checked] = rig.installed;
    expect((await readFile(checked?.path ?? '')).equals(someContent())).toBe(true);
    expect(server.asked).toEqual([]);
  });

  it('that is not chosen changes nothing', async () => {
    const rig = start({ stick: null });
    expect((await rig.feature.takeFromFolder()).ok).toBe(true);
    expect(rig.state()).toEqual({ kind: 'idle' });
  });

  const named = 'Release 1.1.0';
  it.each<readonly [string, ReleaseChange, string]>([
    ['an unknown key', { signedBy: [makeKey('unknown')] }, 'unknown to this console'],
    ['a forged signature', { signedBy: [makeKey('release-2026')] }, 'The signature does not match'],
    ['another product', { manifest: { product: 'other' } }, 'for another product'],
    ['another system', { package: { platform: 'win32' } }, `${named} has no package for this kind`],
    ['a path for a name', { package: { file: '../../package' } }, 'can’t read its description'],
    ['garbage that is signed', { manifest: { release: 'x'.repeat(9_000) } }, 'can’t read its description'],
    [
      'a description that is too large',
      { manifest: { more: 'x'.repeat(70_000) } },
      'description is too large',
    ],
    [
      'an older version',
      { release: { version: '0.9.0', sequence: 9 } },
      '0.9.0 is older than the running version 1.0.0',
    ],
    [
      'a wrong hash',
      { package: { sha512: Buffer.alloc(64).toString('base64') } },
      'does not match its release',
    ],
    ['a package that is too short', { package: { bytes: 3_000_001 } }, 'shorter than its release says'],
    ['a package that is too long', { package: { bytes: 2_999_999 } }, 'longer than its release says'],
  ])('with %s is refused', async (_what, change, sentence) => {
    await lay(change);
    const rig = start();
    expect(await refusedFrom(rig)).toContain(sentence);
    expect(rig.state()).toMatchObject({ failure: { code: 'update-refused' } });
  });

  it('of the version that runs is current', async () => {
    await lay({ release: { version: '1.0.0', sequence: 10 } });
    const rig = start();
    expect((await rig.feature.takeFromFolder()).ok).toBe(true);
    expect(rig.state()).toEqual({ kind: 'current' });
  });

  it('with a file of the right size and other bytes is refused', async () => {
    await lay();
    await writeFile(join(stick, packageFile), someContent().fill(1, 2_000_000, 2_000_001));
    expect(await refusedFrom(start())).toContain('does not match its release');
  });

  it('with a truncated package is refused', async () => {
    await lay();
    await truncate(join(stick, packageFile), 1_000_000);
    expect(await refusedFrom(start())).toContain('shorter');
  });

  it('without one of its files is refused', async () => {
    await lay();
    for (const name of [packageFile, 'release.json.sig', 'release.json']) {
      await rm(join(stick, name));
      expect(await refusedFrom(start())).toContain('a file is missing');
    }
    await rm(stick, { recursive: true });
    expect(await refusedFrom(start())).toContain('a file is missing');
  });

  it.each(['release.json', 'release.json.sig', packageFile])(
    'with a link for %s is refused',
    async (name) => {
      await lay();
      const elsewhere = temporaryFolder();
      await writeFile(join(elsewhere, 'target'), await readFile(join(stick, name)));
      await rm(join(stick, name));
      await symlink(join(elsewhere, 'target'), join(stick, name));
      expect(await refusedFrom(start())).toContain('a link or not a file');
    },
  );

  it('that is itself a link, or holds a folder for a file, is refused', async () => {
    await lay();
    const link = join(temporaryFolder(), 'link');
    await symlink(stick, link);
    expect(await refusedFrom(start({ stick: link }))).toContain('a link or not a file');
    await rm(join(stick, packageFile));
    await mkdir(join(stick, packageFile));
    expect(await refusedFrom(start())).toContain('a link or not a file');
  });
});

describe('an old release that is signed', () => {
  it('is refused once a newer one was seen, also after a start', async () => {
    const first = start();
    server.release = makeRelease(key, { release: { version: '1.2.0', sequence: 12 } });
    await first.feature.check();
    await first.feature.dismiss();
    await lay();
    expect(await refusedFrom(first)).toContain('older than one seen before');
    const next = start({ ports: first.ports });
    expect(await refusedFrom(next)).toContain('older than one seen before');
    server.release = makeRelease(key, { release: { version: '1.2.0', sequence: 12 } });
    await next.feature.check();
    expect(next.state().kind).toBe('available');
  });

  it('is kept out by the running release where the memory is lost', async () => {
    const ports = createTestPorts();
    ports.documents.texts.set('updates.json', '{"version":1,"greatestSeen":"many"}');
    await lay({ release: { version: '0.9.9', sequence: 9 } });
    const rig = start({ ports });
    expect(await refusedFrom(rig)).toContain('is older than');
    expect(ports.logger.lines).toContainEqual(expect.objectContaining({ event: 'document-set-aside' }));
  });
});

describe('the private folder', () => {
  it('holds back a package that changed after it was checked', async () => {
    const rig = start();
    await rig.feature.check();
    await rig.feature.take();
    const [name = ''] = await kept(rig);
    await appendFile(join(rig.ports.dataDir, 'updates', name), 'x');
    expect((await rig.feature.install('1.1.0')).ok).toBe(false);
    expect(rig.said()).toContain('changed on this computer after the check');
    expect(rig.installed).toEqual([]);
    expect(await kept(rig)).toEqual([]);
  });

  it('holds back one that is gone', async () => {
    const rig = start();
    await rig.feature.check();
    await rig.feature.take();
    await rm(join(rig.ports.dataDir, 'updates'), { recursive: true });
    expect((await rig.feature.install('1.1.0')).ok).toBe(false);
    expect(rig.installed).toEqual([]);
  });

  it('is emptied at the start of what a dead console left, link or folder', async () => {
    const ports = createTestPorts();
    const folder = join(ports.dataDir, 'updates');
    const elsewhere = temporaryFolder();
    await writeFile(join(elsewhere, 'precious'), 'x');
    await mkdir(join(folder, 'installer/pending'), { recursive: true });
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'half.package'), 'x');
    await symlink(elsewhere, join(folder, 'link'));
    const rig = start({ ports });
    await lay();
    await rig.feature.takeFromFolder();
    expect(await kept(rig)).toHaveLength(1);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(elsewhere)).toEqual(['precious']);
  });

  it('is never the folder that a link leads to', async () => {
    const ports = createTestPorts();
    const elsewhere = temporaryFolder();
    await symlink(elsewhere, join(ports.dataDir, 'updates'));
    await lay();
    const rig = start({ ports });
    expect((await rig.feature.takeFromFolder()).ok).toBe(true);
    expect(await readdir(elsewhere)).toEqual([]);
    expect(await kept(rig)).toHaveLength(1);
  });

  it('that is full is said to be so, before and while it is written', async () => {
    await lay();
    const folder = createPrivateFolder(createTestPorts().dataDir);
    const before = start({ host: { folder: { ...folder, free: () => Promise.resolve(3_000_000) } } });
    await before.feature.takeFromFolder();
    expect(before.said()).toContain('Not enough room');
    const removed: string[] = [];
    const begin: typeof folder.begin = async () => {
      const copy = await folder.begin();
      return {
        ...copy,
        write: () => Promise.reject(Object.assign(new Error('write'), { code: 'ENOSPC' })),
        remove: async () => {
          await copy.remove();
          removed.push(copy.path);
        },
      };
    };
    const during = start({ host: { folder: { ...folder, begin } } });
    await during.feature.takeFromFolder();
    expect(during.said()).toContain('Not enough room');
    expect(removed).toHaveLength(1);
  });
});

describe('what is under way', () => {
  /** A stick that gives the first piece of its package and then waits to be pulled. */
  function slowStick(): { readonly source: ReleaseSource; pull(): void } {
    const release = makeRelease(key);
    let pull = (): void => undefined;
    const pulled = new Promise<void>((resolve) => {
      pull = resolve;
    });
    return {
      source: {
        read: (name) => Promise.resolve(name === 'release.json' ? release.manifest : release.signature),
        pieces: async function* (_name, signal) {
          yield release.content.subarray(0, 1_000_000);
          const stopped = new Promise<void>((resolve) => {
            if (signal.aborted) resolve();
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
          await Promise.race([pulled, stopped]);
          throw new SourceError('broken', 'EIO');
        },
      },
      pull: () => pull(),
    };
  }

  it('shows how far it is, and ends where the stick is pulled', async () => {
    const slow = slowStick();
    const rig = start({ host: { chooseFolder: () => Promise.resolve(slow.source) } });
    const taken = rig.feature.takeFromFolder();
    await until(() => rig.state().kind === 'taking');
    slow.pull();
    expect((await taken).ok).toBe(false);
    expect(rig.said()).toBe('Can’t read the whole release.');
    expect(await kept(rig)).toEqual([]);
  });

  it('is one thing: another verb is refused and changes nothing', async () => {
    const slow = slowStick();
    const rig = start({ host: { chooseFolder: () => Promise.resolve(slow.source) } });
    const taken = rig.feature.takeFromFolder();
    await until(() => rig.state().kind === 'taking');
    const others = [
      rig.feature.check(),
      rig.feature.take(),
      rig.feature.takeFromFolder(),
      rig.feature.install('1.1.0'),
    ];
    for (const other of await Promise.all(others)) {
      expect(other).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    }
    expect(rig.state().kind).toBe('taking');
    slow.pull();
    await taken;
  });

  it('is stopped by a dismissal, which leaves nothing', async () => {
    const slow = slowStick();
    const rig = start({ host: { chooseFolder: () => Promise.resolve(slow.source) } });
    const taken = rig.feature.takeFromFolder();
    await until(() => rig.state().kind === 'taking');
    expect((await rig.feature.dismiss()).ok).toBe(true);
    expect(await taken).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    expect(rig.state()).toEqual({ kind: 'idle' });
    expect(await kept(rig)).toEqual([]);
  });

  it('does not keep the console from closing, nor does a dialog that is open', async () => {
    const slow = slowStick();
    const rig = start({ host: { chooseFolder: () => Promise.resolve(slow.source) } });
    const taken = rig.feature.takeFromFolder();
    await until(() => rig.state().kind === 'taking');
    await rig.feature.close();
    expect((await taken).ok).toBe(false);
    let dialogs = 0;
    const chooseFolder = (): Promise<null> => {
      dialogs += 1;
      return new Promise(() => undefined);
    };
    const asking = start({ host: { chooseFolder } });
    const asked = asking.feature.takeFromFolder();
    await until(() => dialogs === 1);
    await asking.feature.close();
    expect((await asked).ok).toBe(true);
    expect((await asking.feature.check()).ok).toBe(false);
  });

  it('thrown away, a ready package is gone', async () => {
    await lay();
    const rig = start();
    await rig.feature.takeFromFolder();
    expect(await kept(rig)).toHaveLength(1);
    await rig.feature.dismiss();
    expect(rig.state()).toEqual({ kind: 'idle' });
    expect(await kept(rig)).toEqual([]);
    expect((await rig.feature.take()).ok).toBe(false);
  });
});

describe('the installation', () => {
  it('is of the version that was asked for', async () => {
    await lay();
    const rig = start();
    await rig.feature.takeFromFolder();
    expect((await rig.feature.install('1.2.0')).ok).toBe(false);
    expect(rig.state().kind).toBe('ready');
    expect(rig.installed).toEqual([]);
  });

  it('that the installer refuses is said in its words, and leaves nothing', async () => {
    await lay();
    const rig = start({
      outcome: { kind: 'failed', sentence: message('update.cannotReplace'), detail: 'x' },
    });
    await rig.feature.takeFromFolder();
    expect((await rig.feature.install('1.1.0')).ok).toBe(false);
    expect(rig.said()).toBe(english(message('update.cannotReplace')));
    expect(await kept(rig)).toEqual([]);
    const next = start({ ports: rig.ports });
    await next.feature.dismiss();
    expect(next.said()).toBeNull();
  });

  it('that did not come about is said at the next start, once', async () => {
    await lay();
    const first = start();
    await first.feature.takeFromFolder();
    await first.feature.install('1.1.0');
    expect((await first.feature.dismiss()).ok).toBe(false);
    const second = start({ ports: first.ports });
    await until(() => second.state().kind === 'refused');
    expect(second.said()).toBe('The update to 1.1.0 was not installed. Version 1.0.0 still runs.');
    const third = start({ ports: first.ports });
    await third.feature.check();
    expect(third.state().kind).toBe('available');
  });

  it('that came about is not spoken of', async () => {
    await lay();
    const first = start();
    await first.feature.takeFromFolder();
    await first.feature.install('1.1.0');
    const second = start({ ports: first.ports, version: '1.1.0', trust: { ...trust, sequence: 11 } });
    await until(() => second.ports.logger.lines.some(({ event }) => event === 'update-installed'));
    expect(second.state()).toEqual({ kind: 'idle' });
  });
});

describe('asking unasked', () => {
  const hour = 3_600_000;
  const asks = (): number => server.asked.filter((path) => path === '/field/release.json').length;

  it('begins after the start, goes on about every six hours, and shows what it finds', async () => {
    server.release = makeRelease(key, { release: { version: '1.0.0', sequence: 10 } });
    const rig = start();
    await rig.ports.clock.advance(60_000);
    await until(() => rig.store.slice('updates').lastCheckAt !== null);
    expect(rig.state()).toEqual({ kind: 'idle' });
    await rig.ports.clock.advance(5 * hour - 1);
    expect(asks()).toBe(1);
    server.release = makeRelease(key);
    expect(rig.ports.clock.runNext(rig.ports.clock.elapsed() + 2 * hour + 1)).toBe(true);
    await until(() => rig.state().kind === 'available');
    await rig.ports.clock.advance(24 * hour);
    expect(asks()).toBe(2);
  });

  it('says nothing of a server that is away', async () => {
    const rig = start({ trust: { ...trust, server: 'https://127.0.0.1:1/' } });
    await rig.ports.clock.advance(60_000);
    await until(() => rig.ports.logger.lines.some(({ event }) => event === 'update-not-asked'));
    expect(rig.state()).toEqual({ kind: 'idle' });
  });

  it('says of a forged release that it is one', async () => {
    server.release = makeRelease(key, { signedBy: [makeKey('release-2026')] });
    const rig = start();
    await rig.ports.clock.advance(60_000);
    await until(() => rig.state().kind === 'refused');
    expect(rig.said()).toContain('The signature does not match');
  });

  it('keeps to the rollout, which asking by hand does not', async () => {
    server.release = makeRelease(key, { release: { rollout: 0 } });
    const rig = start();
    await rig.ports.clock.advance(60_000);
    await until(() => rig.store.slice('updates').lastCheckAt !== null);
    expect(rig.state()).toEqual({ kind: 'idle' });
    await until(() => asks() === 1);
    await rig.feature.check();
    expect(rig.state().kind).toBe('available');
  });

  it('does not happen in a kiosk, nor where updates are off', async () => {
    const policies = [
      { ...noPolicy, kiosk: 'operator', updates: { allowed: true, server: null } },
      { ...noPolicy, kiosk: 'operator', updates: { allowed: false, server: null } },
      { ...noPolicy, updates: { allowed: false, server: null } },
    ] as const;
    for (const policy of policies) {
      const rig = start({ policy });
      await rig.ports.clock.advance(24 * hour);
    }
    expect(server.asked).toEqual([]);
  });
});

describe('where updates are not offered', () => {
  it.each([
    ['policy', { policy: { ...noPolicy, updates: { allowed: false, server: null } } }, 'policy-forbids'],
    ['managed', { host: { offered: 'managed' } }, 'update-refused'],
    ['unsigned', { trust: trustIn([]) }, 'update-refused'],
  ] as const)('%s: every verb is refused', async (offered, more, code) => {
    await lay();
    const rig = start(more);
    expect(rig.store.slice('updates')).toMatchObject({ offered, server: false });
    const asked = [
      rig.feature.check(),
      rig.feature.take(),
      rig.feature.takeFromFolder(),
      rig.feature.install('1.1.0'),
    ];
    for (const result of await Promise.all(asked))
      expect(result).toMatchObject({ ok: false, failure: { code } });
    expect(server.asked).toEqual([]);
    expect(rig.state()).toEqual({ kind: 'idle' });
  });

  it('a server is not asked where none is named', async () => {
    const rig = start({ trust });
    expect(rig.store.slice('updates')).toMatchObject({ offered: 'yes', server: false });
    expect((await rig.feature.check()).ok).toBe(false);
    expect(rig.state()).toEqual({ kind: 'idle' });
  });
});
