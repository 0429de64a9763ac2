/**
 * Downloads Electron's binary with Electron's own downloader and lets Electron's own installer unpack
 * it. Runs as a child of launch.mjs, which ends it when it goes silent: a name server that never
 * answers blocks the download where no time-out of ours reaches.
 *
 * Argument: a folder for unfinished downloads. Messages to the parent: `{ received }` (bytes so far),
 * `{ downloaded: true }`, `{ failed: reason }`.
 */
import { createRequire } from 'node:module';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const tempDirectory = process.argv[2];
const tell = (message) => process.send?.(message);
// Without its parent, no process would end this one or use its result.
process.on('disconnect', () => process.exit(1));

const fromHere = createRequire(import.meta.url);
const electronPackage = fromHere.resolve('electron/package.json');
const fromElectron = createRequire(electronPackage);
const { version } = fromElectron('./package.json');
const platform = process.env.ELECTRON_INSTALL_PLATFORM || process.env.npm_config_platform || process.platform;
const arch = process.env.ELECTRON_INSTALL_ARCH || process.env.npm_config_arch || process.arch;

try {
  const { downloadArtifact } = await import(pathToFileURL(fromElectron.resolve('@electron/get')).href);
  await downloadArtifact({
    version,
    artifactName: 'electron',
    platform,
    arch,
    cacheRoot: process.env.electron_config_cache,
    checksums: fromElectron('./checksums.json'),
    tempDirectory,
    downloadOptions: {
      quiet: true,
      getProgressCallback: ({ transferred }) => tell({ received: transferred }),
    },
  });
  tell({ downloaded: true });
  // The installer now finds the same file in the cache. It must not think of another architecture.
  process.env.npm_config_platform = platform;
  process.env.npm_config_arch = arch;
  process.once('exit', (status) => {
    if (status !== 0) tell({ failed: 'the archive could not be unpacked' });
  });
  await import(pathToFileURL(fromElectron.resolve('./install.js')).href);
  // The open channel would keep this process alive after the installer's last step.
  process.channel?.unref();
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  tell({ failed: cause instanceof Error ? cause.message || cause.code || cause.name : String(cause) });
  process.exitCode = 1;
  process.disconnect?.();
}
