import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), dev: z.boolean().optional() })),
});

/** The versions of each package that the product is made with. */
async function installed(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile('package-lock.json', 'utf8')));
  const versions = new Map<string, Set<string>>();
  for (const [path, { version, dev = false }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (dev || name === '' || version === undefined) continue;
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  return versions;
}

const rows = async (): Promise<string[][]> =>
  (await readFile('docs/dependencies.md', 'utf8'))
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', ''))
        .slice(1, -1),
    );

test('what had no release for years is listed with its reason, as it is installed', async () => {
  const found = await installed();
  const listed = await rows();
  expect(listed.length).toBeGreaterThan(0);
  for (const [name = '', version = '', , reason = ''] of listed) {
    expect([...(found.get(name) ?? [])], name).toEqual([version]);
    expect(reason, name).not.toBe('');
  }
});

test('nothing in the product is there in two versions but what its users need so', async () => {
  const twice = [...(await installed())].filter(([, versions]) => versions.size > 1).map(([name]) => name);
  // Tools of developers, and the CID importer's pre-release of a parser of times: neither is in a bundle twice. The index
  // of borders comes with the selection of two majors ago, 1 KB.
  expect(twice.sort()).toEqual(['@vue/devtools-api', 'ms', 'quickselect']);
});

test('base64-js, which came in two copies, is there once', async () => {
  const { packages } = lockSchema.parse(JSON.parse(await readFile('package-lock.json', 'utf8')));
  expect(Object.keys(packages).filter((path) => path.endsWith('node_modules/base64-js'))).toEqual([
    'node_modules/base64-js',
  ]);
});
