import { readFileSync } from 'node:fs';
import { Script, createContext } from 'node:vm';
import { expect, it } from 'vitest';
import texts from '../../src-preload/contract/messages/en/core.json';
import type { Message } from '../../src-preload/contract/index.ts';

/** What the page says of a way out that is refused with this. */
async function saidOf(sentence: Message): Promise<string> {
  let submit: (event: { preventDefault: () => void }) => void = () => undefined;
  const elements: Record<string, Record<string, unknown>> = {
    form: { addEventListener: (_: string, listener: typeof submit) => (submit = listener) },
    '#code': { value: 'canary', focus: () => undefined },
    '#said': { textContent: '' },
  };
  const asked: unknown[] = [];
  const leaveKiosk = (request: unknown) => {
    asked.push(request);
    return Promise.resolve({ ok: false, failure: { code: 'conflict', sentence } });
  };
  const page = {
    window: { fieldConsole: { verbs: { leaveKiosk } } },
    document: { querySelector: (selector: string) => elements[selector] },
  };
  new Script(readFileSync('src-renderer/public/stopped.js', 'utf8')).runInContext(createContext(page));
  submit({ preventDefault: () => undefined });
  await new Promise(setImmediate);
  expect(asked).toEqual([{ code: 'canary' }]);
  return String(elements['#said']?.['textContent']);
}

const refusals = Object.entries(texts.kiosk).filter(([name]) => !name.endsWith('Remedy'));

it.each(refusals)('the page of a stopped console says kiosk.%s as the tree does', async (name, text) => {
  expect(await saidOf({ id: `kiosk.${name}`, values: {} })).toBe(text);
});

it('the page of a stopped console says what it does not know by its code, and other words as they came', async () => {
  expect(await saidOf({ id: 'kiosk.later', values: {} })).toBe('The console refused this (conflict).');
  expect(await saidOf({ text: 'As it came.' })).toBe('As it came.');
});
