import { z } from 'zod';
import { mapPackageSchema, type MapPackage } from '../../../../src-preload/contract/index.ts';
import { JsonDocument, type JsonDocumentOptions } from '../../base/jsonDocument.ts';

/** More packages than a map can show at once; also the bound of every list made from them. */
export const mostPackages = 64;

const bookSchema = z.object({
  version: z.literal(1),
  packages: z.array(mapPackageSchema).max(mostPackages),
});

/** Which packages there are, in their order from the lowest layer up, as the data folder remembers it. */
export class MapCatalog {
  readonly #document: JsonDocument<MapPackage[]>;

  constructor(options: Omit<JsonDocumentOptions<unknown>, 'name' | 'read'>) {
    this.#document = new JsonDocument({
      ...options,
      name: 'maps',
      read: (value) => bookSchema.safeParse(value).data?.packages ?? null,
    });
  }

  /** Null when the document cannot be read: the files are then what is known. */
  async load(): Promise<MapPackage[] | null> {
    const stored = await this.#document.load();
    if (stored.kind === 'stored') return stored.value;
    return stored.kind === 'none' ? [] : null;
  }

  /** Rejects with what the disk says. */
  save(packages: readonly MapPackage[]): Promise<void> {
    return this.#document.write({ version: 1, packages });
  }
}
