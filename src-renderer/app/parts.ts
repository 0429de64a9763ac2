import { defineAsyncComponent, h, type Component } from 'vue';
import { t } from '../i18n/index.ts';
import PageNote from '../ui/PageNote.vue';

/**
 * The parts of the page that are not seen before the sign-in, in separate files: the first paint waits for
 * none of them.
 */
const loadOpened = () => import('./OpenedStage.vue');
const loadWallboard = () => import('./panes/WallboardView.vue');
const loadMap = () => import('../map/index.ts');

/** No heading: who waits for the part waits for its own. */
const loading = () => h(PageNote, { role: 'status' }, () => h('p', { class: 'quiet' }, t('start.opening')));

/** Stands for a file that could not be loaded: a script is tried once in a page's life. */
const lost = () =>
  h(
    PageNote,
    { role: 'alert', title: t('start.partLost') },
    {
      default: () => h('p', t('start.partLostWhat')),
      action: () =>
        h('button', { type: 'button', class: 'button', onClick: () => location.reload() }, t('start.reload')),
    },
  );

/** Says what is missing where the file cannot be loaded, and offers to load the page again. */
const part = <T extends Component>(loader: () => Promise<{ default: T }>): T =>
  defineAsyncComponent<T>({ loader, loadingComponent: loading, errorComponent: lost });

export const OpenedStage = part(loadOpened);
export const WallboardView = part(loadWallboard);

/**
 * Loads them ahead of need, so that the page works where its files can no longer be had. What
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
