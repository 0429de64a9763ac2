import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createMapFiles } from '../../../../src-main/adapters/maps/mapFiles.ts';
import type { MapFiles } from '../../../../src-main/core/base/ports.ts';
import type { SpoolAnswer } from '../../../../src-main/core/base/spoolAnswer.ts';
import { MapLibrary } from '../../../../src-main/core/features/maps/library.ts';
import type { MapsState } from '../../../../src-preload/contract/index.ts';
import type { TestPorts } from '../../../support/ports.ts';
import { createFeatureRig } from '../../featureRig.ts';
import { said } from '../../../support/messages.ts';

export interface OpenLibrary {
  readonly library: MapLibrary;
  readonly files: MapFiles;
  readonly ports: TestPorts;
  state(): MapsState;
  /** Imports a whole file in pieces of 64 KiB. */
  give(fileName: string, bytes: Uint8Array): Promise<SpoolAnswer>;
  /** The sentence of the last import that was refused. */
  reason(): string;
  /** What lies in the folder of maps. */
  folder(): Promise<string[]>;
}

export async function* piecesOf(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

/**
 * A library over real files in `dataDir`; opened again on the same ports it is the next start. Closed after the test.
 */
export async function openLibrary(
  dataDir: string,
  options: { readonly ports?: TestPorts; readonly change?: Partial<MapFiles> } = {},
): Promise<OpenLibrary> {
  const rig = createFeatureRig(options);
  const { clock, ports, store } = rig;
  const files = {
    ...createMapFiles({ dataDir, clock }),
    ...options.change,
  };
  const library = new MapLibrary({ ...rig, ports: { ...ports, maps: files } });
  onTestFinished(() => library.close());
  await library.load();
  const now = (): MapsState => store.slice('maps');
  return {
    library,
    files,
    ports,
    state: now,
    give: async (fileName, bytes) => {
      const begun = await library.begin(fileName, bytes.byteLength);
      if (!begun.ok) throw new Error(said(begun.failure.sentence));
      return library.receive(begun.value.importId, piecesOf(bytes));
    },
    reason: () => said(now().imports.at(-1)?.failure?.sentence) ?? '',
    folder: async () => (await readdir(join(dataDir, 'maps')).catch(() => [])).sort(),
  };
}
