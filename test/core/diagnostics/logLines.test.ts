import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogFields } from '../../../src-main/core/ports.ts';
import { bundledEvents, bundledLog } from '../../../src-main/core/diagnostics/logLines.ts';

const line = (fields: LogFields): LogFields => ({
  level: 'warn',
  time: '2026-11-20T12:00:00.000Z',
  msg: 'session',
  ...fields,
});

const parsed = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => JSON.parse(one) as unknown);

describe('the log in a bundle', () => {
  it('keeps known events with known fields, in their order', () => {
    const { text, lines, linesLeftOut, fieldsLeftOut } = bundledLog({
      lines: [
        line({ from: 'none', to: 'signing-in', event: 'sign-in' }),
        line({ msg: 'request.failed', code: 'timed-out', status: null, ms: 12, requestId: 'r-1' }),
      ],
      unreadable: 0,
    });
    expect(parsed(text)).toEqual([
      line({ from: 'none', to: 'signing-in', event: 'sign-in' }),
      line({ msg: 'request.failed', code: 'timed-out', ms: 12, requestId: 'r-1' }),
    ]);
    expect([lines, linesLeftOut, fieldsLeftOut]).toEqual([2, 0, 0]);
  });

  it('leaves out and counts what it does not know', () => {
    const { text, linesLeftOut, fieldsLeftOut } = bundledLog({
      lines: [
        line({ msg: 'fire-at-school' }),
        line({ msg: 'toString' }),
        line({ level: 'loud' }),
        line({ time: 'canary' }),
        line({ from: 'Fire at school', constructor: 'x', incident: 'INC-1', code: 'canary', ms: 3 }),
      ],
      unreadable: 2,
    });
    expect(parsed(text)).toEqual([line({ ms: 3 })]);
    expect([linesLeftOut, fieldsLeftOut]).toEqual([6, 4]);
  });

  it('says of an error only what kind it is', () => {
    const { text } = bundledLog({
      lines: [
        line({ detail: "ENOENT: no such file or directory, open '/home/canary/x'" }),
        line({ error: 'TypeError', message: 'canary is not a function' }),
        line({ code: 'ECONNREFUSED', name: 'AbortError' }),
      ],
      unreadable: 0,
    });
    expect(parsed(text)).toEqual([
      line({ detail: 'ENOENT' }),
      line({ error: 'TypeError' }),
      line({ code: 'ECONNREFUSED', name: 'AbortError' }),
    ]);
  });
});

/** Files in which a name is handed on to the logger, and by which call it is given. */
const handingOn: Readonly<Record<string, RegExp>> = {
  'core/evidence/evidenceDesk.ts': /#warn\('([^']+)'/g,
  // Its callers name them, and are found by its name.
  'hosts/browser/countedWarnings.ts': /(?!)/g,
  'hosts/desktop/settings/deviceSecret.ts': /refused\('([^']+)'/g,
};

/** Names of events as the code gives them to the logger, and places where it gives no name. */
function loggedEvents(): { readonly named: Set<string>; readonly unnamed: string[] } {
  const root = join(import.meta.dirname, '../../../src-main');
  const named = new Set<string>();
  const unnamed: string[] = [];
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.ts')) continue;
    const text = readFileSync(join(root, entry), 'utf8');
    const given = handingOn[entry.split(sep).join('/')];
    for (const [, name = ''] of given ? text.matchAll(given) : []) named.add(name);
    for (const [, first = ''] of text.matchAll(
      /(?:[lL]ogger|[wW]arnings)\??\.(?:debug|info|warn|error)\(\s*([^\s,)]+)/g,
    )) {
      const name = /^['"`](.+)['"`]$/.exec(first)?.[1];
      if (name !== undefined) named.add(name);
      else if (given === undefined) unnamed.push(`${entry}: ${first}`);
    }
  }
  return { named, unnamed };
}

it('every event that the console logs was looked at, and no other is let through', () => {
  const { named, unnamed } = loggedEvents();
  expect(named.size).toBeGreaterThan(50);
  expect(unnamed, 'add to handingOn').toEqual([]);
  const unlisted = [...named].filter((name) => !bundledEvents.has(name));
  expect(unlisted, 'add to core/diagnostics/logLines.ts').toEqual([]);
  const unused = [...bundledEvents].filter((name) => !named.has(name));
  expect(unused, 'take from core/diagnostics/logLines.ts').toEqual([]);
});
