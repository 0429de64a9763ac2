import { until, useTimeoutFn } from '@vueuse/core';
import {
  computed,
  markRaw,
  onBeforeUnmount,
  onMounted,
  shallowRef,
  watch,
  type ComputedRef,
  type ShallowRef,
} from 'vue';
import { severityNames, type Camera, type ThemeName } from '../../../src-preload/contract/index.ts';
import { labelName } from '../../base/countryNames.ts';
import { inLine, listed } from '../../base/format.ts';
import { pageFrames } from '../../base/frames.ts';
import { restFor } from '../../base/pace.ts';
import { markWord } from '../../base/severities.ts';
import { useAppearance } from '../../base/stores/appearance.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useGazetteer } from '../../base/stores/gazetteer.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useMapPicture } from '../../base/stores/mapPicture.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';
import { lengthText } from '../../base/units.ts';
import { severityGlyphs } from '../../design/glyphs.ts';
import { themes } from '../../design/tokens.ts';
import { useRows } from '../../features/incidents/index.ts';
import { language, t } from '../../i18n/index.ts';
import type { IncidentMap, IncidentMapOptions, MapState, MapWords } from '../../map/index.ts';

/** A map as the page has it. */
export interface PaneMap {
  /** Null until it is made, and where it cannot be. */
  readonly map: Readonly<ShallowRef<IncidentMap | null>>;
  readonly state: Readonly<ShallowRef<MapState | 'failed'>>;
  /** How long what is not urgent waits for the map, milliseconds: it may take long to draw. */
  readonly restMs: () => number;
}

interface PaneMapOptions extends Pick<IncidentMapOptions, 'onDrone' | 'onUnfollowed'> {
  readonly pane: Readonly<ShallowRef<HTMLElement | null>>;
  readonly container: Readonly<ShallowRef<HTMLElement | null>>;
  readonly theme: () => ThemeName;
  /** How much larger than usual it is drawn. */
  readonly scale: number;
  readonly fitsAll: boolean;
}

/** The longest that the map waits for the list, in milliseconds. */
const mostWaitMs = 2_000;

/** How long lost graphics may take to come back before the map is made again, in milliseconds. */
const mostLostMs = 15_000;

/** What the map says, in the page's language. */
const mapWords = (): MapWords => ({
  language: language.value,
  title: t('coordinates.map.title'),
  nameCountry: labelName,
  length: lengthText,
  drones: (number) => t('drones.count', {}, number),
  cluster: (open, all) => {
    const parts = severityNames.flatMap((name, rank) => {
      const number = open[rank] ?? 0;
      return number === 0 ? [] : [t('rail.badges.worst', { severity: inLine(markWord(name)) }, number)];
    });
    return parts.length === 0
      ? t('maps.pane.clusterOver', {}, all)
      : t('maps.pane.cluster', { parts: listed(parts.reverse()) }, all);
  },
});

/** Resolves once incidents are in the list and drawn, or `mostWaitMs` later: there may be none, or none read yet. */
function useListShown(): () => Promise<void> {
  const mirror = useMirror();
  const rows = useRows();
  return async () => {
    await until(() => rows.rows.length > 0 || typeof mirror.incidents?.lastReadAt === 'number').toBe(true, {
      timeout: mostWaitMs,
    });
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: mostWaitMs }));
  };
}

/** A canvas may stay without graphics although a new one would have them: calls `make` where they do not come back. */
function useNewCanvas(state: Readonly<ShallowRef<MapState | 'failed'>>, make: () => void): void {
  const { start, stop } = useTimeoutFn(make, mostLostMs, { immediate: false });
  watch(state, (now) => {
    if (now === 'context-lost') start();
    else stop();
  });
}

/** What is printed has a picture of the map while there is one that can be drawn. */
function offerPicture({ map, state }: Pick<PaneMap, 'map' | 'state'>): void {
  const mapPicture = useMapPicture();
  watch([() => map.value, () => state.value], ([made, now]) => {
    mapPicture.offer(made && now === 'ready' ? () => made.picture(themes.day) : null);
  });
  onBeforeUnmount(() => {
    mapPicture.offer(null);
  });
}

/** Keeps the map in the look of the page: theme, language, size of text, motion. */
function useMapLook(
  map: Readonly<ShallowRef<IncidentMap | null>>,
  {
    theme,
    words,
    restMs,
  }: Pick<PaneMapOptions, 'theme'> & {
    readonly words: ComputedRef<MapWords>;
    readonly restMs: () => number;
  },
): void {
  const appearance = useAppearance();
  const frames = pageFrames();
  let left = false;
  onBeforeUnmount(() => {
    left = true;
  });
  /** After the frame in which the rest of the page is seen to turn: it would wait for the map's redraw. */
  const afterFrame = (waitMs: number, run: (made: IncidentMap) => void): void => {
    frames.request(() => {
      setTimeout(() => {
        if (!left && map.value) run(map.value);
      }, waitMs);
    });
  };
  watch(theme, () => {
    afterFrame(0, (made) => {
      made.paint.setTheme(themes[theme()]);
    });
  });
  watch(words, () => {
    afterFrame(restMs(), (made) => {
      made.setWords(words.value);
    });
  });
  watch([() => map.value, () => appearance.sizes.text], ([made, size]) => made?.paint.setTextScale(size));
  watch(
    () => appearance.reducedMotion,
    (reduced) => map.value?.setReducedMotion(reduced),
  );
}

/**
 * Makes the map of the component that calls it once its list is shown, and drops it with the component. It follows
 * the look of the page: theme, language, size of text, motion. What is drawn on it is given by others.
 */
export function useIncidentMap({
  pane,
  container,
  theme,
  scale,
  fitsAll,
  onDrone,
  onUnfollowed,
}: PaneMapOptions): PaneMap {
  const clock = useClock();
  const ui = useUi();
  const bridge = useBridge();
  const gazetteer = useGazetteer();
  const appearance = useAppearance();

  const state = shallowRef<MapState | 'failed'>('loading');
  const map = shallowRef<IncidentMap | null>(null);
  let left = false;
  const words = computed(mapWords);
  const restMs = (): number => restFor(map.value?.marks.drawTime ?? 0);

  const listShown = useListShown();

  /** `camera`: where it looks; null where its incidents are. */
  async function make(camera: Camera | null): Promise<void> {
    // To make it and to draw it the first time keeps the page busy for over a second: the list is on screen before.
    await listShown();
    const { createIncidentMap } = await import('../../map/index.ts');
    if (left || container.value === null) return;
    const drawn = { theme: theme(), words: words.value };
    const made = await createIncidentMap({
      container: container.value,
      theme: themes[drawn.theme],
      glyphs: severityGlyphs,
      reducedMotion: appearance.reducedMotion,
      scale,
      fitsAll,
      words: drawn.words,
      textScale: appearance.sizes.text,
      covers: () =>
        [...(pane.value?.querySelectorAll('.float, .notice, .banner, .maplibregl-ctrl') ?? [])].map((one) =>
          one.getBoundingClientRect(),
        ),
      serverNow: clock.serverNow,
      tileHeaders: () => bridge.routeHeaders(),
      readTowns: gazetteer.readTowns,
      onSelect: (key) => {
        ui.select(key, 'map');
      },
      onDrone,
      onUnfollowed,
      onState: (next) => {
        state.value = next;
      },
      onCamera: (camera) => {
        ui.camera = camera;
      },
    });
    if (made === null || left) {
      made?.destroy();
      return;
    }
    // What changed while the map was being made would otherwise be missed.
    if (theme() !== drawn.theme) made.paint.setTheme(themes[theme()]);
    made.setReducedMotion(appearance.reducedMotion);
    if (words.value !== drawn.words) made.setWords(words.value);
    if (camera !== null) made.camera.look(camera, { fly: false });
    map.value = markRaw(made);
  }

  const tryToMake = (camera: Camera | null): Promise<void> =>
    make(camera).catch(() => {
      // The list and the details work without the map; what is missing is said in its place.
      if (state.value === 'loading') state.value = 'failed';
    });
  onMounted(() => tryToMake(null));
  useNewCanvas(state, () => {
    map.value?.destroy();
    map.value = null;
    state.value = 'loading';
    void tryToMake(ui.camera);
  });
  onBeforeUnmount(() => {
    left = true;
    map.value?.destroy();
    map.value = null;
  });

  offerPicture({ map, state });
  useMapLook(map, { theme, words, restMs });

  return { map, state, restMs };
}
