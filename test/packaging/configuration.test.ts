import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { policyPathOf } from '../../src-main/adapters/policyFile.ts';
import { nameApplication } from '../../src-main/hosts/desktop/settings/applicationName.ts';
import { FakeApp } from '../hosts/desktop/fake/app.ts';
import {
  azureNames,
  azureSigning,
  configuration,
  fileAssociations,
  signs,
} from '../../build/electron-builder.ts';

const made = (signed: boolean, more: { kind?: 'nsis' | 'msi'; publisher?: string } = {}) =>
  configuration({
    kind: 'dmg',
    targets: ['dmg'],
    signed,
    ...more,
    electronVersion: '1.2.3',
    app: 'dist/app',
    output: 'dist',
  });

test('a package that nobody signed says so in its name', () => {
  expect(made(false).artifactName).toContain('-unsigned.');
  expect(made(true).artifactName).not.toContain('unsigned');
});

test('each system signs only with its own secrets', () => {
  expect(signs('linux', {})).toBe(false);
  expect(signs('linux', { CSC_LINK: 'there' })).toBe(false);
  expect(signs('linux', { FIELD_CONSOLE_SIGNED_UPDATES: 'there' })).toBe(true);
  expect(signs('darwin', { FIELD_CONSOLE_SIGNED_UPDATES: 'there' })).toBe(false);
  expect(signs('darwin', { CSC_LINK: 'there' })).toBe(true);
  expect(signs('darwin', { WIN_CSC_LINK: 'there' })).toBe(false);
  expect(signs('win32', { WIN_CSC_LINK: 'there' })).toBe(true);
  // A workflow hands over a secret that does not exist as an empty text.
  expect(signs('win32', { WIN_CSC_LINK: '', CSC_LINK: '' })).toBe(false);
});

test('Windows is signed by Azure where all of it is given, which the workflow hands over', async () => {
  const given = Object.fromEntries(azureNames.map((name) => [name, `its ${name}`]));
  expect(signs('win32', given)).toBe(true);
  const { win } = configuration({
    ...{ kind: 'nsis', targets: ['nsis'], signed: true, publisher: 'CN=Example', electronVersion: '1.2.3' },
    ...{ app: 'dist/app', output: 'dist', azure: azureSigning(given) },
  });
  expect(win).toMatchObject({
    azureSignOptions: {
      publisherName: 'CN=Example',
      endpoint: 'its FIELD_CONSOLE_AZURE_ENDPOINT',
      codeSigningAccountName: 'its FIELD_CONSOLE_AZURE_ACCOUNT',
      certificateProfileName: 'its FIELD_CONSOLE_AZURE_PROFILE',
    },
  });
  const workflow = await readFile(resolve('.github/workflows/release.yml'), 'utf8');
  for (const name of azureNames) {
    expect(signs('win32', { ...given, [name]: '' }), name).toBe(false);
    expect(workflow).toMatch(new RegExp(`${name}: \\$\\{\\{ (secrets|vars)\\.${name} \\}\\}`));
  }
  expect(made(true).win).not.toHaveProperty('azureSignOptions');
});

test('macOS signs nothing by itself where nothing was given to sign with', () => {
  expect(made(false).mac).toMatchObject({ identity: null, notarize: false, hardenedRuntime: true });
  expect(made(true).mac).not.toHaveProperty('identity');
});

test('macOS lets the application compile, and nothing else', async () => {
  const text = await readFile(resolve('build/entitlements.mac.plist'), 'utf8');
  expect([...text.matchAll(/<key>(.*)<\/key>/g)].map(([, key]) => key)).toEqual([
    'com.apple.security.cs.allow-jit',
  ]);
});

test('no package is published, and none is started without its sandbox', () => {
  expect(made(true).publish).toBeNull();
  expect(made(true).linux.executableArgs).toEqual([]);
});

test('deployment files, map packages and links open in it', () => {
  expect(fileAssociations.map(({ ext }) => ext)).toEqual(['fieldconsole', 'pmtiles', 'mbtiles']);
  expect(made(true).fileAssociations).toBe(fileAssociations);
  expect(made(true).protocols.flatMap(({ schemes }) => schemes)).toEqual(['field-console']);
});

test('the icons are there in every size and form', async () => {
  const start = async (name: string): Promise<string> =>
    (await readFile(resolve('build/icons', name))).subarray(0, 4).toString('latin1');
  for (const size of [16, 24, 32, 48, 64, 128, 256, 512]) {
    const png = await readFile(resolve('build/icons', `${size}x${size}.png`));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  }
  expect(await start('icon.icns')).toBe('icns');
  expect(await start('icon.ico')).toBe('\0\0\x01\0');
});

test('a signed installer for Windows names its publisher, and is not made without one', async () => {
  expect(() => made(true, { kind: 'nsis' })).toThrow('FIELD_CONSOLE_WINDOWS_PUBLISHER');
  // A workflow hands over a variable that does not exist as an empty text.
  expect(() => made(true, { kind: 'nsis', publisher: '' })).toThrow('FIELD_CONSOLE_WINDOWS_PUBLISHER');
  // What is packed for one half of a universal application gets no fuses yet.
  const appOutDir = await mkdtemp(join(tmpdir(), 'field-console-packed-'));
  const packing = { appOutDir: join(appOutDir, 'win-temp'), electronPlatformName: 'win32' };
  await mkdir(join(packing.appOutDir, 'resources'), { recursive: true });
  const { afterPack } = made(true, { kind: 'nsis', publisher: 'CN="Example, Inc.", C=AT' });
  await afterPack({ ...packing, packager: { appInfo: { productFilename: 'Field Console' } } });
  expect(await readFile(join(packing.appOutDir, 'resources/app-update.yml'), 'utf8')).toBe(
    'provider: custom\nupdaterCacheDirName: field-console-updater\npublisherName: ["CN=\\"Example, Inc.\\", C=AT"]\n',
  );
  await rm(appOutDir, { recursive: true });
  expect(() => made(false, { kind: 'nsis' })).not.toThrow();
  expect(() => made(true, { kind: 'msi' })).not.toThrow();
});

test('Windows groups windows and notifications by the id of the installer (fact 23)', () => {
  const idOf = (...how: ['shipped' | 'development', NodeJS.Platform]): string | null => {
    const app = new FakeApp([]);
    nameApplication(app, ...how);
    return app.modelId;
  };
  expect(idOf('shipped', 'win32')).toBe(made(true).appId);
  const electrons = new FakeApp([]).modelId;
  expect(idOf('shipped', 'linux')).toBe(electrons);
  expect([made(true).appId, electrons]).not.toContain(idOf('development', 'win32'));
});

test('the uninstaller of Windows takes away what the console wrote for its account, but not at an update', async () => {
  const app = new FakeApp([]);
  nameApplication(app, 'shipped', 'win32');
  const nsis = await readFile(resolve(made(true).nsis.include), 'utf8');
  const [, own = ''] = /\$\{ifNot\} \$\{isUpdated\}([^]*?)\$\{endIf\}/.exec(nsis) ?? [];
  const run = 'Software\\Microsoft\\Windows\\CurrentVersion';
  for (const line of [
    'DeleteRegKey HKCU "Software\\Classes\\field-console"',
    `DeleteRegKey HKCU "Software\\Classes\\CLSID\\${app.toastActivator}"`,
    `DeleteRegValue HKCU "${run}\\Run" "${app.modelId}"`,
    `DeleteRegValue HKCU "${run}\\Explorer\\StartupApproved\\Run" "${app.modelId}"`,
  ])
    expect(own).toContain(line);
  // The rest of the uninstaller works for all accounts.
  expect(own).toMatch(
    /SetShellVarContext current\s+Delete "\$SMPROGRAMS\\Field Console\.lnk"\s+SetShellVarContext all\s*$/,
  );
});

test('both installers of Windows tie links to the application, behind `--`, and take that away again', async () => {
  const nsis = await readFile(resolve(made(true).nsis.include), 'utf8');
  expect(nsis).toContain(
    '\\field-console\\shell\\open\\command" "" \'"$INSTDIR\\${APP_EXECUTABLE_FILENAME}" -- "%1"\'',
  );
  expect(nsis).toMatch(/customUnInstall\n {2}DeleteRegKey SHELL_CONTEXT "Software\\Classes\\field-console"/);

  const folder = await mkdtemp(join(tmpdir(), 'field-console-msi-'));
  const project = join(folder, 'project.wxs');
  const template = resolve('node_modules/app-builder-lib/templates/msi/template.xml');
  await writeFile(project, await readFile(template, 'utf8'));
  await made(true).msiProjectCreated(project);
  const text = await readFile(project, 'utf8');
  expect(text).toMatch(/<Component Id="fieldConsoleLinks"[^]*<\/Component>\s*<\/ComponentGroup>/);
  expect(text).toContain('Key="Software\\Classes\\field-console" ForceDeleteOnUninstall="yes"');
  expect(text).toContain('Value="&quot;[#mainExecutable]&quot; -- &quot;%1&quot;"');
  await writeFile(project, '<Wix/>');
  await expect(made(true).msiProjectCreated(project)).rejects.toThrow('no place for links');
  await rm(folder, { recursive: true });
});

test('the installer of Windows makes the policy’s folder, closed as docs/policy.md says, and leaves one that is there', async () => {
  const nsis = await readFile(resolve(made(true).nsis.include), 'utf8');
  // Whoever makes the folder of the policy makes the policy.
  const page = await readFile('docs/policy.md', 'utf8');
  const grants = /icacls "([^"]+)" \/inheritance:r \/grant (.+)/.exec(page);
  const [, folder = '', groups = ''] = grants ?? [];
  expect(win32.dirname(policyPathOf('win32'))).toBe(folder);
  const steps = [
    `IfFileExists "${folder}" policyFolderIsThere`,
    `CreateDirectory "${folder}"`,
    `icacls.exe" "${folder}" /inheritance:r /grant:r ${groups}'`,
    `icacls.exe" "${folder}" /setowner *S-1-5-32-544'`,
    `Delete "${folder}\\policy.json"`,
    'policyFolderIsThere:',
  ].map((step) => nsis.indexOf(step));
  expect(steps.every((at) => at > 0)).toBe(true);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
});

test('the MSI makes the policy’s folder, which Administrators own and users only read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-msi-'));
  const project = join(folder, 'project.wxs');
  await writeFile(
    project,
    await readFile(resolve('node_modules/app-builder-lib/templates/msi/template.xml')),
  );
  await made(true).msiProjectCreated(project);
  const text = await readFile(project, 'utf8');
  await rm(folder, { recursive: true });
  const [, directory = '', access = ''] =
    /<Component Id="fieldConsolePolicy" Directory="(\w+)"[^>]*KeyPath="yes">\s*<CreateFolder>\s*<PermissionEx Id="\w+" Sddl="([^"]+)"\/>\s*<\/CreateFolder>\s*<\/Component>\s*<\/ComponentGroup>/.exec(
      text,
    ) ?? [];
  const name = win32.basename(win32.dirname(policyPathOf('win32')));
  expect(text).toMatch(
    new RegExp(
      `<DirectoryRef Id="TARGETDIR">\\s*<Directory Id="CommonAppDataFolder">\\s*<Directory Id="${directory}" Name="${name}"/>`,
    ),
  );
  // Owner and group; nothing inherited; whole access for Administrators and the system; users read and list.
  expect(access).toBe('O:BAG:BAD:P(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)');
  // The descriptor needs Windows Installer 5, which electron-builder's template asks for.
  expect(text).toContain('InstallerVersion="500"');
});
