/** Fails where an English message of the page is named nowhere in its source. That the others are there, types prove. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { messagesOf } from './numberForms.mjs';

const folder = 'src-preload/contract/messages/en/';
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const areas = files.map((name) => name.slice(0, -'.json'.length));
const keys = files.flatMap((name, at) =>
  messagesOf(JSON.parse(readFileSync(`${folder}${name}`, 'utf8')), `${areas[at]}.`).map(([key]) => key),
);
const sources = globSync('src-renderer/**/*.{ts,vue}', { exclude: ['src-renderer/i18n/messages/**'] });

const named = new Set();
const patterns = new Set();
// Bindings in templates stand in double quotes, so a key in them has single ones.
const area = `(?:${areas.join('|')})`;
const whole = new RegExp(`(?:'|\`|keypath=")(${area}(?:\\.[\\w-]+)+)['"\`]`, 'g');
const inPart = new RegExp(`\`(${area}\\.[^\`]*\\$\\{[^\`]*)\``, 'g');
for (const source of sources) {
  const text = readFileSync(source, 'utf8');
  for (const [, key] of text.matchAll(whole)) named.add(key);
  for (const [, template] of text.matchAll(inPart)) patterns.add(template);
}
const escaped = (text) => text.replaceAll(/[.*+?^()|[\]\\]/g, '\\$&');
const shapes = [...patterns].map(
  (template) =>
    new RegExp(
      `^${template
        .split(/\$\{[^}]*\}/)
        .map(escaped)
        .join('[\\w.-]+')}$`,
    ),
);

const unused = keys.filter((key) => !named.has(key) && !shapes.some((shape) => shape.test(key)));
for (const key of unused) process.stdout.write(`Used nowhere: ${key}\n`);
if (keys.length === 0 || named.size === 0) throw new Error('No messages, or no sources, were found');
process.exitCode = unused.length > 0 ? 1 : 0;
