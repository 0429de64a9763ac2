import type { MessageKey } from '../../i18n/index.ts';

/** A step of the tour: what it says, and the part of the page that it speaks of. */
export interface TourStep {
  readonly id: 'trust' | 'list' | 'map' | 'act' | 'keys' | 'leave';
  /** The part's `data-region` (Workspace.vue, App.vue); null for the whole page. */
  readonly region: 'status' | 'panel' | 'map' | 'rail' | null;
}

export const tourSteps: readonly TourStep[] = [
  { id: 'trust', region: 'status' },
  { id: 'list', region: 'panel' },
  { id: 'map', region: 'map' },
  { id: 'act', region: 'rail' },
  { id: 'keys', region: null },
  { id: 'leave', region: 'rail' },
];

export const stepTitle = ({ id }: TourStep): MessageKey => `help.tour.steps.${id}.title`;
export const stepText = ({ id }: TourStep): MessageKey => `help.tour.steps.${id}.about`;

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const gap = 12;

/**
 * Where the card of a step stands, in CSS pixels of the window: beside its part on the side with the most
 * room, inside it where it fills the window, in the middle without one. Never outside of the window.
 */
export function cardPlace(
  part: Box | null,
  card: Pick<Box, 'width' | 'height'>,
  window: Pick<Box, 'width' | 'height'>,
): { readonly left: number; readonly top: number } {
  const within = (at: number, size: number, room: number): number =>
    Math.max(gap, Math.min(at, room - size - gap));
  const place = (left: number, top: number) => ({
    left: within(left, card.width, window.width),
    top: within(top, card.height, window.height),
  });
  const middle = (from: number, size: number, own: number): number => from + (size - own) / 2;
  if (part === null) {
    return place(middle(0, window.width, card.width), middle(0, window.height, card.height));
  }
  const right = part.left + part.width;
  const bottom = part.top + part.height;
  const wide = card.width + 2 * gap;
  const high = card.height + 2 * gap;
  if (window.width - right >= wide) return place(right + gap, part.top + gap);
  if (part.top >= high) return place(part.left + gap, part.top - card.height - gap);
  if (part.left >= wide) return place(part.left - card.width - gap, part.top + gap);
  if (window.height - bottom >= high) return place(part.left + gap, bottom + gap);
  return place(middle(part.left, part.width, card.width), middle(part.top, part.height, card.height));
}
