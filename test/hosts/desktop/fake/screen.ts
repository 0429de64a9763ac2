import type { Display, Rectangle, Screen } from 'electron';

type KnownDisplay = Pick<Display, 'id' | 'bounds' | 'scaleFactor' | 'workArea'>;

/** A display with a task bar of 40 at its lower edge. */
export const display = (id: number, bounds: Rectangle, scaleFactor = 1): KnownDisplay => ({
  id,
  bounds,
  scaleFactor,
  workArea: { ...bounds, height: bounds.height - 40 },
});

/** Displays that a test plugs in and out. */
export class FakeScreen implements Pick<Screen, 'getAllDisplays'> {
  displays: readonly KnownDisplay[];
  constructor(displays: readonly KnownDisplay[]) {
    this.displays = displays;
  }
  getAllDisplays(): Display[] {
    return this.displays.map((known) => known as Display);
  }
}
