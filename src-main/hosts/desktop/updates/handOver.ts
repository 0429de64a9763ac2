import type { AppUpdater } from 'electron-updater';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { moveFile } from '../../../adapters/durableFiles.ts';
import { pipeline } from 'node:stream/promises';
import type { CheckedPackage } from '../../../core/features/updates/updateHost.ts';

type Feed = Extract<Parameters<AppUpdater['setFeedURL']>[0], { readonly provider: 'custom' }>;
type Info = NonNullable<Awaited<ReturnType<AppUpdater['checkForUpdates']>>>['updateInfo'];

/** An address without a server: electron-updater takes the file's name from it. */
const addressOf = (name: string): URL => new URL(`https://checked.invalid/${encodeURIComponent(name)}`);

/** Gives electron-updater one release, the checked one, without asking a server. */
export function feedOf(checked: CheckedPackage, name: string): Feed {
  const { version, bytes, sha512, kind } = checked;
  const file = {
    url: encodeURIComponent(name),
    sha512,
    size: bytes,
    // It is installed for all users of the computer (build/electron-builder.ts).
    isAdminRightsRequired: kind === 'nsis',
  };
  const info: Info = { version, files: [file], path: file.url, sha512, releaseDate: '' };
  class CheckedRelease {
    readonly isUseMultipleRangeRequest = false;
    readonly fileExtraDownloadHeaders = null;
    setRequestHeaders(): void {
      // No request is sent that could have headers.
    }
    getLatestVersion(): Promise<Info> {
      return Promise.resolve(info);
    }
    resolveFiles(): { url: URL; info: typeof file }[] {
      return [{ url: addressOf(name), info: file }];
    }
  }
  return { provider: 'custom', updateProvider: CheckedRelease };
}

/**
 * Replaces the downloader of electron-updater. Its only download is the checked file, moved and not copied, and hashed
 * again in its new place.
 */
export function handOverOf(checked: CheckedPackage): {
  download(url: URL, destination: string, options: { readonly sha512?: string | null }): Promise<string>;
} {
  return {
    download: async (_url, destination, { sha512 }) => {
      await moveFile(checked.path, destination);
      await chmod(destination, 0o600);
      const hash = createHash('sha512');
      await pipeline(createReadStream(destination), hash);
      if (sha512 !== checked.sha512 || hash.digest('base64') !== checked.sha512) {
        await rm(destination, { force: true });
        throw new Error('The package is not the one that was checked');
      }
      return destination;
    },
  };
}

/** Whether the checked package is at `path`. Synchronous, because it is called right before the package runs. */
export function isUnchanged(path: string, { sha512 }: Pick<CheckedPackage, 'sha512'>): boolean {
  const hash = createHash('sha512');
  const buffer = new Uint8Array(4 * 1024 * 1024);
  try {
    const file = openSync(path, 'r');
    try {
      for (;;) {
        const bytes = readSync(file, buffer);
        if (bytes === 0) return hash.digest('base64') === sha512;
        hash.update(buffer.subarray(0, bytes));
      }
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
