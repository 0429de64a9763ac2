import '../../src-renderer/zod.ts';
import type { Preferences } from '../../src-preload/contract/index.ts';
import { drive } from './drive.ts';
import { mergeSlices, StandIn } from './standIn.ts';
import { stateNamed } from './states.ts';

/**
 * Runs before the page: gives it a stand-in console in the state that the address names, in the theme and the
 * language that it names, each the recorded one without.
 */
const asked = new URLSearchParams(location.search);
const name = asked.get('state') ?? 'incidents';
const state = stateNamed(name);
if (state === null) throw new Error(`There is no state "${name}"`);
const look = Object.fromEntries(
  ['theme', 'language'].flatMap((key) => (asked.has(key) ? [[key, asked.get(key)]] : [])),
);
const standIn = new StandIn({
  slices: mergeSlices(state.slices, { preferences: look as Partial<Preferences> }),
  incidents: state.incidents === null ? null : Uint8Array.from(atob(state.incidents), (c) => c.charCodeAt(0)),
  answers: state.answers,
});
Object.assign(window, { fieldConsole: standIn.bridge, standIn });
void drive(state.steps).then(
  () => (document.documentElement.dataset['gallery'] = 'ready'),
  (error: unknown) => standIn.faults.push(error instanceof Error ? error.message : String(error)),
);
