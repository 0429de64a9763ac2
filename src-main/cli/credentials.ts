import type { Readable, Writable } from 'node:stream';

/** The program's standard input, where a person or a program enters credentials. */
export interface CredentialInput extends Readable {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
}

export interface TypedCredentials {
  readonly username: string;
  readonly password: string;
}

/** Far more than a user name and a password need. */
const mostCharacters = 16_384;

/**
 * Reads a user name and a password: asks for them on a terminal, without an echo of the password, else reads the first
 * two lines of the input. Null when the input ends, or is cancelled, before both came.
 *
 * There is no other way to give them: other processes can read arguments and environment.
 */
export async function readCredentials(
  input: CredentialInput,
  prompts: Writable,
): Promise<TypedCredentials | null> {
  const { setRawMode } = input;
  const terminal = input.isTTY === true && setRawMode !== undefined;
  // The terminal itself would echo the password.
  if (terminal) setRawMode.call(input, true);
  const lines = typedLines(input, (index, character) => {
    if (terminal && index === 0) prompts.write(character);
  });
  try {
    if (terminal) prompts.write('User name: ');
    const username = await lines.next();
    if (username.done === true) return null;
    if (terminal) prompts.write('\nPassword: ');
    const password = await lines.next();
    if (terminal) prompts.write('\n');
    if (password.done === true || username.value === '') return null;
    return { username: username.value, password: password.value };
  } finally {
    if (terminal) setRawMode.call(input, false);
    input.destroy();
  }
}

/** The typed lines of the input. Ends early on Ctrl+C, Ctrl+D and a line that is too long. */
async function* typedLines(
  input: CredentialInput,
  echo: (index: number, character: string) => void,
): AsyncGenerator<string, void, undefined> {
  let index = 0;
  let line = '';
  let afterReturn = false;
  input.setEncoding('utf8');
  for await (const part of input as AsyncIterable<string>) {
    for (const character of part) {
      const isEnd = character === '\n' || character === '\r';
      const isSecondHalf = afterReturn && character === '\n';
      afterReturn = character === '\r';
      if (isSecondHalf) continue;
      if (isEnd) {
        yield line;
        line = '';
        index += 1;
      } else if (character === '\u0003' || character === '\u0004' || line.length > mostCharacters) {
        return;
      } else if (character === '\u007f' || character === '\b') {
        if (line !== '') echo(index, '\b \b');
        line = [...line].slice(0, -1).join('');
      } else {
        line += character;
        echo(index, character);
      }
    }
  }
  if (line !== '') yield line;
}
