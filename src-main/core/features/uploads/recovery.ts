import { Yielding } from '../../base/yielding.ts';
import type { RecordRows } from '../../vault/records.ts';
import { attemptsOf, isUnsent, type UploadItem } from './item.ts';
import { readItem } from './itemText.ts';
import { nextUpload } from './machine.ts';
import { copyCutOff, damagedFile, interruptedSending } from './messages.ts';
import { isBound } from './uploadKey.ts';

export interface Found {
  readonly rows: RecordRows;
  readonly sidecars: ReadonlyMap<string, string | null>;
  /** Sizes of the complete files in the spool, -1 where that is not known. */
  readonly files: ReadonlyMap<string, number>;
  /** A new database was made in place of the expected one. */
  readonly isLost: boolean;
}

export interface Circumstances {
  readonly account: string;
  /** The deployment's present path for uploads. */
  readonly path: string;
  /** Server time, Unix milliseconds. */
  readonly now: number;
}

export interface Recovered {
  readonly items: readonly UploadItem[];
  /** The items whose row has to be written again. */
  readonly changed: readonly UploadItem[];
  /** Items with a file whose sidecar is missing or damaged. */
  readonly bare: readonly string[];
  /** Files in the spool that stay. */
  readonly keep: ReadonlySet<string>;
  /** How many items existed only in their sidecar. */
  readonly rebuilt: number;
}

/**
 * Restores the list from the disk. Of a row and a sidecar that differ, the later one counts. Without a row the sidecar
 * counts: discarding removes the sidecar first, so the row was lost, perhaps two starts ago. Recovery never queues an
 * upload that may have been sent.
 */
export async function recover(found: Found, circumstances: Circumstances): Promise<Recovered> {
  const { rows, sidecars, files } = found;
  const texts = new Map(rows.rows.map(({ id, text }) => [id, text]));
  const read = new Map<string, UploadItem>();
  const changed = new Set<string>();
  const bare: string[] = [];
  let areLost = found.isLost || rows.damaged > 0;
  let rebuilt = 0;
  const yielding = new Yielding();

  const take = (stored: UploadItem, known: UploadItem | null): void => {
    const item = settle(stored, files.get(stored.id), circumstances);
    read.set(item.id, item);
    if (item !== known) changed.add(item.id);
  };

  const orphans = new Set(sidecars.keys());
  for (const [id, text] of texts) {
    if (yielding.over) await yielding.next();
    const row = readItem(id, text);
    if (row === null) {
      areLost = true;
      continue;
    }
    orphans.delete(id);
    const besideText = sidecars.get(id) ?? null;
    // Most are the same text, which need not be parsed twice.
    const beside = besideText === text ? row : readItem(id, besideText);
    if (beside === null && row.phase.state !== 'sent' && files.has(id)) bare.push(id);
    const isLater = beside !== null && beside.step > row.step;
    take(isLater ? { ...beside, place: row.place } : row, isLater ? null : row);
  }
  for (const id of orphans) {
    if (yielding.over) await yielding.next();
    const beside = readItem(id, sidecars.get(id) ?? null);
    if (beside === null || beside.phase.state === 'sent') continue;
    // Discarding removes both before the row.
    if (!areLost && !files.has(id)) continue;
    rebuilt += 1;
    take(nextUpload(beside, { kind: 'rebuilt' }), null);
  }
  for (const item of cutOffFirst([...read.values()])) {
    read.set(item.id, item);
    changed.add(item.id);
  }
  const items = [...read.values()];
  const sent = new Set(items.filter(({ phase }) => phase.state === 'sent').map(({ id }) => id));
  const kept = areLost ? files.keys() : items.filter((item) => item.sha256 !== null).map(({ id }) => id);
  const keep = new Set([...kept].filter((id) => !sent.has(id)));
  return { items, changed: items.filter(({ id }) => changed.has(id)), bare, keep, rebuilt };
}

/**
 * The items whose copying broke off, with places before all others: an operator who removed the card must see at once
 * which files are missing. Only items that are not there already.
 */
function cutOffFirst(items: readonly UploadItem[]): UploadItem[] {
  const isCutOff = ({ phase }: UploadItem): boolean =>
    phase.state === 'failed' && phase.failure.code === 'copy-cut-off';
  const first = items
    .filter((item) => !isCutOff(item))
    .reduce((least, { place }) => Math.min(least, place), Number.POSITIVE_INFINITY);
  const late = items
    .filter((item) => isCutOff(item) && item.place >= first)
    .toSorted((a, b) => a.place - b.place);
  const top = items.reduce((least, { place }) => Math.min(least, place), first);
  return late.map((item, index) => ({ ...item, place: top - late.length + index, step: item.step + 1 }));
}

/** The item after a restart. `undefined`: it has no file in the spool. */
function settle(
  stored: UploadItem,
  size: number | undefined,
  { account, path, now }: Circumstances,
): UploadItem {
  let item = stored;
  if (!isBound(item, account, path)) item = nextUpload(item, { kind: 'not-bound', at: now });
  const failure = item.phase.state === 'receiving' ? copyCutOff(now) : interruptedSending(now);
  item = nextUpload(item, { kind: 'restarted', failure });
  const isWhole = size === item.bytes || size === -1;
  if (!isWhole && (isUnsent(item) || item.phase.state === 'unproven'))
    item = nextUpload(item, { kind: 'damaged', failure: damagedFile(now) });
  return item === stored ? stored : { ...item, step: stored.step + 1 };
}

/** How many of these may have been sent, without a known outcome. */
export const uncertain = (items: readonly UploadItem[]): number =>
  items.filter((item) => item.phase.state === 'needs-decision' && attemptsOf(item) > 0).length;
