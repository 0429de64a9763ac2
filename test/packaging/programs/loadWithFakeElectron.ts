/**
 * Loads a built bundle under plain Node, with `electron` resolved to a module that has every name the
 * bundle imports: `node loadWithFakeElectron.ts BUNDLE [arguments of the application]`. Whatever is
 * called answers with itself; only leaving really leaves.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const [bundle = '', ...args] = process.argv.slice(2);
const path = resolve(bundle);

const chunks = join(dirname(path), 'chunks');
const texts = [path, ...readdirSync(chunks).map((name) => join(chunks, name))].map((file) =>
  readFileSync(file, 'utf8'),
);
const names = new Set<string>();
for (const text of texts) {
  for (const [, list = ''] of text.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']electron["']/g)) {
    for (const item of list.split(',')) names.add(item.trim().split(/\s+as\s+/)[0] ?? '');
  }
}

const holder = globalThis as { fakeElectron?: unknown };
holder.fakeElectron = new Proxy(function () {}, {
  get: (target, name) => {
    // Awaited, it must not look like a promise.
    if (name === 'then') return undefined;
    if (name === 'isPackaged') return true;
    if (name === 'hasSwitch') return () => false;
    if (name === 'exit') return (status: number) => process.exit(status);
    if (typeof name === 'symbol') return Reflect.get(target, name) as unknown;
    return holder.fakeElectron;
  },
  apply: () => holder.fakeElectron,
});
const source = [
  'export default globalThis.fakeElectron;',
  ...[...names].filter(Boolean).map((name) => `export const ${name} = globalThis.fakeElectron;`),
].join('\n');
const address = `data:text/javascript,${encodeURIComponent(source)}`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: address, shortCircuit: true } : next(specifier, context),
});

process.argv = [process.execPath, ...args];
await import(pathToFileURL(path).href);
