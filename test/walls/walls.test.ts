import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const fixtures = 'test/fixtures/walls';

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

/** The violations that the walls' own rules find in the deliberately bad tree. */
async function violations(): Promise<Set<string>> {
  const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const found = await run(
    process.execPath,
    [cruiser, fixtures, '--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
    { env: { ...process.env, WALLS_ROOT: fixtures }, maxBuffer: 1 << 26 },
  ).catch((error: { stdout: string }) => error);
  const report = JSON.parse(found.stdout) as { summary: { violations: Violation[] } };
  return new Set(
    report.summary.violations.map((v) => `${v.rule.name}: ${v.from.slice(fixtures.length + 1)}`),
  );
}

describe('the walls between the folders', async () => {
  const found = await violations();

  it.each([
    'core-knows-core-and-contract: src-main/core/imports-adapter.ts',
    'core-base-knows-what-is-below: src-main/core/base/imports-service.ts',
    'core-has-no-other-floor: src-main/core/imports-adapter.ts',
    'features-meet-at-their-index: src-main/core/features/alarms/imports-inside.ts',
    'electron-only-at-home: src-main/core/imports-electron.ts',
    'core-never-reaches-electron: src-main/core/deep/reaches-electron.ts',
    'adapters-know-ports-and-contract: src-main/adapters/imports-host.ts',
    'training-knows-ports-and-contract: src-main/training/imports-adapter.ts',
    'hosts-know-core-and-contract: src-main/hosts/imports-adapter.ts',
    'browser-host-never-meets-desktop-host: src-main/hosts/browser/imports-desktop.ts',
    'contract-stands-alone: src-preload/contract/imports-core.ts',
    'contract-imports-only-zod: src-preload/contract/imports-node.ts',
    'core-says-english-only: src-main/core/imports-page-texts.ts',
    'core-says-english-only: src-main/hosts/imports-spanish.ts',
    'preload-and-contract-carry-no-texts: src-preload/contract/imports-texts.ts',
    'preload-knows-contract: src-preload/index.ts',
    'renderer-knows-contract: src-renderer/features/views/imports-core.ts',
    'renderer-imports-no-node: src-renderer/features/views/imports-node.ts',
    'map-is-no-vue-code: src-renderer/map/imports-view.ts',
    'map-imports-no-vue: src-renderer/map/imports-vue.ts',
    'clusters-know-types-of-the-contract: src-renderer/map/clusters/imports-schema.ts',
    'table-knows-the-contract: src-renderer/table/imports-base.ts',
    'ui-and-design-know-no-store: src-renderer/ui/imports-store.ts',
    'ui-and-design-know-no-store: src-renderer/ui/imports-paper.ts',
    'ui-and-design-reach-no-store: src-renderer/ui/reaches-store.ts',
    'print-knows-no-store: src-renderer/print/imports-store.ts',
    'page-base-knows-no-feature: src-renderer/base/imports-feature.ts',
    'features-know-no-app: src-renderer/features/alarms/imports-app.ts',
    'page-features-meet-at-their-index: src-renderer/features/alarms/imports-inside.ts',
    'no-circular: src-main/core/circle-a.ts',
    'no-circular: src-main/core/state/type-circle-a.ts',
    'no-unresolvable: src-main/core/imports-nothing.ts',
    'no-dev-dependency-in-the-product: src-main/core/imports-dev-dependency.ts',
  ])('refuses %s', (violation) => {
    expect([...found]).toContain(violation);
  });

  it('lets a feature import its own files, and another one through its index', () => {
    expect([...found].filter((violation) => violation.endsWith('alarms/imports-index.ts'))).toEqual([]);
  });

  it('lets the core import the English of what it says', () => {
    expect([...found].filter((violation) => violation.endsWith('core/imports-english.ts'))).toEqual([
      'core-has-no-other-floor: src-main/core/imports-english.ts',
    ]);
  });

  it('lets a host import the file helpers, and no other adapter', () => {
    expect([...found].filter((violation) => violation.endsWith('hosts/imports-file-helpers.ts'))).toEqual([]);
  });

  it('lets the desktop host import electron', () => {
    expect([...found].filter((violation) => violation.endsWith('hosts/desktop/window.ts'))).toEqual([]);
  });
});
