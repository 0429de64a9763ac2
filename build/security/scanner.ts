/**
 * Doyensec's Electronegativity over any set of texts. It knows `.js`, `.ts` and `.html`; what is written
 * otherwise is given to it in a form that it reads: CommonJS and bundles as TypeScript, whose parser is
 * the one that knows today's syntax, and single-file components as their script and their template.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import process from 'node:process';

export interface TextFile {
  readonly name: string;
  readonly text: string;
}

export interface Scan {
  /** How many files were to be read, and how many were. */
  readonly given: number;
  readonly read: number;
  readonly errors: readonly string[];
  readonly findings: readonly {
    readonly id: string;
    /** The name that was given; `N/A` for what is found in all of them together. */
    readonly file: string;
    readonly line: number;
  }[];
}

/** What is used of the tool, which has no types. */
interface Tool {
  readonly run: (options: object) => Promise<{
    readonly errors: readonly { readonly file: string; readonly message: string }[];
    readonly issues: readonly {
      readonly id: string;
      readonly file: string;
      readonly location: { readonly line: number };
    }[];
  }>;
  readonly Parser: { readonly prototype: { parse(path: string, content: string): unknown } };
}

/** Asks the internet for Electron's latest releases; a check that must give the same answer anywhere cannot. */
export const checksNotRun: readonly string[] = ['AvailableSecurityFixesGlobalCheck'];

/** The tool, without its requests to the internet for translations of its messages. */
function loadTool(): Tool {
  const from = createRequire(import.meta.url);
  const path = from.resolve('@doyensec/electronegativity');
  const inside = createRequire(path);
  const client = inside.resolve('got');
  const module = new Module(client);
  module.exports = () => Promise.reject(new Error('not asked'));
  inside.cache[client] = module;
  process.env['LANG'] = 'en-US';
  return { run: inside(path), Parser: inside('./parser').Parser };
}

const part = (text: string, tag: string) =>
  new RegExp(`<${tag}[^>]*>([\\s\\S]*)</${tag}>`).exec(text)?.[1] ?? '';

/** A bundle writes a value as a template, which the tool does not take for a text. */
const withPlainStrings = (code: string): string => code.replace(/(?<=[:(,=])`(\w[\w-]*)`(?=[,;)}])/g, "'$1'");

/** `name` and `text` as one or two files that the tool reads, with `/` in names. */
export function asReadable({ name, text }: TextFile): readonly TextFile[] {
  if (name.endsWith('.vue')) {
    return [
      { name: `${name}.ts`, text: part(text, 'script') },
      { name: `${name}.html`, text: part(text, 'template') },
    ];
  }
  if (/\.[cm]?js$/.test(name)) return [{ name: `${name}.ts`, text: withPlainStrings(text) }];
  return [{ name, text }];
}

/** Runs every check but those above. */
export async function scan(files: readonly TextFile[], electronVersion: string): Promise<Scan> {
  const { run, Parser } = loadTool();
  const folder = mkdtempSync(join(tmpdir(), 'field-console-scan-'));
  const readable = files.flatMap((file) => asReadable(file).map((one) => ({ ...one, origin: file.name })));
  const origins = new Map(readable.map(({ name, origin }) => [name, origin]));
  const originOf = (path: string) => {
    const name = relative(folder, path).split(sep).join('/');
    return origins.get(name) ?? path;
  };
  const parse = Parser.prototype.parse;
  const read = new Set<string>();
  Parser.prototype.parse = function (path, content) {
    read.add(path);
    return parse.call(this, path, content);
  };
  const log = console.log;
  console.log = () => undefined;
  try {
    for (const { name, text } of readable) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { errors, issues } = await run({
      input: folder,
      customScan: [],
      excludeFromScan: [...checksNotRun],
      electronVersionOverride: electronVersion,
    });
    return {
      given: readable.length,
      read: read.size,
      errors: errors.map(({ file, message }) => `${originOf(file)}: ${message}`),
      findings: issues.map(({ id, file, location }) => ({
        id,
        file: file === 'N/A' ? file : originOf(file),
        line: location.line,
      })),
    };
  } finally {
    console.log = log;
    Parser.prototype.parse = parse;
    rmSync(folder, { recursive: true, force: true });
  }
}
