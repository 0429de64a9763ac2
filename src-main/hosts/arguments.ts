import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { KioskMode } from '../../src-preload/contract/index.ts';
import type { NamedDeployment } from '../core/features/deployments/registry.ts';

/** The options from command line and environment, the same in both hosts. */
export interface StartOptions {
  /** Deployment files named on the command line, then those in the environment; absolute paths. */
  readonly named: readonly NamedDeployment[];
  /**
   * A file that the operator opened (double click). The page proposes a deployment from it; it is not trusted at once.
   */
  readonly opened: string | null;
  /** Absolute; null for the system's usual folder. */
  readonly dataDir: string | null;
  /** TCP port of the browser host, 0 for any free one. */
  readonly port: number;
  /** Whether the browser host opens a browser automatically. */
  readonly open: boolean;
  /** The browser for the browser host's kiosk, absolute; null for an installed one. */
  readonly browser: string | null;
  readonly training: boolean;
  /** A policy file, absolute. Ignored on a computer with a policy. */
  readonly policy: string | null;
  /** The requested kiosk. A kiosk in the policy takes precedence. */
  readonly kiosk: KioskMode;
  /** Whether the desktop host only checks its installation, prints the result and exits. */
  readonly selfTest: boolean;
  /** The file for the self-test's steps as they come and its output, a line each, absolute; null for none. */
  readonly selfTestReport: string | null;
  /** Whether a service manager starts the console again after a failure. */
  readonly supervised: boolean;
}

export type Arguments =
  | { readonly kind: 'run'; readonly options: StartOptions }
  /** Checks the deployment of the file at `path`, prints the report and exits. */
  | { readonly kind: 'check'; readonly path: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly sentence: string };

export const usage = `Usage: field-console [options] [deployment file or map package]

  --deployment FILE  use the deployment that FILE describes
  --check            browser host: check the service of --deployment with reads only, print a report as JSON and exit;
                     asks for user name and password, or reads them from two lines of standard input
  --data-dir DIR     store the console's data in DIR
  --port N           browser host: listen on port N of 127.0.0.1 (default: any free port)
  --no-open          browser host: do not open a browser
  --browser FILE     browser host: the Chromium, Chrome or Edge for the kiosk
  --training         use the embedded training deployment
  --kiosk            fill the screen; anyone can leave it unless a policy sets a code
  --wallboard        fill the screen without controls, for a display on a wall
  --policy FILE      use FILE as the policy, on a computer without a policy
  --self-test        desktop host: check this installation, print the result and exit
  --self-test-report FILE  the same, and write each step and the result to FILE
  --supervised       desktop host: a service manager starts the console again after a failure
  --version          print the version and exit
  --help             print this help and exit

Environment: FIELD_CONSOLE_DEPLOYMENT and FIELD_CONSOLE_DATA_DIR replace --deployment and --data-dir.
User names, passwords and tokens are never taken from the command line or the environment.
`;

const credentialNames =
  /^--?(u|user(name)?|p|pass(word|phrase)?|token|bearer|secret|credentials?|auth|api-?key)(=|$)/i;

const optionTypes = {
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
  supervised: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
const optionsOf = (wanted: 'boolean' | 'string'): string[] =>
  Object.entries(optionTypes).flatMap(([name, { type }]) => (type === wanted ? [`--${name}`] : []));
const valued = optionsOf('string');
const switches = optionsOf('boolean');

const refused = (sentence: string): Arguments => ({ kind: 'refused', sentence });

/**
 * Reads the arguments after the program's name. A refusal names options, but never repeats the value of an unknown one,
 * which may be a secret typed by mistake.
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
  const parsed = parsedOf(argv);
  if (parsed === null) return refused(whatIsWrong(argv));
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  if (positionals.length > 1) return refused('Only one file can be opened at a time.');
  const port = values.port === undefined ? 0 : Number(values.port);
  const fault = faultOf(values, environment);
  if (fault !== null) return refused(fault);

  const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(workingFolder, path));
  if (values.check === true) {
    if (values.deployment === undefined) return refused('--check needs --deployment and a file.');
    return { kind: 'check', path: absolute(values.deployment) };
  }
  const training = values.training === true;
  const named: NamedDeployment[] = [];
  const fromEnvironment = environment['FIELD_CONSOLE_DEPLOYMENT'];
  if (values.deployment !== undefined) {
    named.push({ source: 'command-line', path: absolute(values.deployment) });
  }
  if (fromEnvironment !== undefined && !training) {
    named.push({ source: 'environment', path: absolute(fromEnvironment) });
  }
  const dataDir = values['data-dir'] ?? environment['FIELD_CONSOLE_DATA_DIR'];
  // Desktops pass a file as an address (Desktop Entry Specification, %u).
  const opened = pathOf(positionals[0]);
  const report = values['self-test-report'];
  if (opened === null) return refused('The address of the file to open is not valid.');
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
      selfTest: values['self-test'] === true || report !== undefined,
      selfTestReport: report === undefined ? null : absolute(report),
      supervised: values.supervised === true,
    },
  };
}

const parsedOf = (argv: readonly string[]) => {
  try {
    return parseArgs({ args: [...argv], strict: true, allowPositionals: true, options: optionTypes });
  } catch {
    return null;
  }
};

/** What is wrong with the values; null when they are valid. */
function faultOf(
  values: NonNullable<ReturnType<typeof parsedOf>>['values'],
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  for (const name of ['deployment', 'data-dir', 'policy', 'browser', 'self-test-report'] as const) {
    if (values[name]?.trim() === '') return `--${name} needs a value.`;
  }
  const environmentNames = ['FIELD_CONSOLE_DEPLOYMENT', 'FIELD_CONSOLE_DATA_DIR'] as const;
  for (const name of environmentNames) {
    // An empty variable is a mistake in a start script. If it were ignored, training would start.
    if (environment[name]?.trim() === '') return `${name} is set but empty.`;
  }
  const port = values.port === undefined ? 0 : Number(values.port);
  if (!/^\d{1,5}$/.test(values.port ?? '0') || port > 65_535) {
    return '--port needs a number from 0 to 65535.';
  }
  if (values.training === true && values.deployment !== undefined) {
    return '--training and --deployment exclude each other.';
  }
  if (values.kiosk === true && values.wallboard === true) {
    return '--kiosk and --wallboard exclude each other.';
  }
  return null;
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
