/**
 * Fails where an English message is named nowhere in the source: one of the page in the page, one of the core in the
 * core, its adapters and hosts, or in the page, one of the desktop in its host. That the others are there, types prove.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { messagesOf, type Words } from './numberForms.ts';

const folder = 'src-preload/contract/messages/en/';
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const tree: Readonly<Record<string, Words>> = Object.fromEntries(
  names.map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(`${folder}${name}`, 'utf8'))]),
);
const escaped = (text: string) => text.replaceAll(/[.*+?^()|[\]\\]/g, '\\$&');

/** Whether a key that begins with one of `areas` is named in these files, whole or by a template's pattern. */
function namedIn(files: readonly string[], areas: readonly string[]): (key: string) => boolean {
  const named = new Set<string>();
  const patterns = new Set<string>();
  // Bindings in templates stand in double quotes, so a key in them has single ones.
  const area = `(?:${areas.join('|')})`;
  const whole = new RegExp(`(?:'|\`|keypath=")(${area}(?:\\.[\\w-]+)+)['"\`]`, 'g');
  const inPart = new RegExp(`\`(${area}\\.[^\`]*\\$\\{[^\`]*)\``, 'g');
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const [, key = ''] of text.matchAll(whole)) named.add(key);
    // `${string}` is a type's, and `core.${id}` is how any message is looked up: neither names one.
    for (const [, template = ''] of text.matchAll(inPart))
      if (!template.includes('${string}') && template !== 'core.${id}') patterns.add(template);
  }
  if (named.size === 0) throw new Error('No message is named, or no sources were found');
  const shapes = [...patterns].map(
    (template) =>
      new RegExp(
        `^${template
          .split(/\$\{[^}]*\}/)
          .map(escaped)
          .join('[\\w.-]+')}$`,
      ),
  );
  return (key) => named.has(key) || shapes.some((shape) => shape.test(key));
}

const inPage = namedIn(
  globSync('src-renderer/**/*.{ts,vue}', { exclude: ['src-renderer/i18n/messages/**'] }),
  Object.keys(tree),
);
const inCore = namedIn(globSync('src-main/**/*.ts'), Object.keys(tree['core'] ?? {}));
const inDesktop = namedIn(
  globSync(['src-main/desktop.ts', 'src-main/hosts/desktop/**/*.ts']),
  Object.keys(tree['desktop'] ?? {}),
);
const isNamed = (key: string) =>
  inPage(key) ||
  (key.startsWith('core.') && inCore(key.slice('core.'.length))) ||
  (key.startsWith('desktop.') && inDesktop(key.slice('desktop.'.length)));

const keys = messagesOf(tree).map(([key]) => key);
const unused = keys.filter((key) => !isNamed(key));
for (const key of unused) process.stdout.write(`Used nowhere: ${key}\n`);
if (keys.length === 0) throw new Error('No messages were found');
process.exitCode = unused.length > 0 ? 1 : 0;
