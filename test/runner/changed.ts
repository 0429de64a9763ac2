import type { Stage } from './stages.ts';

/** What a change can reach: the stages to run, and of the others the reason why not. */
export interface Selection {
  readonly run: readonly string[];
  readonly left: readonly { readonly stage: string; readonly why: string }[];
}

/** A change here can change the outcome of any test. */
const everything =
  /^(package(-lock)?\.json|\.npmrc|tsconfig[^/]*\.json|vitest\.config\.ts|electron\.vite\.config\.ts|playwright\.config\.ts|test\/support\/|test\/runner\/|test\/run\.mjs)/;
const source = /^src-(main|preload|renderer)\//;
const script = /\.(ts|mts|mjs|cjs|js|vue)$/;

/** Stages that only certain changes reach. Any other stage is reached by each change. */
const reachedBy: Readonly<Record<string, { readonly paths: RegExp; readonly what: string }>> = {
  'types:renderer': { paths: script, what: 'a script' },
  'types:test': { paths: script, what: 'a script' },
  'types:main': { paths: script, what: 'a script' },
  'types:core': { paths: script, what: 'a script' },
  'types:preload': { paths: script, what: 'a script' },
  walls: { paths: /^(src-|\.dependency-cruiser)/, what: 'src-*' },
  package: { paths: /^(src-|build\/)/, what: 'src-* or build' },
  security: { paths: /^(src-|build\/)/, what: 'src-* or build' },
  desktop: { paths: /^(src-main|src-preload|test\/hosts)\//, what: 'src-main, src-preload or test/hosts' },
  page: { paths: /^(src-(main|preload|renderer)|test\/page)\//, what: 'src-* or test/page' },
  journeys: { paths: /^(src-(main|preload|renderer)|test\/e2e)\//, what: 'src-* or test/e2e' },
  packed: { paths: /^(src-(main|preload|renderer)|build|test\/e2e)\//, what: 'src-*, build or test/e2e' },
};

/** Which of these stages the changed files (from the root, with slashes) can reach. */
export function selectStages(
  names: readonly string[],
  stages: Readonly<Record<string, Pick<Stage, 'after'>>>,
  changed: readonly string[],
): Selection {
  if (changed.length === 0)
    return { run: [], left: names.map((stage) => ({ stage, why: 'nothing has changed' })) };
  const all = changed.some((file) => everything.test(file));
  const reached = (name: string): boolean => {
    const rule = reachedBy[name];
    return all || rule === undefined || changed.some((file) => rule.paths.test(file));
  };
  const run = new Set(names.filter(reached));
  // What a stage reads has to be of this state of the sources too.
  for (const name of [...run]) for (const other of stages[name]?.after ?? []) run.add(other);
  return {
    run: names.filter((name) => run.has(name)),
    left: names
      .filter((name) => !run.has(name))
      .map((stage) => ({ stage, why: `no change of ${reachedBy[stage]?.what ?? 'what it reads'}` })),
  };
}

/** Whether Vitest may follow the imports of what has changed, rather than run all of its tests. */
export const followsImports = (changed: readonly string[]): boolean =>
  // Pages, pictures and build scripts are read by tests, not imported.
  changed.every((file) => !everything.test(file) && (source.test(file) || /^test\/.*\.ts$/.test(file)));
