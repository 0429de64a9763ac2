import { z } from 'zod';
import { mapPackageSchema, type MapPackage } from '../../../../src-preload/contract/index.ts';
import type { Documents } from '../../base/ports.ts';

const documentName = 'maps.json';

/** More packages than a map can show at once; also the bound of every list made from them. */
export const mostPackages = 64;

const bookSchema = z.object({
  version: z.literal(1),
  packages: z.array(mapPackageSchema).max(mostPackages),
});

/** Which packages there are, in their order from the lowest layer up, as the data folder remembers it. */
export class MapCatalog {
  readonly #documents: Documents;

  constructor({ documents }: { readonly documents: Documents }) {
    this.#documents = documents;
  }

  /** Null when the document cannot be read: the files are then what is known. */
  async load(): Promise<MapPackage[] | null> {
    try {
      const text = await this.#documents.read(documentName);
      return text === null ? [] : bookSchema.parse(JSON.parse(text)).packages;
    } catch {
      return null;
    }
  }

  async save(packages: readonly MapPackage[]): Promise<void> {
    await this.#documents.write(documentName, `${JSON.stringify({ version: 1, packages })}\n`);
  }
}
