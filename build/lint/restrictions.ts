/**
 * What no source of the console may say, as configurations of ESLint. A later `no-restricted-syntax` replaces an
 * earlier one, so each folder's list is put together here.
 */
import type { Linter } from 'eslint';

interface Restriction {
  readonly selector: string;
  readonly message: string;
}

const wallClock =
  'Time comes from the Clock port (or the mirror’s station clock): a computer’s clock may be a day wrong.';
const shallowSource =
  'Write () => it.value: with a shallowRef among its sources, Vue runs a watcher each time anything it reads is written, changed or not.';
const markup = 'Text is text: no markup from strings.';
const foreign = 'ForeignText isolates what another has written, and shows what is hidden in it.';
const ownScheme = 'The desktop loads its own scheme alone: a file:// page could read every file.';
const waiting =
  'Wait for what is expected, for a later event on the same path, or for a virtual clock: a machine that stalls outlasts any pause.';
const patient = 'How long a test waits stands in test/support/patience.ts.';
const insides = 'Go through what an operator sees: what Vue and Pinia hold inside is no interface.';
const skips =
  'Which hosts a test does not run in stands in test/e2e/support/notOnHosts.ts, and so in docs/testing.md.';
const mapKeys = 'The map is moved and zoomed by keys, as its name promises.';
const bridge =
  'The bridge hands out functions of its own, never Electron’s, and no function that takes a channel.';

const everywhere = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: wallClock },
  {
    selector: 'AssignmentExpression > MemberExpression[property.name=/^(inner|outer)HTML$/]',
    message: markup,
  },
  {
    selector: "CallExpression[callee.name='watch'] > ArrayExpression.arguments:first-child > Identifier",
    message: shallowSource,
  },
  { selector: "CallExpression[callee.property.name='insertAdjacentHTML']", message: markup },
];
const inDesktop = [
  { selector: "MemberExpression[property.name='loadFile']", message: ownScheme },
  { selector: 'Literal[value=/^file:\\u002F\\u002F/]', message: ownScheme },
  { selector: 'TemplateElement[value.raw=/^file:\\u002F\\u002F/]', message: ownScheme },
];
const inPreload = [
  { selector: "Property > Identifier[name='ipcRenderer'].value", message: bridge },
  { selector: ':function > RestElement', message: bridge },
  {
    selector:
      "ExpressionStatement:has([property.name='exposeInMainWorld']) ~ ExpressionStatement [property.name='exposeInMainWorld']",
    message: bridge,
  },
  { selector: ":not(Program) > ExpressionStatement [property.name='exposeInMainWorld']", message: bridge },
  { selector: ':function > Identifier[name=/channel/i].params', message: bridge },
];
const inMap = [
  {
    selector: "CallExpression[callee.property.name='disable'][callee.object.property.name='keyboard']",
    message: mapKeys,
  },
  { selector: "Property[key.name='keyboard'][value.value=false]", message: mapKeys },
];
const now = 'CallExpression[callee.object.name=/^(Date|performance)$/][callee.property.name="now"]';
const realTime = [
  {
    selector: "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
    message: waiting,
  },
  {
    selector: "ImportDeclaration[source.value='node:timers/promises'] > [imported.name='setTimeout']",
    message: waiting,
  },
  { selector: "CallExpression[callee.property.name='waitForTimeout']", message: waiting },
  { selector: `BinaryExpression[operator=/^[<>]/] ${now}`, message: waiting },
  { selector: "Property[key.name='timeout'] > Literal.value", message: patient },
  { selector: "CallExpression[callee.property.name='setTimeout'] > Literal", message: patient },
];
/** Files of tests that read real time, and why. */
const inRealTime = {
  'test/adapters/programs/makeEarlierVault.ts': 'it lets a console of an earlier version work, before a kill',
  'test/adapters/threads/restartingWorker.test.ts':
    'what another thread may wrongly send shows in no message',
  'test/adapters/vault/**/*kill.cases.test.ts': 'they kill at a random moment',
  'test/bench/**': 'they measure time',
  'test/core/base/nextPiece.test.ts': 'the garbage collector says nothing when it is done',
  'test/core/features/evidence/content/contents.test.ts': 'the clock of its gateway is real',
  'test/e2e/commands.spec.ts': 'a key that did not count yet is pressed again',
  'test/e2e/development.spec.ts': 'an event of the page is waited for as long as the test runs',
  'test/e2e/diagnostics.spec.ts': 'the next page is looked at soon',
  'test/e2e/evidenceMany.spec.ts': 'it stores a million files',
  'test/e2e/pictures.spec.ts': 'it draws all pictures',
  'test/e2e/recovery.spec.ts': 'a browser that stays stays for longer than one is replaced in',
  'test/e2e/support/kiosk.ts': 'it looks for a process of the system',
  'test/faults/{evidenceKills,kills,lifetimes,uploadKills,workerDeaths}.test.ts':
    'they kill at a random moment',
  'test/faults/eventStream.test.ts': 'it measures turns',
  'test/faults/{programs,support}/**': 'they act at random moments, or measure',
  'test/hosts/programs/breakingConsole.ts': 'its second fault falls within its close',
  'test/page/drive.ts': 'it waits in a page, without the test',
  'test/renderer/features/alarms/siren/siren.test.ts': 'one turn of timers, of whatever length',
  'test/support/{clock,ending,quiet,virtualWorld}.ts': 'here is waited for what comes',
};
const inWalks = [
  { selector: 'Identifier[name=/^(__vue|__pinia|\\$pinia)/]', message: insides },
  { selector: 'Literal[value=/^(__vue|__pinia|\\$pinia)/]', message: insides },
];
const inSpecs = [
  {
    selector:
      "CallExpression[callee.property.name=/^(skip|fixme)$/]:has(:matches(Identifier[name=/^(host|project|opened|withoutDesktop)$/], Literal[value='host']))",
    message: skips,
  },
];

const syntax = (...lists: readonly (readonly Restriction[])[]): Linter.RuleEntry => [
  'error',
  ...lists.flat(),
];
const wallClockCall = { object: 'Date', property: 'now', message: wallClock };
const openExternal = {
  object: 'shell',
  property: 'openExternal',
  message: 'Addresses go to the system through hosts/desktop/external.ts, which looks at them.',
};

/** What no comment says (docs/style.md), as far as a word shows it. */
const commentWords = [
  ...['of its own', 'of their own', 'nobody', 'somebody', 'whoever', 'whomever', 'anew', 'any more'],
  ...['is told', 'are told', 'what is kept', 'what was kept', 'by itself', 'by themselves'],
  ...['goes on', 'go on', 'under way'],
];

export const restrictions: readonly Linter.Config[] = [
  {
    files: ['src-*/**/*.{ts,vue}', 'build/**/*.{ts,mjs}'],
    rules: { 'no-warning-comments': ['error', { terms: commentWords, location: 'anywhere' }] },
  },
  {
    files: ['src-*/**/*.{ts,vue}'],
    ignores: ['src-main/adapters/clock.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': ['error', wallClockCall, openExternal],
      'no-restricted-syntax': syntax(everywhere),
    },
  },
  {
    files: ['src-renderer/map/**/*.ts'],
    rules: { 'no-restricted-syntax': syntax(everywhere, inMap) },
  },
  {
    files: ['src-main/hosts/desktop/external.ts'],
    rules: { 'no-restricted-properties': ['error', wallClockCall] },
  },
  {
    files: ['src-main/hosts/desktop/**/*.ts'],
    rules: { 'no-restricted-syntax': syntax(everywhere, inDesktop) },
  },
  {
    files: ['src-preload/index.ts'],
    rules: {
      'no-restricted-syntax': syntax(everywhere, inPreload),
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'electron',
              allowImportNames: ['contextBridge', 'ipcRenderer', 'IpcRendererEvent'],
              message: bridge,
            },
          ],
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'no-restricted-syntax': syntax(realTime) },
  },
  {
    files: ['test/e2e/**/*.ts', 'test/page/**/*.ts'],
    rules: { 'no-restricted-syntax': syntax(realTime, inWalks) },
  },
  {
    files: ['test/e2e/*.spec.ts'],
    rules: { 'no-restricted-syntax': syntax(realTime, inWalks, inSpecs) },
  },
  {
    files: Object.keys(inRealTime),
    rules: { 'no-restricted-syntax': syntax(inWalks, inSpecs) },
  },
  {
    files: ['src-renderer/**/*.vue'],
    rules: {
      'vue/no-restricted-html-elements': ['error', 'webview', { element: 'bdi', message: foreign }],
      'vue/no-restricted-static-attribute': ['error', 'allowpopups'],
      'vue/no-restricted-v-bind': ['error', 'allowpopups'],
    },
  },
  {
    files: ['src-renderer/ui/ForeignText.vue'],
    rules: { 'vue/no-restricted-html-elements': ['error', 'webview'] },
  },
];
