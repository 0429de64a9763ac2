import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { encodeIncidentFrame } from '../../src-preload/contract/index.ts';
import { benchFeatures, benchFrame } from './data.ts';

/** Builds the bench's pages as the console's are built, with their data beside them; answers the folder. */
export async function buildBenchPages(sizes: readonly number[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-bench-'));
  const pages = resolve(import.meta.dirname, 'pages');
  await build({
    root: pages,
    configFile: false,
    logLevel: 'error',
    base: './',
    worker: { format: 'es' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'es2023',
      chunkSizeWarningLimit: 4096,
      rollupOptions: { input: ['ours', 'bare', 'floor'].map((name) => join(pages, `${name}.html`)) },
    },
  });
  for (const size of sizes) {
    const frame = benchFrame(size, 0, true);
    await writeFile(join(folder, `frame-${String(size)}.bin`), encodeIncidentFrame(frame));
    const text = JSON.stringify({ type: 'FeatureCollection', features: benchFeatures(frame) });
    await writeFile(join(folder, `points-${String(size)}.geojson`), text);
  }
  return folder;
}
