/**
 * Rules that need types (oxlint.json), of all scripts and components below a folder: `node build/lint/typed.ts FOLDER
 * [oxlint's arguments]`. A script gets its types by the nearest tsconfig.json.
 *
 * oxlint knows no types in components, so it gets their scripts as files, with all else blank: lines and columns
 * stay. vue-tsc checks the templates.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parse } from 'vue/compiler-sfc';

const root = join(import.meta.dirname, '../..');
const [folder = '.', ...args] = process.argv.slice(2);

function scriptOf(component: string): string {
  const { script, scriptSetup } = parse(component, { sourceMap: false }).descriptor;
  let text = component.replaceAll(/[^\n]/g, ' ');
  for (const block of [script, scriptSetup]) {
    if (block === null) continue;
    const { start, end } = block.loc;
    text = text.slice(0, start.offset) + block.content + text.slice(end.offset);
  }
  return text;
}

process.chdir(root);
mkdirSync('test-results', { recursive: true });
// Not in the system's folder: packages are found from here. Not in node_modules: there oxlint looks at nothing.
const scripts = mkdtempSync('test-results/lint-');
try {
  const tsconfig = {
    extends: '../../tsconfig.renderer.json',
    compilerOptions: { rootDirs: ['../..', '.'] },
    include: ['**/*.ts', '../../src-renderer/**/*.d.ts'],
  };
  writeFileSync(join(scripts, 'tsconfig.json'), JSON.stringify(tsconfig));
  const files = globSync(join(folder, 'src-renderer/**/*.vue')).map((component) => {
    const file = join(scripts, `${component}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, scriptOf(readFileSync(component, 'utf8')));
    return file;
  });
  const oxlint = join(dirname(fileURLToPath(import.meta.resolve('oxlint/package.json'))), 'bin/oxlint');
  const config = ['-c', join(import.meta.dirname, 'oxlint.json'), '--type-aware'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [oxlint, ...config, ...args, folder, ...files],
    { encoding: 'utf8' },
  );
  process.stderr.write(stderr);
  process.stdout.write(stdout.replaceAll(`${scripts}/`, '').replaceAll('.vue.ts:', '.vue:'));
  process.exitCode = status ?? 1;
} finally {
  rmSync(scripts, { recursive: true });
}
