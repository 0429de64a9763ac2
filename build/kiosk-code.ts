/**
 * Makes the line by which a policy lets an administrator end a kiosk (docs/policy.md):
 *
 *   npm run kiosk-code
 *
 * Asks for the code twice on the terminal, without showing it; where standard input is no terminal,
 * its first line is the code. Never takes it as an argument, which every process could read.
 */
import { randomBytes, scrypt } from 'node:crypto';
import process from 'node:process';

const shortest = 8;
const longest = 256;
/** What src-main/core/features/policy/verifier.ts reads. */
const cost = { N: 2 ** 17, r: 8, p: 1 };

const say = (text: string) => void process.stderr.write(text);

function refuse(sentence: string): never {
  say(`${sentence}\n`);
  process.exit(2);
}

/**
 * A line for each of the two questions, of which the terminal shows nothing, not even what is typed before the
 * second one is there. Null when it was broken off.
 */
function ask(first: string, again: string): Promise<readonly [string, string] | null> {
  const { stdin } = process;

  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  return new Promise((resolve) => {
    const answers: string[] = [];
    let typed: string[] = [];
    const end = (result: readonly [string, string] | null) => {
      stdin.off('data', take);
      stdin.pause();
      stdin.setRawMode(false);
      resolve(result);
    };
    const next = () => {
      answers.push(typed.join(''));
      typed = [];
      say('\n');
      const [one, other] = answers;
      if (one !== undefined && other !== undefined) end([one, other]);
      else say(again);
    };
    const take = (text: string) => {
      for (const character of text) {
        if (answers.length === 2) return;
        if (character === '\u0003' || character === '\u0004') {
          say('\n');
          end(null);
          return;
        }
        if (character === '\r' || character === '\n') next();
        else if (character === '\u007f' || character === '\b') typed.pop();
        else if (character === '\u0015') typed = [];
        else if (character >= ' ') typed.push(character);
      }
    };
    stdin.on('data', take);
    say(first);
  });
}

async function fromTerminal(): Promise<string> {
  const answers = await ask('Administrator’s code for leaving the kiosk: ', 'The same code again: ');
  if (answers === null) process.exit(130);
  const [code, again] = answers;
  if (code !== again) refuse('The two are not the same. Nothing was made.');
  return code;
}

async function fromInput(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
}

if (process.argv.length > 2) {
  refuse('The code is never an argument. Start this without any, and it asks for the code.');
}
const code = (process.stdin.isTTY ? await fromTerminal() : await fromInput()).normalize('NFC');
const length = [...code].length;
if (length < shortest) refuse(`A code has at least ${shortest} characters. Nothing was made.`);
if (code.length > longest) refuse(`A code has at most ${longest} characters. Nothing was made.`);

const salt = randomBytes(16);
scrypt(code, salt, 32, { ...cost, maxmem: 256 * cost.N * cost.r }, (error, hash) => {
  if (error) throw error;
  const parts = ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')];
  process.stdout.write(`${parts.join('$')}\n`);
});
