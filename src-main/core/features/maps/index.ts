import type { mapVerbs } from '../../../../src-preload/contract/index.ts';
import type { AppContext, VerbHandlers } from '../context.ts';
import { MapLibrary } from './library.ts';

export { mapsAtStart, type TileAnswer } from './library.ts';

/** Opens the map packages. Their bytes come through `AppBytes.spool`. */
export async function openMaps(app: AppContext) {
  const maps = new MapLibrary(app);
  app.scope.closing(() => maps.close());
  await maps.load();
  const verbs: VerbHandlers<typeof mapVerbs> = {
    beginMapImport: ({ fileName, bytes }) => maps.begin(fileName, bytes),
    cancelMapImport: ({ importId }) => maps.cancel(importId),
    dismissMapImport: ({ importId }) => maps.dismiss(importId),
    setMapPackage: ({ id, visible }) => maps.setVisible(id, visible),
    moveMapPackage: ({ id, to }) => maps.move(id, to),
    removeMapPackage: ({ id }) => maps.remove(id),
  };
  return Object.assign(maps, { verbs });
}
