import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef, watch } from 'vue';
import type { Camera } from '../../src-preload/contract/index.ts';
import {
  followChannel,
  readFollowMessage,
  sameCamera,
  type FollowMessage,
  type WindowState,
} from './follow.ts';
import { useMirror } from '../base/stores/mirror.ts';
import { useUi, type TimeWindow } from '../base/stores/ui.ts';

type Place = Omit<WindowState, 'kind' | 'epoch'>;

/**
 * Lets the windows of one console follow each other: selection, search, time window and where the map
 * looks. Filters need none of it, they are the console's own. The opened page makes it (OpenedStage.vue).
 */
export const useFollow = defineStore('follow', () => {
  const mirror = useMirror();
  const ui = useUi();
  /** The operator's wish, for this window. */
  const wanted = shallowRef(true);
  // A wallboard goes its own rounds; who is not signed in has nothing to tell and nothing to hear.
  const following = computed(() => wanted.value && mirror.opened && mirror.policy?.kiosk !== 'wallboard');
  const channel = new BroadcastChannel(followChannel);

  const post = (message: FollowMessage): void => {
    if (following.value) channel.postMessage(message);
  };
  const tell = (place: Place): void => {
    post({ kind: 'stands', epoch: mirror.epoch, ...place });
  };
  const selection = (): NonNullable<Place['selection']> => ({ key: ui.selected, on: ui.selectedOn });

  /** What was taken over last is not told back; undefined once this window has gone its own way. */
  let takenKey: number | null | undefined;
  let takenSearch: string | undefined;
  let takenWindow: TimeWindow | null | undefined;
  let takenCamera: Camera | null | undefined;

  function take(message: WindowState): void {
    const { selection: chosen, search, window, camera } = message;
    // Keys of another epoch are other incidents.
    if (chosen !== undefined && message.epoch === mirror.epoch && chosen.key !== ui.selected) {
      takenKey = chosen.key;
      ui.select(chosen.key, chosen.on);
    }
    if (search !== undefined && search !== ui.search) {
      takenSearch = search;
      ui.search = search;
    }
    if (window !== undefined && !sameWindow(window, ui.timeWindow)) {
      takenWindow = window;
      ui.timeWindow = window;
    }
    if (camera !== undefined && !sameCamera(camera, ui.camera)) {
      takenCamera = camera;
      ui.look(camera, { fly: false });
    }
  }

  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = readFollowMessage(data);
    if (message === null || !following.value) return;
    // Only the whole page answers: two halves would each tell the new one something else.
    if (message.kind === 'stands') take(message);
    else if (ui.pane === 'all') {
      tell({ selection: selection(), search: ui.search, window: ui.timeWindow, camera: ui.camera });
    }
  };
  onScopeDispose(() => {
    channel.close();
  });

  watch(
    following,
    (on) => {
      if (on && ui.pane !== 'all') post({ kind: 'asked' });
    },
    { immediate: true },
  );
  watch(
    () => ui.selected,
    (key) => {
      if (takenKey !== key) tell({ selection: selection() });
      takenKey = undefined;
    },
  );
  watch(
    () => ui.search,
    (search) => {
      if (takenSearch !== search) tell({ search });
      takenSearch = undefined;
    },
  );
  watch(
    () => ui.timeWindow,
    (window) => {
      if (takenWindow === undefined || !sameWindow(takenWindow, window)) tell({ window });
      takenWindow = undefined;
    },
  );
  watch(
    () => ui.camera,
    (camera) => {
      // A map that was sent somewhere reports it again when it arrives.
      if (takenCamera !== undefined && sameCamera(takenCamera, camera)) return;
      takenCamera = undefined;
      tell({ camera });
    },
  );

  return { wanted, following };
});

function sameWindow(a: TimeWindow | null, b: TimeWindow | null): boolean {
  return a === null || b === null ? a === b : a.from === b.from && a.to === b.to;
}
