import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';

/** Prints the address of each module that a program loads. */
const listing = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
   import { writeSync } from 'node:fs';
   registerHooks({ resolve(name, context, next) {
     const found = next(name, context);
     writeSync(1, found.url + '\\n');
     return found;
   } });`,
)}`;

it.each(['vault/databaseWorker', 'vault/records/spoolWorker'])(
  'the program %s loads no package: each sign-in waits for it to start',
  (name) => {
    const program = resolve(import.meta.dirname, `../../../src-main/adapters/${name}.ts`);
    const { status, stdout } = spawnSync(process.execPath, ['--import', listing, program], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    const loaded = stdout.trim().split('\n');
    expect(loaded.some((url) => url.endsWith(`${name}.ts`))).toBe(true);
    expect(loaded.filter((url) => url.includes('/node_modules/'))).toEqual([]);
  },
);
