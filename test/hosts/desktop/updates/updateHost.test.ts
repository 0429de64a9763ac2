import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFolderSource } from '../../../../src-main/adapters/updates/folderSource.ts';
import { createPrivateFolder, privateFolderOf } from '../../../../src-main/adapters/updates/privateFolder.ts';
import { createServerSource } from '../../../../src-main/adapters/updates/serverSource.ts';
import type { UpdateHost } from '../../../../src-main/core/features/updates/updateHost.ts';
import { watchDialogs, type OwnDialogs } from '../../../../src-main/hosts/desktop/dialogs.ts';
import {
  createUpdateHost,
  isCopiedFolder,
  readInstallKind,
} from '../../../../src-main/hosts/desktop/updates/index.ts';
import { createWords } from '../../../../src-main/hosts/desktop/words.ts';
import {
  layOut,
  makeKey,
  makeRelease,
  temporaryFolder,
  trustIn,
} from '../../../core/features/updates/releases.ts';
import { createVirtualClock } from '../../../support/clock.ts';
import { createTestNetwork } from '../../../support/ports.ts';
import { FakeApp } from '../fake/app.ts';
import { aWindow, FakeFolderDialog, FakeUpdaterApp } from '../fake/updates.ts';

const key = makeKey('release-2026');
let data: string;
let dialog: FakeFolderDialog;
let app: FakeUpdaterApp;
let dialogs: OwnDialogs;

beforeEach(async () => {
  data = temporaryFolder();
  await mkdir(join(data, 'resources'));
  await writeFile(join(data, 'resources/install-kind.txt'), 'deb\nsigned\n');
  dialog = new FakeFolderDialog();
  app = new FakeUpdaterApp();
  dialogs = watchDialogs();
});

const open = (
  more: { readonly windows?: (typeof aWindow)[]; readonly resources?: string } = {},
): UpdateHost =>
  createUpdateHost({
    electron: {
      app: app.asApp(),
      dialog,
      BrowserWindow: { getAllWindows: () => more.windows ?? [aWindow] },
    },
    dialogs,
    words: createWords(new FakeApp([])),
    platform: 'linux',
    arch: 'x64',
    resources: more.resources ?? join(data, 'resources'),
    appImage: undefined,
    startArguments: [],
    trust: JSON.parse(JSON.stringify(trustIn([key]))),
    folder: createPrivateFolder(data),
    folderPath: privateFolderOf(data),
    server: (address) =>
      createServerSource({ address, clock: createVirtualClock(), network: createTestNetwork() }),
    folderSource: createFolderSource,
  });

describe('what an installation can be updated with', () => {
  it.each([
    ['deb\nsigned\n', 'yes', 'deb'],
    ['nsis\r\nsigned\r\n', 'yes', 'nsis'],
    ['dmg\nsigned\n', 'yes', 'mac-zip'],
    ['deb\nunsigned\n', 'unsigned', 'deb'],
    ['deb', 'unsigned', 'deb'],
    ['msi\nsigned\n', 'managed', 'appimage'],
    ['dir\nsigned\n', 'managed', 'appimage'],
    ['constructor\nsigned\n', 'managed', 'appimage'],
    ['', 'managed', 'appimage'],
    [null, 'development', 'appimage'],
  ] as const)('%j: %s', (text, offered, kind) => {
    expect(readInstallKind({ text, packaged: true, appImage: undefined })).toEqual({ offered, kind });
  });

  it.each([
    ['msi\nunsigned\n', false],
    ['nsis\r\nsigned\r\n', false],
    ['dir\nunsigned\n', true],
  ])(
    'tells a folder that was copied, whose links nothing registered: %j %s (fact 34)',
    async (text, copied) => {
      const folder = temporaryFolder();
      expect(isCopiedFolder(folder)).toBe(false);
      await writeFile(join(folder, 'install-kind.txt'), text);
      expect(isCopiedFolder(folder)).toBe(copied);
    },
  );

  it('is nothing where the application is not packaged', () => {
    const given = { text: 'deb\nsigned\n', packaged: false, appImage: undefined };
    expect(readInstallKind(given).offered).toBe('development');
  });

  it('is an AppImage only while it runs as one', () => {
    const given = { text: 'appimage\nsigned\n', packaged: true };
    expect(readInstallKind({ ...given, appImage: undefined }).offered).toBe('managed');
    expect(readInstallKind({ ...given, appImage: '/opt/a.AppImage' }).offered).toBe('yes');
  });
});

describe('the host of updates', () => {
  it('says what is installed and what the build believes', () => {
    const host = open();
    expect(host).toMatchObject({
      offered: 'yes',
      target: { platform: 'linux', arch: 'x64', kind: 'deb' },
      trust: { keys: [{ id: 'release-2026' }] },
    });
    expect(open({ resources: join(data, 'nowhere') }).offered).toBe('development');
  });

  it('asks the system for a folder, over the window, and reads the release that lies there', async () => {
    const host = open();
    expect(await host.chooseFolder()).toBeNull();
    const stick = temporaryFolder();
    const release = makeRelease(key);
    await layOut(stick, release);
    dialog.answer = { canceled: false, filePaths: [stick] };
    const source = await host.chooseFolder();
    const read = await source?.read('release.json', 65_536, new AbortController().signal);
    expect(read).toEqual(release.manifest);
    expect(dialog.asked[0]).toEqual([
      aWindow,
      expect.objectContaining({ properties: ['openDirectory', 'dontAddToRecent'] }),
    ]);
  });

  it('counts as an open dialog meanwhile, to which a kiosk leaves the keyboard', async () => {
    const asked = open().chooseFolder();
    expect(dialogs.isOpen()).toBe(true);
    await asked;
    expect(dialogs.isOpen()).toBe(false);
  });

  it('asks without a window where there is none, and takes no answer for none', async () => {
    dialog.answer = { canceled: false, filePaths: [] };
    expect(await open({ windows: [] }).chooseFolder()).toBeNull();
    expect(dialog.asked[0]).toHaveLength(1);
  });

  it('hands what was checked to the installer of its kind', async () => {
    const path = join(data, "o'neil");
    const signed = { manifest: new Uint8Array(), signatures: new Uint8Array() };
    const checked = { path, version: '1.1.0', bytes: 1, sha512: '', kind: 'appimage', signed } as const;
    expect(await open().install(checked)).toMatchObject({ kind: 'failed', detail: 'place' });
  });
});
