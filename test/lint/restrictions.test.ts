import { ESLint } from 'eslint';
import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';
import { expect, it } from 'vitest';
import { restrictions } from '../../build/lint/restrictions.ts';

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    ...(vue.configs['flat/base'] as never[]),
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      plugins: { '@typescript-eslint': tseslint.plugin as never },
    },
    { files: ['**/*.vue'], languageOptions: { parserOptions: { parser: tseslint.parser } } },
    ...restrictions,
  ],
});

/** The rules that refuse a text, were it the file of that name. */
async function refusals(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message);
}

const syntax = 'no-restricted-syntax';
const properties = 'no-restricted-properties';
const [core, page, host, preload, walk, unit] = [
  'src-main/core/bad.ts',
  'src-renderer/Bad.vue',
  'src-main/hosts/desktop/bad.ts',
  'src-preload/index.ts',
  'test/e2e/bad.spec.ts',
  'test/core/bad.test.ts',
];
const component = (template: string): string => `<template><div>${template}</div></template>`;

it.each([
  [core, 'const at = Date.now();', properties],
  [core, 'const at = new Date();', syntax],
  ['src-renderer/map/bad.ts', 'map.keyboard.disable();', syntax],
  ['src-renderer/map/bad.ts', 'const options = { keyboard: false };', syntax],
  ['src-renderer/map/bad.ts', 'const at = new Date();', syntax],
  [core, "console.log('a');", 'no-console'],
  [core, '// The operator is told.', 'no-warning-comments'],
  [preload, '/** Shown when nobody is signed in. */', 'no-warning-comments'],
  [page, `<script>\n// Comes by itself.\n</script>`, 'no-warning-comments'],
  ['build/bad.ts', '/** Whoever runs it. */', 'no-warning-comments'],
  [core, 'element.innerHTML = text;', syntax],
  [core, "element.insertAdjacentHTML('beforeend', text);", syntax],
  [core, 'watch([one, () => two.value], run);', syntax],
  [core, 'await shell.openExternal(url);', properties],
  [host, 'await shell.openExternal(url);', properties],
  [host, 'const at = new Date();', syntax],
  [host, 'await window.loadFile(path);', syntax],
  [host, "await window.loadURL('file:///page.html');", syntax],
  [host, 'await window.loadURL(`file://${path}`);', syntax],
  [preload, "import { shell } from 'electron';", '@typescript-eslint/no-restricted-imports'],
  [preload, 'const at = new Date();', syntax],
  [preload, 'const bridge = { raw: ipcRenderer };', syntax],
  [preload, 'const bridge = { send: (...args) => ipcRenderer.send(...args) };', syntax],
  [preload, 'const bridge = { send: (channel) => ipcRenderer.send(channel) };', syntax],
  [preload, "contextBridge.exposeInMainWorld('a', {}); contextBridge.exposeInMainWorld('b', {});", syntax],
  [preload, "if (open) { contextBridge.exposeInMainWorld('a', {}); }", syntax],
  [walk, 'await page.waitForTimeout(100);', syntax],
  [walk, "test.skip(host === 'stand-in', 'not here');", syntax],
  [walk, "testInfo.skip(testInfo.project.metadata['host'] !== 'browser', 'not here');", syntax],
  [walk, "test.skip(!('url' in opened), 'not here');", syntax],
  [walk, 'packaged.fixme(host);', syntax],
  ['test/page/bad.page.ts', 'await page.waitForTimeout(100);', syntax],
  [unit, 'await new Promise((resolve) => setTimeout(resolve, 5));', syntax],
  [unit, "import { setTimeout as pause } from 'node:timers/promises';", syntax],
  [unit, 'while (performance.now() - begun < 500) await turn();', syntax],
  [unit, 'if (Date.now() > end) throw new Error();', syntax],
  [unit, 'await expect.poll(state, { timeout: 5_000 }).toBe(1);', syntax],
  [walk, 'test.setTimeout(60_000);', syntax],
  [walk, "const app = document.querySelector('#app').__vue_app__;", syntax],
  [walk, "const app = document.querySelector('#app')['__vue_app__'];", syntax],
  [walk, 'const stores = properties.$pinia;', syntax],
  ['test/e2e/support/bad.ts', 'const stores = window.__pinia;', syntax],
  [page, component('<webview src="https://example.org/" />'), 'vue/no-restricted-html-elements'],
  [page, component('<bdi>{{ id }}</bdi>'), 'vue/no-restricted-html-elements'],
  [page, component('<iframe allowpopups />'), 'vue/no-restricted-static-attribute'],
  [page, component('<iframe :allowpopups="true" />'), 'vue/no-restricted-v-bind'],
])('%s may not say %s', async (file, code, rule) => {
  expect(await refusals(file, code)).toEqual([rule]);
});

it.each([
  ['src-main/hosts/desktop/external.ts', 'await shell.openExternal(url);'],
  ['src-main/adapters/clock.ts', 'const at = Date.now();'],
  [walk, "test.skip(process.platform !== 'linux', 'Only Linux has them');"],
  [core, 'const at = new Date(ms); watch(() => one.value, run); await openExternal(url);'],
  [host, "await window.loadURL('console://app/');"],
  [preload, "import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';"],
  [preload, "contextBridge.exposeInMainWorld('a', { call: (text) => ipcRenderer.invoke(name, text) });"],
  [walk, 'await page.clock.runFor(100); await page.waitForFunction(() => window.ready);'],
  ['test/bench/trace.ts', 'await page.waitForTimeout(100);'],
  [unit, 'await expect.poll(state, { timeout: patience.step }).toBe(1); const begun = performance.now();'],
  [page, component('<iframe src="a" />')],
  ['src-renderer/ui/ForeignText.vue', component('<bdi>{{ text }}</bdi>')],
])('%s may say %s', async (file, code) => {
  expect(await refusals(file, code)).toEqual([]);
});
