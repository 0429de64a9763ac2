import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import process from 'node:process';

const program = resolve(import.meta.dirname, '../../../../build/kiosk-code.ts');
/** Runs build/kiosk-code.ts without a terminal. */
export const make = (input: string, ...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { input, encoding: 'utf8' });

/** util-linux' `script` gives a program a terminal of its own. */
export const hasTerminal =
  process.platform === 'linux' && spawnSync('script', ['--version'], { encoding: 'utf8' }).status === 0;

/** Answers each question as it appears; the reply is all that the terminal showed, and the status. */
export async function typeAnswers(answers: readonly string[]): Promise<{ shown: string; status: unknown }> {
  const command = `'${process.execPath}' '${program}'`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const left = [...answers];
  let shown = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    shown += text;
    if (/: $/.test(shown) && left.length > 0) child.stdin.write(left.shift() ?? '');
  });
  const [status] = (await once(child, 'close')) as [unknown];
  return { shown, status };
}
