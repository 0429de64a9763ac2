import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { KioskMode } from '../../src-preload/contract/index.ts';
import type { NamedDeployment } from '../core/features/deployments/registry.ts';

/** What the command line and the environment ask for, the same in both hosts. */
export interface StartOptions {
  /** Deployment files named by the command line, then by the environment; absolute paths. */
  readonly named: readonly NamedDeployment[];
  /** A file opened by hand (double click): a deployment is proposed on the page, not trusted at once. */
  readonly opened: string | null;
  /** Absolute; null for the system's usual place. */
  readonly dataDir: string | null;
  /** TCP port of the browser host, 0 for any free one. */
  readonly port: number;
  /** Whether the browser host opens a browser by itself. */
  readonly open: boolean;
  /** The browser that the browser host's kiosk runs in, absolute; null for one that is installed. */
  readonly browser: string | null;
  readonly training: boolean;
  /** A policy file, absolute; counts only on a computer that has no policy of its own. */
  readonly policy: string | null;
  /** The kiosk that is asked for; a policy that names one wins. */
  readonly kiosk: KioskMode;
  /** Whether the desktop host only checks its installation, prints what it found and leaves. */
  readonly selfTest: boolean;
  /** Where the self-test writes what it prints, absolute; null for nowhere. */
  readonly selfTestReport: string | null;
  /** Megabytes of the largest upload of a first light, a self-test that tries more; null for none. */
  readonly firstLight: number | null;
  /** Whether something starts the console again when it ends with a failure. */
  readonly supervised: boolean;
}

export type Arguments =
  | { readonly kind: 'run'; readonly options: StartOptions }
  /** Check the deployment that the file at `path` describes, print the report and leave. */
  | { readonly kind: 'check'; readonly path: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly sentence: string };

export const usage = `Usage: field-console [options] [deployment file or map package]

  --deployment FILE  use the deployment that FILE describes
  --check            browser host: check the service of --deployment by reads, print the report as JSON and leave;
                     user name and password are asked for, or are two lines of the standard input
  --data-dir DIR     keep the console's data in DIR
  --port N           browser host: listen on port N of 127.0.0.1 (default: any free port)
  --no-open          browser host: do not open a browser
  --browser FILE     browser host: the Chromium, Chrome or Edge that a kiosk runs in
  --training         use the embedded training deployment
  --kiosk            fill the screen; anybody may leave it unless a policy sets a code
  --wallboard        fill the screen and only show, for a display on a wall
  --policy FILE      use FILE as the policy, on a computer that has none of its own
  --self-test        desktop host: check this installation, print the result and leave
  --self-test-report FILE  the same, and write the result to FILE
  --first-light MB   desktop host: the same, with uploads of up to MB megabytes, windows and processes that die
  --supervised       desktop host: something starts the console again when it ends with a failure
  --version          print the version and leave
  --help             print this and leave

Environment: FIELD_CONSOLE_DEPLOYMENT and FIELD_CONSOLE_DATA_DIR stand for the options of the same name.
User names, passwords and tokens are never taken from the command line or the environment.
`;

const credentialNames =
  /^--?(u|user(name)?|p|pass(word|phrase)?|token|bearer|secret|credentials?|auth|api-?key)(=|$)/i;

const valued = [
  '--deployment',
  '--data-dir',
  '--port',
  '--policy',
  '--browser',
  '--self-test-report',
  '--first-light',
];
const switches = [
  '--check',
  '--no-open',
  '--training',
  '--kiosk',
  '--wallboard',
  '--self-test',
  '--supervised',
  '--version',
  '--help',
];

const refused = (sentence: string): Arguments => ({ kind: 'refused', sentence });

/**
 * Reads the arguments after the program's name. Sentences of a refusal name options, never the
 * values given to unknown ones, since such a value may be a secret typed by mistake.
 */
export function parseArguments(options: {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
}): Arguments {
  const { argv, environment, workingFolder } = options;
  if (argv.some((argument) => credentialNames.test(argument))) {
    return refused(
      'Credentials are never taken from the command line, where every process can read them: sign in on the page.',
    );
  }
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: true,
      options: {
        check: { type: 'boolean' },
        deployment: { type: 'string' },
        'data-dir': { type: 'string' },
        port: { type: 'string' },
        'no-open': { type: 'boolean' },
        browser: { type: 'string' },
        training: { type: 'boolean' },
        kiosk: { type: 'boolean' },
        wallboard: { type: 'boolean' },
        policy: { type: 'string' },
        'self-test': { type: 'boolean' },
        'self-test-report': { type: 'string' },
        'first-light': { type: 'string' },
        supervised: { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch {
    return refused(whatIsWrong(argv));
  }
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  if (positionals.length > 1) return refused('Only one file can be opened at a time.');
  for (const name of ['deployment', 'data-dir', 'policy', 'browser', 'self-test-report'] as const) {
    if (values[name]?.trim() === '') return refused(`--${name} needs a value.`);
  }
  const environmentNames = ['FIELD_CONSOLE_DEPLOYMENT', 'FIELD_CONSOLE_DATA_DIR'] as const;
  for (const name of environmentNames) {
    // An empty variable is a mistake in a start script; to pass over it would start training instead.
    if (environment[name]?.trim() === '') return refused(`${name} is set but empty.`);
  }
  const port = values.port === undefined ? 0 : Number(values.port);
  if (!/^\d{1,5}$/.test(values.port ?? '0') || port > 65_535) {
    return refused('--port needs a number from 0 to 65535.');
  }
  const firstLight = values['first-light'] === undefined ? null : Number(values['first-light']);
  if (firstLight !== null && !(Number.isInteger(firstLight) && firstLight >= 64 && firstLight <= 4_096)) {
    return refused('--first-light needs a number of megabytes from 64 to 4096.');
  }
  const training = values.training === true;
  if (training && values.deployment !== undefined) {
    return refused('--training and --deployment exclude each other.');
  }
  if (values.kiosk === true && values.wallboard === true) {
    return refused('--kiosk and --wallboard exclude each other.');
  }

  const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(workingFolder, path));
  if (values.check === true) {
    if (values.deployment === undefined) return refused('--check needs --deployment and a file.');
    return { kind: 'check', path: absolute(values.deployment) };
  }
  const named: NamedDeployment[] = [];
  const fromEnvironment = environment['FIELD_CONSOLE_DEPLOYMENT'];
  if (values.deployment !== undefined) {
    named.push({ source: 'command-line', path: absolute(values.deployment) });
  }
  if (fromEnvironment !== undefined && !training) {
    named.push({ source: 'environment', path: absolute(fromEnvironment) });
  }
  const dataDir = values['data-dir'] ?? environment['FIELD_CONSOLE_DATA_DIR'];
  // Desktops hand a file over as an address (Desktop Entry Specification, %u).
  const opened = pathOf(positionals[0]);
  const report = values['self-test-report'];
  if (opened === null) return refused('The address of the file to open cannot be read.');
  return {
    kind: 'run',
    options: {
      named,
      opened: opened === undefined ? null : absolute(opened),
      dataDir: dataDir === undefined ? null : absolute(dataDir),
      port,
      open: values['no-open'] !== true,
      browser: values.browser === undefined ? null : absolute(values.browser),
      training,
      policy: values.policy === undefined ? null : absolute(values.policy),
      kiosk: values.wallboard === true ? 'wallboard' : values.kiosk === true ? 'operator' : 'off',
      selfTest: values['self-test'] === true || report !== undefined || firstLight !== null,
      firstLight,
      selfTestReport: report === undefined ? null : absolute(report),
      supervised: values.supervised === true,
    },
  };
}

/** Null for a `file:` address that names no file of this computer. */
function pathOf(given: string | undefined): string | undefined | null {
  if (given === undefined || !/^file:/i.test(given)) return given;
  try {
    return fileURLToPath(given);
  } catch {
    return null;
  }
}

function whatIsWrong(argv: readonly string[]): string {
  for (const [index, argument] of argv.entries()) {
    const name = argument.split('=', 1)[0] ?? '';
    if (!name.startsWith('-')) continue;
    if (valued.includes(name)) {
      const next = argv[index + 1];
      if (argument === name && (next === undefined || next.startsWith('-'))) return `${name} needs a value.`;
      continue;
    }
    if (switches.includes(name)) {
      if (argument !== name) return `${name} takes no value.`;
      continue;
    }
    return /^--[a-z][a-z-]{0,31}$/.test(name) ? `Unknown option ${name}.` : 'Unknown option.';
  }
  return 'The arguments cannot be read.';
}
