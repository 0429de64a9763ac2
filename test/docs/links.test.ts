import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deploymentFileSchema } from '../../src-main/core/features/deployments/schema.ts';
import { parseArguments } from '../../src-main/hosts/arguments.ts';

const pages = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].map((name) => ({ name, text: readFileSync(name, 'utf8') }));

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** The part of an address behind `#` of each heading, as the usual renderers of Markdown make it. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = [...readFileSync(path, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/** What stands in code, as one line each: there commands are. */
const codeOf = (text: string): string[] =>
  [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```|`([^`]+)`/gm)].flatMap(([, block, span]) =>
    (block ?? span ?? '').split('\n').map((line) => line.replace(/\s#.*$/, '').trim()),
  );
const commands = pages.flatMap(({ name, text }) => codeOf(text).map((line) => ({ name, line })));

/** What is wrong with each flag of a command of the console, one by one, with a value where one is named. */
function refusalsOf(words: string): string[] {
  const flags = [...words.matchAll(/(--[a-z-]+)(?:[ =]([^\s\]-][^\s\]]*))?/g)];
  return flags.flatMap(([, flag = '', value]) => {
    const argv = value === undefined ? [flag] : [flag, flag === '--port' ? '1' : value];
    // Takes nothing itself, and is nothing without the file.
    if (flag === '--check') argv.push('--deployment', 'harbour.json');
    const parsed = parseArguments({ argv, environment: {}, workingFolder: '/' });
    return parsed.kind === 'refused' ? [`${flag}: ${parsed.sentence}`] : [];
  });
}

describe('README and docs', () => {
  it('link only to what is there', () => {
    const broken = pages.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, address = '']) => {
        if (/^[a-z]+:/i.test(address)) return [];
        const [path = '', anchor] = address.split('#');
        const target = path === '' ? name : normalize(join(dirname(name), path));
        const holds = existsSync(target) && (anchor === undefined || anchorsOf(target).has(anchor));
        return holds ? [] : [`${name}: ${address}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('name only scripts and programs that are there', () => {
    const missing = commands.flatMap(({ name, line }) => {
      const named = [...line.matchAll(/\bnpm (?:run )?([a-z][a-z:0-9-]*)/g)].map(([, script = '']) => script);
      const own = named.filter((script) => script !== 'ci' && script !== 'install');
      const programs = [...line.matchAll(/\b(?:node|sudo) ((?:build|test|src-main)\/\S+)/g)];
      return [
        ...own.filter((script) => scripts[script] === undefined).map((script) => `npm run ${script}`),
        ...programs.flatMap(([, path = '']) => (existsSync(path) ? [] : [path])),
      ].map((what) => `${name}: ${what}`);
    });
    expect(missing).toEqual([]);
    expect(commands.some(({ line }) => line.includes('npm run serve'))).toBe(true);
  });

  it('give the console only flags that it takes', () => {
    const console = /(?:npm start --|npm run serve --|\bfield-console(?:\.exe)? (?=--))(.*)$/;
    const found = commands.flatMap(({ name, line }) => {
      const words = console.exec(line)?.[1];
      return words === undefined ? [] : [{ name, words }];
    });
    expect(found.length).toBeGreaterThan(3);
    const wrong = found.flatMap(({ name, words }) => refusalsOf(words).map((what) => `${name}: ${what}`));
    expect(wrong).toEqual([]);
  });

  it('are each reachable from the index, and every decision from its own', () => {
    const reached = new Set<string>(['docs/README.md']);
    for (const name of reached) {
      const text = pages.find((page) => page.name === name)?.text ?? '';
      for (const [, address = ''] of text.matchAll(/\]\(([^)\s#]+\.md)[^)]*\)/g)) {
        reached.add(normalize(join(dirname(name), address)));
      }
    }
    const lost = pages
      .map(({ name }) => name)
      .filter((name) => name.startsWith('docs/') && !reached.has(name));
    expect(lost).toEqual([]);
  });

  it('name every key of a deployment file', () => {
    const text = readFileSync('docs/deployments.md', 'utf8');
    const named = new Set(
      [...text.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []),
    );
    expect([...named].toSorted()).toEqual(Object.keys(deploymentFileSchema.shape).toSorted());
  });

  it('keep the README to what a newcomer reads', () => {
    expect(Buffer.byteLength(readFileSync('README.md'))).toBeLessThanOrEqual(7_168);
  });

  it('say of each decision its context, the decision, its consequences and its date', () => {
    const decisions = pages.filter(({ name }) => /adr\/\d{4}-/.test(name));
    expect(new Set(decisions.map(({ name }) => name.slice(9, 13))).size).toBe(decisions.length);
    for (const { name, text } of decisions) {
      expect(text, name).toMatch(/^Date: (?:\d{4}-\d\d-\d\d|YYYY-MM-DD)$/m);
      for (const part of ['Context', 'Decision', 'Consequences'])
        expect(text, name).toContain(`\n## ${part}\n`);
    }
  });
});
