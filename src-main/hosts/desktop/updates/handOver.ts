import type { AppUpdater } from 'electron-updater';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { CheckedPackage } from '../../../core/features/updates/updateHost.ts';

type Feed = Extract<Parameters<AppUpdater['setFeedURL']>[0], { readonly provider: 'custom' }>;
type Info = NonNullable<Awaited<ReturnType<AppUpdater['checkForUpdates']>>>['updateInfo'];

/** An address that leads nowhere: what electron-updater derives the file's name from. */
const addressOf = (name: string): URL => new URL(`https://checked.invalid/${encodeURIComponent(name)}`);

/** Tells electron-updater of one release: the checked one. Nothing is asked of any server. */
export function feedOf(checked: CheckedPackage, name: string): Feed {
  const { version, bytes, sha512, kind } = checked;
  const file = {
    url: encodeURIComponent(name),
    sha512,
    size: bytes,
    // It is installed for all users of the computer (build/electron-builder.mjs).
    isAdminRightsRequired: kind === 'nsis',
  };
  const info: Info = { version, files: [file], path: file.url, sha512, releaseDate: '' };
  class CheckedRelease {
    readonly isUseMultipleRangeRequest = false;
    readonly fileExtraDownloadHeaders = null;
    setRequestHeaders(): void {
      // There is no request that could carry them.
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
 * Takes the place of what electron-updater downloads with. Its one download is the checked file itself,
 * moved and not copied, and hashed once more where it then lies.
 */
export function handOverOf(checked: CheckedPackage): {
  download(url: URL, destination: string, options: { readonly sha512?: string | null }): Promise<string>;
} {
  return {
    download: async (_url, destination, { sha512 }) => {
      await rename(checked.path, destination);
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

/** Whether the checked package lies there. Blocks: it is asked in the moment in which it is run. */
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
