import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createSheetPress } from '../../../src-main/adapters/paper/sheetPress.ts';
import { SheetNotDrawn } from '../../../src-main/core/features/exports/sheet/sheetPress.ts';
import { never, sheet } from './sheetFixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'field-console-sheets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A thread's program of a test's own. */
function program(name: string, text: string): () => URL {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, text);
  return () => pathToFileURL(path);
}

describe('a sheet', () => {
  it.each([
    ['throws', 'throw new Error("no such glyph")', 'no such glyph'],
    ['ends without a word', 'process.exit(0)', 'its thread ended'],
    ['cannot be read', 'this is no program', /./],
    ['takes all memory', 'const all = []; for (;;) all.push(new Array(1e6).fill({}))', /memory/],
  ])('whose thread %s is a failure', async (name, text, why) => {
    const press = createSheetPress({ program: program(name.replaceAll(' ', '-'), text), memoryMb: 16 });
    const error = await press.print(sheet, never()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SheetNotDrawn);
    expect((error as Error).message).toMatch(why);
  });

  it('for which there is no program is a failure', async () => {
    const press = createSheetPress({
      program: () => {
        throw new Error('the program is missing');
      },
    });
    await expect(press.print(sheet, never())).rejects.toThrow(new SheetNotDrawn('the program is missing'));
  });

  it('that is cancelled while its thread compresses lets that end by itself', async () => {
    const [begins, ends] = [join(folder, 'begins'), join(folder, 'ends')];
    const terminable = new URL('../../../src-main/adapters/threads/terminable.ts', import.meta.url).href;
    const compresses = program(
      'compresses',
      `import { writeFileSync } from 'node:fs';
      import { workerData } from 'node:worker_threads';
      import { Terminable } from ${JSON.stringify(terminable)};
      const terminable = new Terminable(workerData.state);
      terminable.begin();
      writeFileSync(${JSON.stringify(begins)}, '');
      while (Atomics.load(workerData.state, 0) === 1);
      writeFileSync(${JSON.stringify(ends)}, '');
      terminable.end();
      for (;;);`,
    );
    const controller = new AbortController();
    const printed = createSheetPress({ program: compresses }).print(sheet, controller.signal);
    const refused = printed.catch((reason: unknown) => reason);
    await expect.poll(() => existsSync(begins)).toBe(true);
    controller.abort();
    expect(await refused).toEqual(new SheetNotDrawn('it was cancelled'));
    expect(existsSync(ends)).toBe(true);
  });

  it('that is cancelled ends its thread, whatever that is doing', async () => {
    const busy = program('busy', 'for (;;);');
    const controller = new AbortController();
    const printed = createSheetPress({ program: busy }).print(sheet, controller.signal);
    controller.abort();
    await expect(printed).rejects.toBeInstanceOf(SheetNotDrawn);
    // A thread that still ran would keep this test's process at work for ever.
    await expect(createSheetPress({ program: busy }).print(sheet, controller.signal)).rejects.toThrow(
      'it was cancelled',
    );
  });
});
