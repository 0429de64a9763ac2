import type { IncidentTable } from './incidentTable.ts';
import { WantedText } from './wantedText.ts';

export interface AnchorsFound {
  /** Keys of the incidents, at most `anchorLimit`. */
  readonly keys: number[];
  /** Whether there are more of them. */
  readonly more: boolean;
}

export const anchorLimit = 10_000;
/** How many slots are looked at between two looks at the time. */
const stride = 256;

/**
 * The incidents with a blockchain record that holds a text, whatever its case. Looks at every incident, in
 * pieces: whenever `isSpent` says that the turn has been long enough it waits for `nextTurn`. A table that
 * changes meanwhile is read as it is then.
 */
export async function searchAnchors(
  table: Pick<IncidentTable, 'slots' | 'keyWithAnchor'>,
  text: string,
  { isSpent, nextTurn }: { readonly isSpent: () => boolean; readonly nextTurn: () => Promise<void> },
): Promise<AnchorsFound> {
  const wanted = new WantedText(text);
  const keys: number[] = [];
  for (let slot = 0; slot < table.slots; slot += 1) {
    if (slot % stride === 0 && isSpent()) await nextTurn();
    const key = table.keyWithAnchor(slot, wanted);
    if (key === null) continue;
    if (keys.length === anchorLimit) return { keys, more: true };
    keys.push(key);
  }
  return { keys, more: false };
}
