/**
 * Switches that Chromium, the operating system or a test driver put among the arguments. They are
 * Electron's business; every other unknown argument is refused with the usage.
 */
const runtimeSwitches = [
  '--inspect',
  '--remote-debugging-',
  '--ozone-platform',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--enable-features',
  '--disable-features',
  '--force-device-scale-factor',
  '--no-sandbox',
  '--original-process-start-time',
  '--allow-file-access-from-files',
  '-psn_',
];

/**
 * The console's own arguments out of Electron's `process.argv`: after the program, or, when Electron
 * runs the unpacked console, after the path of its main file.
 */
export function ownArguments(options: {
  readonly argv: readonly string[];
  readonly packaged: boolean;
}): string[] {
  const given = options.argv
    .slice(1)
    .filter((argument) => !runtimeSwitches.some((name) => argument.startsWith(name)));
  return options.packaged ? given : given.slice(1);
}
