/** Arguments that the system and the installer add, as whole arguments. They open no access. */
const harmless = [
  /^--ozone-platform(-hint)?=(auto|x11|wayland)$/,
  /^--disable-gpu$/,
  /^--force-device-scale-factor=\d(\.\d{1,3})?$/,
  /^--password-store=(gnome-libsecret|kwallet[56]?)$/,
  /^--updated$/,
  /^-psn_\d+_\d+$/,
];

/** Beginnings of arguments that a developer or a test driver may use with a console that is not the shipped one. */
const drivers = [
  '--inspect',
  '--remote-debugging-',
  '--no-sandbox',
  '--ozone-platform',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--enable-features',
  '--disable-features',
  '--force-device-scale-factor',
  '--allow-file-access-from-files',
  '--original-process-start-time',
];

/** Beginnings of switches of Electron, Chromium or Node that give access to the running program. */
const opening = [
  'allow-',
  'app-shell',
  'auth-',
  'disable-extensions-except',
  'disable-features',
  'disable-gpu-sandbox',
  'disable-namespace-sandbox',
  'disable-seccomp',
  'disable-setuid-sandbox',
  'disable-site-isolation',
  'disable-web-security',
  'enable-blink-features',
  'enable-features',
  'enable-logging',
  'gpu-launcher',
  'host-',
  'ignore-certificate',
  'inspect',
  'js-flags',
  'load-extension',
  'log-',
  'no-proxy',
  'no-sandbox',
  'no-zygote',
  'ppapi',
  'proxy-',
  'remote-',
  'renderer-cmd-prefix',
  'single-process',
  'ssl-',
  'trace-',
  'unsafely-',
  'user-data-dir',
  'utility-cmd-prefix',
  'renderer-startup-dialog',
];

/** A switch that people do not use: an AppImage adds it where the system has no sandbox for it. */
export const unsandboxed = 'no-sandbox';
const longestLink = 2_048;

export interface DesktopArguments {
  /** The console's own arguments, for `parseArguments`. */
  readonly own: readonly string[];
  /** A `field-console:` link from the system; null when there is none. */
  readonly link: string | null;
  /** Names of switches with which the shipped console does not start, without dashes and values. */
  readonly refused: readonly string[];
}

/**
 * Sorts Electron's `process.argv`. `driven`: Node's inspector is listening in this process. That is only possible in a
 * copy whose fuse for it was left on, and the person who starts such a copy already controls it: refusing the other
 * switches would protect nothing. In the shipped console the fuse is off, the inspector never listens, and every
 * unknown switch is refused.
 */
export function readDesktopArguments(options: {
  readonly argv: readonly string[];
  readonly packaged: boolean;
  readonly driven: boolean;
  readonly platform: NodeJS.Platform;
  /** Whether Chromium runs without its sandbox, whatever the reason. */
  readonly unsandboxed: boolean;
}): DesktopArguments {
  const { argv, packaged, driven, platform } = options;
  const shipped = packaged && !driven;
  const refused: string[] = shipped && options.unsandboxed ? [unsandboxed] : [];
  const given: string[] = [];
  let link: string | null = null;
  for (const argument of argv.slice(1)) {
    if (harmless.some((pattern) => pattern.test(argument))) continue;
    if (!shipped && drivers.some((name) => argument.startsWith(name))) continue;
    if (isLink(argument)) {
      link = argument.length <= longestLink ? argument : null;
      continue;
    }
    const name = shipped ? switchName(argument, platform) : null;
    if (name === null) given.push(argument);
    else refused.push(name);
  }
  // An unpackaged console is started as `electron <main file> ...`.
  return { own: packaged ? given : given.slice(1), link, refused };
}

export const isLink = (argument: string): boolean => /^field-console:/i.test(argument);

/** Chromium accepts one dash, two, and on Windows a slash; there it ignores case. */
function switchName(argument: string, platform: NodeJS.Platform): string | null {
  const pattern = platform === 'win32' ? /^(?:--?|\/)([^=]+)/ : /^--?([^=]+)/;
  const name = pattern.exec(argument)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  const slash = argument.startsWith('/');
  return slash || opening.some((beginning) => name.startsWith(beginning)) ? name : null;
}

/** The sentence about refused switches. It has only names: a value may be a secret. */
export function refusal(refused: readonly string[]): string {
  const names = refused.map((name) =>
    /^[a-z][a-z0-9-]{0,40}$/.test(name) ? `--${name}` : 'an unknown switch',
  );
  return `The installed Field Console does not start with ${[...new Set(names)].join(', ')}.`;
}
