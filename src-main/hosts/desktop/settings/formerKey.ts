import type { App } from 'electron';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readPlain } from '../../../adapters/plainFile.ts';
import type { Clock } from '../../../core/base/ports.ts';
import { largestSecretFile, secretFileName, type SystemStorage } from './deviceSecret.ts';

const option = '--former-key=';
/** The system may ask the operator whether the key may be used. */
const answerWithinMs = 60_000;
/** A secret is 44 characters. */
const longestAnswer = 1_024;
/** The switches that decide which key store Chromium uses and on which display it asks. */
const handedOn = ['--password-store=', '--ozone-platform'];

/** The data folder for which this process has to use the former name's key; null for every other start. */
export function formerKeyFolder(argv: readonly string[]): string | null {
  return argv.find((argument) => argument.startsWith(option))?.slice(option.length) ?? null;
}

/**
 * The helper process: writes the content of `device.secret`, decrypted with the key of its name, and ends. It touches
 * nothing else in the data folder. Exits with a status other than 0 when the key does not open it.
 */
export async function tellFormerSecret(options: {
  readonly app: Pick<App, 'dock' | 'exit' | 'setPath' | 'whenReady'>;
  readonly safeStorage: SystemStorage;
  readonly dataDir: string;
  /** An empty folder for Chromium's files: two processes cannot share a profile. */
  readonly profileFolder: string;
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
}): Promise<void> {
  const { app, safeStorage, dataDir, profileFolder, stdout } = options;
  // On macOS a helper must not appear among the running programs.
  app.dock?.hide();
  app.setPath('userData', profileFolder);
  app.setPath('sessionData', profileFolder);
  try {
    await app.whenReady();
    const encrypted = await readPlain(join(dataDir, secretFileName), largestSecretFile);
    if (encrypted === null) throw new Error('There is no secret');
    const { result } = await safeStorage.decryptStringAsync(encrypted);
    await new Promise<void>((written) => stdout.write(result, () => written()));
    app.exit(0);
  } catch {
    app.exit(1);
  }
}

/**
 * Starts the same program under its former name to read the secret of a data folder: one process has one name, and so
 * one key. Null when it does not answer in time. Never rejects.
 */
export function askFormerName(options: {
  readonly execPath: string;
  /** From `process.argv`. */
  readonly argv: readonly string[];
  /** Whether the program contains the application, or Electron was given its folder. */
  readonly packaged: boolean;
  readonly dataDir: string;
  readonly clock: Clock;
}): Promise<string | null> {
  const { execPath, argv, packaged, dataDir, clock } = options;
  const given = argv.slice(1);
  const application = packaged ? [] : given.filter((argument) => !argument.startsWith('-')).slice(0, 1);
  const switches = given.filter((argument) => handedOn.some((name) => argument.startsWith(name)));
  return new Promise((resolve) => {
    const child = spawn(execPath, [...application, ...switches, `${option}${dataDir}`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let answer = '';
    const settle = (found: string | null): void => {
      cancel();
      // Its child processes may outlive it and hold the pipe open.
      child.stdout.destroy();
      resolve(found);
    };
    const giveUp = (): void => {
      child.kill('SIGKILL');
      settle(null);
    };
    const cancel = clock.schedule(answerWithinMs, giveUp);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
      if (answer.length > longestAnswer) giveUp();
    });
    child.on('error', () => settle(null));
    child.on('close', (status) => settle(status === 0 ? answer : null));
  });
}
