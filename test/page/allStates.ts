import { states, type GalleryState } from './states.ts';
import { checkStates } from './states/checks.ts';
import { doorStates } from './states/door.ts';
import { droneStates } from './states/drones.ts';
import { kioskStates } from './states/kiosk.ts';
import { overlayStates } from './states/overlays.ts';
import { panelStates } from './states/panels.ts';
import { troubleStates } from './states/troubles.ts';

/** Every state that has a name. */
export const allStates: readonly GalleryState[] = [
  ...states,
  ...doorStates,
  ...checkStates,
  ...panelStates,
  ...droneStates,
  ...overlayStates,
  ...troubleStates,
  ...kioskStates,
];

export const stateNamed = (name: string): GalleryState | null =>
  allStates.find((state) => state.name === name) ?? null;
