import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'electron-vite';
import { bundledPackages } from './build/bundled.ts';
import { verbNamesOnly } from './build/verbNames.ts';

const packages = bundledPackages();

/**
 * Everything is bundled but Electron and Node's own modules: the packed application then holds no
 * node_modules, and what runs there is what was built and tested here. No source maps: they would put
 * the sources beside the shipped code.
 */
export default defineConfig({
  main: {
    plugins: [packages.of('main')],
    build: {
      outDir: 'out/main',
      sourcemap: false,
      minify: false,
      externalizeDeps: false,
      rollupOptions: {
        input: {
          desktop: 'src-main/desktop.ts',
          serve: 'src-main/serve.ts',
          // Programs of worker threads, found by their place beside the chunks.
          databaseWorker: 'src-main/adapters/vault/databaseWorker.ts',
          spoolWorker: 'src-main/adapters/vault/records/spoolWorker.ts',
          tileWorker: 'src-main/adapters/maps/tileWorker.ts',
        },
        // Native helpers that ws and msgpackr try and can do without.
        external: ['bufferutil', 'utf-8-validate', 'msgpackr-extract'],
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // What libraries say of their functions is no help where they run. Licences are handed out in one file.
          comments: { jsdoc: false, legal: false, annotation: true },
          // Without blanks, but with all names, which the log and a crash report tell.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  },
  preload: {
    plugins: [verbNamesOnly(), packages.of('preload')],
    build: {
      outDir: 'out/preload',
      sourcemap: false,
      minify: false,
      externalizeDeps: false,
      rollupOptions: {
        input: { index: 'src-preload/index.ts' },
        // A sandboxed preload must be one CommonJS file.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    base: './',
    plugins: [vue(), packages.of('renderer')],
    worker: { format: 'es', plugins: () => [packages.inside('renderer')] },
    build: {
      outDir: 'out/renderer',
      emptyOutDir: true,
      sourcemap: false,
      // electron-vite leaves this off; the page's scripts are read and compiled at every start.
      minify: true,
      // The content security policy refuses fonts and scripts from `data:` addresses.
      assetsInlineLimit: 0,
      // Both hosts show the page in Chromium or a current browser, so nothing is filled in.
      target: 'es2023',
      modulePreload: { polyfill: false },
      // The page comes from the disk or from loopback; the map library alone is larger than Vite's 500 kB.
      chunkSizeWarningLimit: 1_300,
      rollupOptions: {
        input: 'src-renderer/index.html',
        output: {
          // Each language's words are a file of their own, fetched by the pages that are read in it.
          manualChunks: (id) => {
            // Told how to work (src-renderer/zod.ts) before the first schema is made, in whichever file that lies.
            if (/\/src-renderer\/zod\.ts$|\/node_modules\/zod\//.test(id)) return 'zod';
            const language = /\/src-(?:preload\/contract|renderer\/i18n)\/messages\/([\w-]+)[/.]/.exec(
              id,
            )?.[1];
            return language === undefined ? null : `words-${language}`;
          },
        },
      },
    },
  },
});
