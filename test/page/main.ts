import '../../src-renderer/zod.ts';
import { paneParameter, type Preferences } from '../../src-preload/contract/index.ts';
import { hostInBrowser } from './browserHost.ts';
import { drive } from './drive.ts';
import { mergeSlices, StandIn } from './standIn.ts';
import { stateNamed } from './allStates.ts';

/**
 * Runs before the page: gives it a stand-in console in the state that the address names, in the theme and the
 * language that it names, each the recorded one without. `still` stops its time.
 */
const asked = new URLSearchParams(location.search);
const name = asked.get('state') ?? 'incidents';
const state = stateNamed(name);
if (state === null) throw new Error(`There is no state "${name}"`);
const look = Object.fromEntries(
  ['theme', 'language', 'textSize'].flatMap((key) => (asked.has(key) ? [[key, asked.get(key)]] : [])),
);
const standIn = new StandIn({
  // A console that has told nothing yet has told no preferences either.
  slices:
    'preferences' in state.slices
      ? mergeSlices(state.slices, { preferences: look as Partial<Preferences> })
      : state.slices,
  incidents: state.incidents === null ? null : Uint8Array.from(atob(state.incidents), (c) => c.charCodeAt(0)),
  answers: state.answers,
});
// The page's time stands: what is compared with a clock must not depend on how fast the computer is.
if (asked.has('still')) {
  const at = performance.now();
  performance.now = () => at;
}
if (state.pane !== undefined) {
  asked.set(paneParameter, state.pane);
  history.replaceState(null, '', `?${asked.toString()}`);
}
const lose = state.host === undefined ? () => undefined : hostInBrowser(state.host, standIn);
Object.assign(window, { standIn }, state.host === undefined ? { fieldConsole: standIn.bridge } : {});
const standInStands = drive(state.steps).then(
  () => {
    lose();
    document.documentElement.dataset['gallery'] = 'ready';
  },
  (error: unknown) => void standIn.faults.push(error instanceof Error ? error.message : String(error)),
);
Object.assign(window, { standInStands });
