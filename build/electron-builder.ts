/** electron-builder's configuration, and what is done to a package between packing and signing. */
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { Configuration } from 'electron-builder';
import { setFuses } from './fuses.ts';

interface FileAssociation {
  readonly ext: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly role: 'Viewer';
  readonly rank: 'Owner' | 'Alternate';
}

/** Types of files that open in the console; the Debian package names the same ones. */
export const fileAssociations: FileAssociation[] = [
  {
    ext: 'fieldconsole',
    name: 'Field Console deployment',
    description: 'Field Console deployment',
    mimeType: 'application/vnd.field-console.deployment+json',
    role: 'Viewer',
    rank: 'Owner',
  },
  {
    ext: 'pmtiles',
    name: 'PMTiles map package',
    description: 'PMTiles map package',
    mimeType: 'application/vnd.pmtiles',
    role: 'Viewer',
    rank: 'Alternate',
  },
  {
    ext: 'mbtiles',
    name: 'MBTiles map package',
    description: 'MBTiles map package',
    mimeType: 'application/x-mbtiles',
    role: 'Viewer',
    rank: 'Alternate',
  },
];
export const linkScheme = 'field-console';
/** As the application calls itself on Windows (src-main/hosts/desktop/settings/applicationName.ts). */
const applicationId = 'org.fieldconsole.app';
const executableName = 'field-console';

/** The MSI's part for links, as electron-builder's template has none; `#mainExecutable` is its own name. */
const msiLinks = `
      <Component Id="fieldConsoleLinks" Guid="{A0C1B1F4-3C53-4F0B-9D0B-6E2C8B7A4E10}">
        <RegistryKey Root="HKLM" Key="Software\\Classes\\${linkScheme}" ForceDeleteOnUninstall="yes">
          <RegistryValue Type="string" Value="URL:Field Console link" KeyPath="yes"/>
          <RegistryValue Name="URL Protocol" Type="string" Value=""/>
          <RegistryValue Key="shell\\open\\command" Type="string" Value="&quot;[#mainExecutable]&quot; -- &quot;%1&quot;"/>
        </RegistryKey>
      </Component>
    `;

/**
 * The MSI's part for the folder of the machine's policy: Administrators own it and users can only read, as
 * build/windows/installer.nsh does it for the other installer. The descriptor is an SDDL text (MsiLockPermissionsEx,
 * Windows Installer 5): P inherits nothing of C:\ProgramData, BA is Administrators, SY the system, BU users, who may
 * read and list (0x1200a9).
 */
const msiPolicyFolder = {
  component: `
      <Component Id="fieldConsolePolicy" Directory="fieldConsolePolicyFolder" Guid="{5D2E7C0A-91B7-4E0C-8C53-0F6B3A9D7E21}" KeyPath="yes">
        <CreateFolder>
          <PermissionEx Id="fieldConsolePolicyAccess" Sddl="O:BAG:BAD:P(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)"/>
        </CreateFolder>
      </Component>
    `,
  directory: `
    <DirectoryRef Id="TARGETDIR">
      <Directory Id="CommonAppDataFolder">
        <Directory Id="fieldConsolePolicyFolder" Name="Field Console"/>
      </Directory>
    </DirectoryRef>`,
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether this machine signs packages for a system. A Linux package has no signature: the signed update manifest covers
 * it, and the workflow declares that it will make one. The key for that is in no environment in which npm packages run.
 */
export function signs(
  platform: NodeJS.Platform = process.platform,
  environment: Environment = process.env,
): boolean {
  if (platform === 'darwin') return Boolean(environment['CSC_LINK']);
  if (platform === 'win32')
    return (
      Boolean(environment['WIN_CSC_LINK'] || environment['CSC_LINK']) || azureSigning(environment) !== null
    );
  return Boolean(environment['FIELD_CONSOLE_SIGNED_UPDATES']);
}

/** What says where Azure Artifact Signing signs, and who asks it to (docs/signing.md). */
export const azureNames = [
  ...([
    'FIELD_CONSOLE_AZURE_ENDPOINT',
    'FIELD_CONSOLE_AZURE_ACCOUNT',
    'FIELD_CONSOLE_AZURE_PROFILE',
  ] as const),
  ...(['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'] as const),
];

/** electron-builder's options for a certificate that Azure holds; null where something of it is missing. */
export function azureSigning(environment: Environment = process.env) {
  if (!azureNames.every((name) => environment[name])) return null;
  const named = (name: (typeof azureNames)[number]): string => environment[name] ?? '';
  return {
    endpoint: named('FIELD_CONSOLE_AZURE_ENDPOINT'),
    codeSigningAccountName: named('FIELD_CONSOLE_AZURE_ACCOUNT'),
    certificateProfileName: named('FIELD_CONSOLE_AZURE_PROFILE'),
  };
}

const notarizes = (environment: Environment) =>
  ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'].every((name) => Boolean(environment[name]));

/** What is used of electron-builder's words on a package. */
interface Packed {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
  readonly packager: { readonly appInfo: { readonly productFilename: string } };
}

/** Where the application's executable and its resources lie in a folder that electron-builder packed. */
function placesIn(context: Packed): { readonly executable: string; readonly resources: string } {
  const { appOutDir, electronPlatformName, packager } = context;
  const { productFilename } = packager.appInfo;
  switch (electronPlatformName) {
    case 'darwin': {
      const app = join(appOutDir, `${productFilename}.app`);
      return { executable: app, resources: join(app, 'Contents/Resources') };
    }
    case 'win32':
      return {
        executable: join(appOutDir, `${productFilename}.exe`),
        resources: join(appOutDir, 'resources'),
      };
    default:
      return {
        executable: join(appOutDir, executableName),
        resources: join(appOutDir, 'resources'),
      };
  }
}

export interface Options {
  /** How the package will have been installed. */
  readonly kind: 'dir' | 'appimage' | 'nsis' | 'msi' | 'dmg';
  /** electron-builder's targets for the running system. */
  readonly targets: string[];
  readonly signed: boolean;
  /** The subject of Windows' certificate; needed for a signed NSIS installer. */
  readonly publisher?: string | undefined;
  /** Where Azure signs for Windows; else a certificate in a file does. */
  readonly azure?: ReturnType<typeof azureSigning>;
  readonly electronVersion: string;
  /** A folder with Electron; else electron-builder downloads it. */
  readonly electronDist?: string | undefined;
  /** The folder with exactly what belongs into the archive. */
  readonly app: string;
  readonly output: string;
}

/**
 * What electron-updater reads beside the installed application: the name of its folder, and on Windows whose signature
 * an update must have. What to ask is given to it at run time.
 *
 * @throws Error for a signed installer of Windows without a publisher: electron-updater compares nothing then.
 */
function updateFile({ kind, signed, publisher }: Options): string {
  const lines = ['provider: custom', 'updaterCacheDirName: field-console-updater'];
  if (kind === 'nsis' && signed) {
    if (!publisher) {
      throw new Error(
        'A signed installer for Windows needs FIELD_CONSOLE_WINDOWS_PUBLISHER, the subject of its certificate (docs/signing.md)',
      );
    }
    lines.push(`publisherName: ${JSON.stringify([publisher])}`);
  }
  return `${lines.join('\n')}\n`;
}

export function configuration(options: Options) {
  const {
    kind,
    targets,
    signed,
    publisher = '',
    azure,
    electronVersion,
    electronDist,
    app,
    output,
  } = options;
  const suffix = signed ? '' : '-unsigned';
  const update = updateFile(options);
  return {
    appId: applicationId,
    productName: 'Field Console',
    copyright: 'Field Console contributors, Apache-2.0',
    artifactName: `field-console-\${version}-\${os}-\${arch}${suffix}.\${ext}`,
    directories: { app, output, buildResources: 'build' },
    files: ['package.json', 'out/**'],
    asar: { smartUnpack: false },
    electronVersion,
    ...(electronDist === undefined ? {} : { electronDist }),
    // Everything is inside the bundles: there are no modules to look for, to install or to build.
    beforeBuild: () => false,
    publish: null,
    fileAssociations,
    protocols: [{ name: 'Field Console link', schemes: [linkScheme] }],
    afterExtract: async (context: Packed) => {
      const resources =
        context.electronPlatformName === 'darwin'
          ? join(context.appOutDir, 'Electron.app/Contents/Resources')
          : join(context.appOutDir, 'resources');
      // Electron's sample application is no part of this one.
      await rm(join(resources, 'default_app.asar'), { force: true });
      await rm(join(context.appOutDir, 'version'), { force: true });
    },
    afterPack: async (context: Packed) => {
      const { executable, resources } = placesIn(context);
      await writeFile(join(resources, 'install-kind.txt'), `${kind}\n${signed ? 'signed' : 'unsigned'}\n`);
      await writeFile(join(resources, 'app-update.yml'), update);
      if (kind === 'appimage')
        await copyFile(join(import.meta.dirname, 'appimage/unshare'), join(context.appOutDir, 'unshare'));
      // The two halves of a universal macOS application are joined first; the whole comes here again.
      if (context.appOutDir.endsWith('-temp')) return;
      await setFuses(executable, {}, context.electronPlatformName === 'darwin' && !signed);
    },
    msiProjectCreated: async (path: string) => {
      const project = await readFile(path, 'utf8');
      const end = '</ComponentGroup>';
      if (project.split(end).length !== 2)
        throw new Error('The MSI has no place for links and policy folder');
      const { component, directory } = msiPolicyFolder;
      await writeFile(path, project.replace(end, `${msiLinks}${component}${end}${directory}`));
    },
    linux: {
      target: targets,
      icon: 'build/icons',
      executableName,
      executableArgs: [],
      syncDesktopName: true,
      category: 'Utility',
      synopsis: 'Console for the operators of a disaster-response drone service',
    },
    // The legacy runtime starts applications without their sandbox.
    toolsets: { appimage: '1.0.3' },
    win: {
      target: targets,
      icon: 'build/icons/icon.ico',
      ...(azure ? { azureSignOptions: { publisherName: publisher, ...azure } } : {}),
    },
    nsis: {
      oneClick: false,
      perMachine: true,
      deleteAppDataOnUninstall: false,
      include: 'build/windows/installer.nsh',
    },
    msi: {
      oneClick: true,
      perMachine: true,
      runAfterFinish: false,
      // The same for all versions: Windows then replaces an older one.
      upgradeCode: '6C0B7C4E-4B1C-4C39-9B55-1D0E2E1B7F5A',
    },
    mac: {
      target: targets.map((target) => ({ target })),
      icon: 'build/icons/icon.icns',
      category: 'public.app-category.utilities',
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements: 'build/entitlements.mac.plist',
      entitlementsInherit: 'build/entitlements.mac.plist',
      ...(signed ? {} : { identity: null }),
      notarize: signed && notarizes(process.env),
    },
  } satisfies Configuration;
}
