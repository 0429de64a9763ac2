import { defineAsyncComponent, type Component } from 'vue';
import LoadingPart from './LoadingPart.vue';
import LostPart from './LostPart.vue';

/**
 * The parts of the page that nobody sees before the sign-in, in files of their own: the first paint waits for
 * none of them.
 */
const loadOpened = () => import('./OpenedStage.vue');
const loadWallboard = () => import('./panes/WallboardView.vue');
const loadMap = () => import('../map/index.ts');

/** Says what is missing where the file cannot be loaded, and offers to load the page again. */
const part = <T extends Component>(loader: () => Promise<{ default: T }>): T =>
  defineAsyncComponent<T>({ loader, loadingComponent: LoadingPart, errorComponent: LostPart });

export const OpenedStage = part(loadOpened);
export const WallboardView = part(loadWallboard);

/**
 * Loads them while nobody waits for them, so that the page goes on where its files can no longer be had. What
 * fails here fails again, and is said, where it is used.
 */
export function loadPartsWhenIdle(isWall: boolean): void {
  requestIdleCallback(
    () => {
      void Promise.allSettled([isWall ? loadWallboard() : loadOpened(), loadMap()]);
    },
    { timeout: 2_000 },
  );
}
