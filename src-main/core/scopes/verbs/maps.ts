import type { VerbContext, VerbTable } from './table.ts';

type MapVerb =
  | 'beginMapImport'
  | 'cancelMapImport'
  | 'dismissMapImport'
  | 'setMapPackage'
  | 'moveMapPackage'
  | 'removeMapPackage';

/** Importing map packages, and their list. The bytes take another way: Console.bytes. */
export const mapVerbs = ({ maps }: VerbContext): Pick<VerbTable, MapVerb> => ({
  beginMapImport: ({ fileName, bytes }) => maps.begin(fileName, bytes),
  cancelMapImport: ({ importId }) => maps.cancel(importId),
  dismissMapImport: ({ importId }) => maps.dismiss(importId),
  setMapPackage: ({ id, visible }) => maps.setVisible(id, visible),
  moveMapPackage: ({ id, to }) => maps.move(id, to),
  removeMapPackage: ({ id }) => maps.remove(id),
});
