/**
 * The walls between the folders. Errors only. test/walls proves with deliberately bad files that
 * each rule bites; WALLS_ROOT points the same rules at them.
 */
const root = process.env.WALLS_ROOT ? `${process.env.WALLS_ROOT}/` : '';
const at = (path) => `^${root}${path}`;

const core = at('src-main/core/');
const floors = ['base', 'state', 'vault', 'service', 'features', 'scopes'];
const contract = at('src-preload/contract/');
const texts = at('src-preload/contract/messages/');
const electronHomes = `${at('src-main/hosts/desktop/')}|${at('src-main/desktop\\.ts$')}|${at('src-preload/index\\.ts$')}`;

/** Functions over Node's files, without state. */
const fileHelpers = at('src-main/adapters/(durableFiles|plainFile)\\.ts$');

/** Generated data, which any part may carry. */
const assets = at('build/assets/');

/** Everything in the project's own folders but what is listed, and assets. */
const onlyOwn = (name, from, allowed, extra = {}) => ({
  name,
  severity: 'error',
  from: { path: from, ...extra },
  to: { path: at('(src-|test/|build/)'), pathNot: `${allowed}|${assets}` },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^electron$|\\?' },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: at('src-') },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^electron$|node_modules/electron/|node_modules/vite/',
      },
    },
    onlyOwn('contract-stands-alone', contract, contract),
    onlyOwn('core-knows-core-and-contract', core, `${core}|${contract}`),
    // A floor of the core knows itself and the floors below it.
    ...floors.map((floor, height) =>
      onlyOwn(
        `core-${floor}-knows-what-is-below`,
        at(`src-main/core/${floor}/`),
        `${at(`src-main/core/(${floors.slice(0, height + 1).join('|')})/`)}|${contract}`,
      ),
    ),
    {
      name: 'core-has-no-other-floor',
      severity: 'error',
      from: { path: core, pathNot: at(`src-main/core/(${floors.join('|')})/`) },
      to: {},
    },
    {
      name: 'features-meet-at-their-index',
      severity: 'error',
      from: { path: at('src-main/core/features/([^/]+)/') },
      // What lies beside the folders is what all features are made with: their contexts and the ports.
      to: {
        path: at('src-main/core/features/'),
        pathNot: [
          at('src-main/core/features/$1/'),
          at('src-main/core/features/([^/]+/index|context|ports)\\.ts$'),
        ],
      },
    },
    onlyOwn(
      'adapters-know-ports-and-contract',
      at('src-main/adapters/'),
      `${at('src-main/adapters/')}|${core}|${contract}`,
    ),
    onlyOwn(
      'training-knows-ports-and-contract',
      at('src-main/training/'),
      `${at('src-main/training/')}|${core}|${contract}`,
      { pathNot: at('src-main/training/main\\.ts$') },
    ),
    onlyOwn(
      'hosts-know-core-and-contract',
      at('src-main/hosts/'),
      `${at('src-main/hosts/')}|${core}|${contract}|${fileHelpers}`,
    ),
    {
      name: 'browser-host-never-meets-desktop-host',
      severity: 'error',
      from: { path: at('src-main/hosts/browser/') },
      to: { path: at('src-main/hosts/desktop/') },
    },
    {
      name: 'core-says-english-only',
      severity: 'error',
      // The system draws menus and boxes, in the page's language.
      from: { path: at('src-main/'), pathNot: at('src-main/hosts/desktop/words\\.ts$') },
      to: { path: texts, pathNot: `${texts}en/core\\.json$` },
    },
    {
      name: 'preload-and-contract-carry-no-texts',
      severity: 'error',
      from: { path: at('src-preload/') },
      to: { path: texts },
    },
    onlyOwn('preload-knows-contract', at('src-preload/index\\.ts$'), contract),
    onlyOwn('renderer-knows-contract', at('src-renderer/'), `${at('src-renderer/')}|${contract}`),
    onlyOwn(
      'map-is-no-vue-code',
      at('src-renderer/map/'),
      `${at('src-renderer/(map|table|design)/')}|${contract}`,
    ),
    onlyOwn(
      'table-knows-the-contract',
      at('src-renderer/table/'),
      `${at('src-renderer/table/')}|${contract}`,
    ),
    {
      name: 'map-imports-no-vue',
      severity: 'error',
      from: { path: at('src-renderer/(map|table)/') },
      to: { path: 'node_modules/(vue|pinia|reka-ui|@vueuse)/' },
    },
    {
      // The schemas are made when the contract is loaded: its worker would carry all of them, and zod.
      name: 'clusters-know-types-of-the-contract',
      severity: 'error',
      from: { path: at('src-renderer/map/clusters/') },
      to: { path: contract, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ui-and-design-know-no-store',
      severity: 'error',
      from: { path: at('src-renderer/(ui|design|i18n)/') },
      to: { path: `${at('src-renderer/(app|features|print|base/stores)/')}|node_modules/pinia/` },
    },
    {
      name: 'ui-and-design-reach-no-store',
      severity: 'error',
      from: { path: at('src-renderer/(ui|design|i18n)/') },
      to: { path: `${at('src-renderer/base/stores/')}|node_modules/pinia/`, reachable: true },
    },
    {
      name: 'print-knows-no-store',
      severity: 'error',
      from: { path: at('src-renderer/print/') },
      to: {
        path: `${at('src-renderer/(app|features|map|table|base/stores|base/bridge)/')}|node_modules/pinia/`,
      },
    },
    {
      name: 'page-base-knows-no-feature',
      severity: 'error',
      from: { path: at('src-renderer/base/') },
      to: { path: at('src-renderer/(app|features|print)/') },
    },
    {
      name: 'features-know-no-app',
      severity: 'error',
      from: { path: at('src-renderer/features/') },
      to: { path: at('src-renderer/app/') },
    },
    {
      name: 'page-features-meet-at-their-index',
      severity: 'error',
      from: { path: at('src-renderer/features/([^/]+)/') },
      to: {
        path: at('src-renderer/features/'),
        pathNot: [
          at('src-renderer/features/$1/'),
          at('src-renderer/features/[^/]+/(index|components)\\.ts$'),
        ],
      },
    },
    {
      name: 'renderer-imports-no-node',
      severity: 'error',
      from: { path: at('src-renderer/') },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'contract-imports-only-zod',
      severity: 'error',
      from: { path: contract },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/zod/' },
    },
    {
      name: 'electron-only-at-home',
      severity: 'error',
      from: { path: at('(src-|test/|build/)'), pathNot: electronHomes },
      to: { path: '^electron$|node_modules/electron/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'core-never-reaches-electron',
      severity: 'error',
      from: { path: core },
      to: { path: '^electron$|node_modules/electron/|hosts/', reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)out/|node_modules/.*/node_modules/\\.vite' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    builtInModules: { add: ['node:sqlite', 'electron'] },
  },
};
