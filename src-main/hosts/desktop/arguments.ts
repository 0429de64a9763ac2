/** What the system and the installer put among the arguments; it opens nothing. Whole arguments. */
const harmless = [
  /^--ozone-platform(-hint)?=(auto|x11|wayland)$/,
  /^--disable-gpu$/,
  /^--force-device-scale-factor=\d(\.\d{1,3})?$/,
  /^--password-store=(gnome-libsecret|kwallet[56]?)$/,
  /^--updated$/,
  /^-psn_\d+_\d+$/,
];

/** What a developer or a test driver may add to a console that is not the shipped one. Beginnings. */
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

/** Switches of Electron, Chromium or Node that give the program to whoever starts it. Beginnings of names. */
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

const longestLink = 2_048;

export interface DesktopArguments {
  /** The console's own arguments, for `parseArguments`. */
  readonly own: readonly string[];
  /** A `field-console:` link that the system handed over; null when there is none. */
  readonly link: string | null;
  /** Names of switches that the shipped console does not start with, without dashes and values. */
  readonly refused: readonly string[];
}

/**
 * Sorts Electron's `process.argv`. `driven`: Node's inspector really listens in this process. Only a
 * copy whose fuse for it was left on can be like that, and whoever started such a copy has all of it
 * already; so refusing it the other switches would protect nothing. In the shipped console the fuse is
 * off, the inspector never listens, and every switch that is not known here is refused, whatever it is.
 */
export function readDesktopArguments(options: {
  readonly argv: readonly string[];
  readonly packaged: boolean;
  readonly driven: boolean;
  readonly platform: NodeJS.Platform;
}): DesktopArguments {
  const { argv, packaged, driven, platform } = options;
  const shipped = packaged && !driven;
  const refused: string[] = [];
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
  // What is not packaged is run as `electron <main file> ...`.
  return { own: packaged ? given : given.slice(1), link, refused };
}

export const isLink = (argument: string): boolean => /^field-console:/i.test(argument);

/** Chromium takes one dash, two, and on Windows a slash, and does not mind capitals there. */
function switchName(argument: string, platform: NodeJS.Platform): string | null {
  const pattern = platform === 'win32' ? /^(?:--?|\/)([^=]+)/ : /^--?([^=]+)/;
  const name = pattern.exec(argument)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  const slash = argument.startsWith('/');
  return slash || opening.some((beginning) => name.startsWith(beginning)) ? name : null;
}

/** The sentence for switches that are refused. Names only: a value may be anything. */
export function refusal(refused: readonly string[]): string {
  const names = refused.map((name) =>
    /^[a-z][a-z0-9-]{0,40}$/.test(name) ? `--${name}` : 'an unknown switch',
  );
  return `The installed Field Console does not start with ${[...new Set(names)].join(', ')}.`;
}
