/**
 * `npm run check:security`: Electronegativity over the sources and over the bundles, and Google's CSP
 * Evaluator over the content security policy, each against a written list of what is accepted.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { contentSecurityPolicy, freshNonce } from '../../src-main/hosts/csp.ts';
import { judge, type Acceptance } from './judge.ts';
import { checksNotRun, scan, type TextFile } from './scanner.ts';
import { seededName, seededText, seededIds } from './seeded.ts';

type What = 'sources' | 'bundle';
/** accepted.json */
interface Accepted {
  readonly electronegativity: Readonly<Record<What, readonly Acceptance[]>>;
  readonly policy: readonly Acceptance[];
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const accepted: Accepted = JSON.parse(read('build/security/accepted.json'));
const electronVersion = JSON.parse(read('package.json')).devDependencies.electron;

/** Names of a bundle's chunks carry a hash, which says nothing about what is in them. */
const withoutHash = (name: string) => name.replace(/-[\w-]{8}(?=\.(js|ts|css)$)/, '');

function filesUnder(folders: readonly string[], wanted: RegExp): readonly TextFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && wanted.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .map((name) => ({ name: withoutHash(name), text: read(name) })),
  );
}

/** With a file that is bad on purpose among them: a scan that does not find it proves nothing. */
async function scanned(what: What, files: readonly TextFile[]) {
  const seeded = { name: seededName(what), text: seededText };
  return { what, ...(await scan([...files, seeded], electronVersion)) };
}

const scans = [
  await scanned('sources', filesUnder(['src-main', 'src-preload', 'src-renderer'], /\.(ts|vue|html)$/)),
  await scanned('bundle', filesUnder(['out'], /\.([cm]?js|html)$/)),
];
const problems = scans.flatMap((one) =>
  judge(one, accepted.electronegativity[one.what], { file: seededName(one.what), ids: seededIds }),
);

const policy = new CspParser(contentSecurityPolicy(freshNonce())).csp;
const remarks = new CspEvaluator(policy)
  .evaluate()
  .map(({ type, directive, value }) => ({ id: String(type), file: `${directive} ${value ?? ''}`.trim() }));
const bad = new CspEvaluator(new CspParser("script-src 'unsafe-inline' *").csp).evaluate();
if (bad.length < 2) problems.push('policy: a policy that is bad on purpose was not found');
for (const { id, file } of remarks) {
  if (!accepted.policy.some((one) => one.id === id && one.file === file)) {
    problems.push(`policy: remark ${id} on "${file}" is not accepted`);
  }
}
for (const one of accepted.policy) {
  if (!remarks.some(({ id, file }) => id === one.id && file === one.file)) {
    problems.push(`policy: the acceptance of ${one.id} on "${one.file}" is not used`);
  }
}

for (const { what, read: count, findings } of scans) {
  const own = findings.filter(({ file }) => file !== seededName(what));
  process.stdout.write(`Electronegativity, ${what}: ${count} files read, ${own.length} findings accepted\n`);
}
process.stdout.write(`CSP Evaluator: ${remarks.length} remarks accepted\n`);
process.stdout.write(`Not run, as it asks the internet: ${checksNotRun.join(', ')}\n`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
