import type { CountText } from './countText.ts';

/** Of a ring: fine enough to be compared, and few enough for marks that look alike to share an image. */
const ringSteps = 12;

/** What the image of a mark shows. */
export interface MarkIcon {
  /** Of the severity whose glyph it is. */
  readonly rank: number;
  /** None of its incidents is open: it is drawn back. */
  readonly over: boolean;
  /** Null for a single incident. */
  readonly cluster: {
    /** How many there are of the worst that are open; of all where none is. */
    readonly text: string;
    /** Of figures that the count of all its incidents has. */
    readonly figures: number;
    /** Steps of its ring for each rank that are open, the least rank first; for those that are over, the last. */
    readonly ring: readonly number[];
  } | null;
}

interface Mark {
  readonly rank: number;
  readonly count: number;
  /** How many of each rank are open, the least rank first. */
  readonly open: ArrayLike<number>;
  readonly said: CountText;
}

/** The name of a mark's image. Marks that look alike have one name. */
export function markIcon({ rank, count, open, said }: Mark): string {
  if (count === 1) return singleIcon(rank, open[rank] !== 1);
  let opened = 0;
  let ring = '';
  for (let own = 0; own < open.length; own += 1) {
    const number = open[own] as number;
    opened += number;
    ring += ringDigit(number, count);
  }
  const kind = opened === 0 ? 'over' : 'open';
  const text = said(opened === 0 ? count : (open[rank] as number));
  return `${kind}|${rank}|${text}|${String(count).length}|${ring}${ringDigit(count - opened, count)}`;
}

/** How many of the ring's steps stand for `number` of `count` incidents, in base 16. */
function ringDigit(number: number, count: number): string {
  if (number === 0) return '0';
  return Math.max(1, Math.round((ringSteps * number) / count)).toString(16);
}

/** The name of the image of one incident. */
export const singleIcon = (rank: number, over: boolean): string =>
  `${over ? 'over' : 'open'}|${String(rank)}`;

/** What the name of an image asks for; null for one that is no mark's. */
export function readMarkIcon(name: string): MarkIcon | null {
  const [kind, rank = '', text, figures = '', ring = ''] = name.split('|');
  if (kind !== 'over' && kind !== 'open') return null;
  return {
    rank: Number(rank),
    over: kind === 'over',
    cluster:
      text === undefined
        ? null
        : { text, figures: Number(figures), ring: [...ring].map((steps) => Number.parseInt(steps, 16)) },
  };
}
