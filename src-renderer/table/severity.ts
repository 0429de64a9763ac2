import { severityNames, type SeverityName } from '../../src-preload/contract/index.ts';
import type { IncidentTable } from './table.ts';

/** What is drawn over what: the place of a mark among those that severities have, the least 0. */
export const rankOf = (mark: SeverityName): number => severityNames.indexOf(mark);

type Folding = Pick<IncidentTable, 'dictionaries' | 'scale'>;

/** The rank of the mark of every entry of the severity dictionary, so that a pass over rows compares numbers. */
export const severityRanks = ({ dictionaries, scale }: Folding): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(dictionaries.severity, (text) => rankOf(scale.classOf(text).mark));

/** The weight of every entry of the severity dictionary, greater for the worse. */
export const severityWeights = ({ dictionaries, scale }: Folding): Uint32Array<ArrayBuffer> =>
  Uint32Array.from(dictionaries.severity, (text) => scale.classOf(text).weight);
