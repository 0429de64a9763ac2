import type { LogFields } from '../../core/base/ports.ts';

const mostFrames = 8;

/**
 * The parts of a thrown value that may be logged: its kind, the system's code, and the places in the code. Not the
 * message: a parser's message repeats the text that it could not read, which may be a password or an operator's text.
 */
export function errorFacts(thrown: unknown): LogFields {
  if (!(thrown instanceof Error)) return { error: typeof thrown };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return {
    error: /^[A-Za-z]{1,64}$/.test(thrown.name) ? thrown.name : 'Error',
    ...(/^[A-Z0-9_]{1,64}$/.test(code) ? { code } : {}),
    place: framesOf(thrown.stack ?? '').join(' < '),
  };
}

/** File, line and column of the innermost calls. The message comes before them and may look like one. */
function framesOf(stack: string): string[] {
  const lines = stack.split('\n');
  const from = lines.findLastIndex((line) => !/^\s+at /.test(line)) + 1;
  return lines.slice(from, from + mostFrames).flatMap((line) => {
    const place = /([\w.-]{1,64}\.[cm]?[jt]s:\d{1,7}:\d{1,7})\)?$/.exec(line)?.[1];
    return place === undefined ? [] : [place];
  });
}
