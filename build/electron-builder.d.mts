export interface FileAssociation {
  readonly ext: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}
export const fileAssociations: readonly FileAssociation[];
export const linkScheme: string;
export function signs(
  platform?: NodeJS.Platform,
  environment?: Readonly<Record<string, string | undefined>>,
): boolean;
export function configuration(options: {
  readonly kind: 'dir' | 'appimage' | 'nsis' | 'msi' | 'dmg';
  readonly targets: readonly string[];
  readonly signed: boolean;
  readonly publisher?: string | undefined;
  readonly electronVersion: string;
  readonly electronDist?: string;
  readonly app: string;
  readonly output: string;
}): {
  readonly appId: string;
  readonly artifactName: string;
  readonly nsis: { readonly include: string };
  readonly afterPack: (context: {
    readonly appOutDir: string;
    readonly electronPlatformName: string;
    readonly packager: { readonly appInfo: { readonly productFilename: string } };
  }) => Promise<void>;
  readonly msiProjectCreated: (path: string) => Promise<void>;
  readonly publish: null;
  readonly fileAssociations: readonly FileAssociation[];
  readonly protocols: readonly { readonly schemes: readonly string[] }[];
  readonly linux: { readonly executableArgs: readonly string[] };
  readonly mac: { readonly hardenedRuntime: boolean; readonly identity?: null; readonly notarize: boolean };
};
