import { useEventListener, useThrottleFn, useTimeoutFn } from '@vueuse/core';
import { computed, watchEffect, type ComputedRef } from 'vue';
import { isBrowserKey } from './browserKeys.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** The shortest time between two reports of an operator's activity, in milliseconds. */
const activityMs = 10_000;
/** The mouse's own buttons for back and forward. */
const backAndForward: ReadonlySet<number> = new Set([3, 4]);

/**
 * Tells the console that an operator is there, and holds a kiosk's page to what it is for: no pointer
 * left lying about, no menu, keys or gestures of a browser, no unasked files. Call once,
 * from the page's root.
 */
export function useKiosk(): void {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const mode = computed(() => mirror.policy?.kiosk ?? 'off');
  const root = document.documentElement;

  watchEffect(() => {
    if (mode.value === 'off') delete root.dataset['kiosk'];
    else root.dataset['kiosk'] = mode.value;
  });

  tellOfActivity(mirror, () => void verbs.noteActivity({}));
  hidePointerAtRest(mirror, mode);
  holdPage(mirror, mode);
}

type Mirror = ReturnType<typeof useMirror>;
type Mode = ComputedRef<NonNullable<Mirror['policy']>['kiosk']>;
const passive = { passive: true, capture: true } as const;
const hard = { capture: true, passive: false } as const;

function tellOfActivity(mirror: Mirror, tell: () => void): void {
  // The last of several is reported too: an operator at work never counts as gone.
  const tellActivity = useThrottleFn(tell, activityMs, true);
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  const onInput = (event: Event): void => {
    if (!event.isTrusted || !mirror.opened) return;
    if (event instanceof PointerEvent && event.type === 'pointermove') {
      // What moves under a resting pointer makes the browser tell of it as if it had moved.
      const moved = event.screenX !== lastX || event.screenY !== lastY;
      [lastX, lastY] = [event.screenX, event.screenY];
      if (!moved) return;
    }
    void tellActivity();
  };
  useEventListener(window, ['pointerdown', 'pointermove', 'keydown', 'wheel'], onInput, passive);
}

function hidePointerAtRest(mirror: Mirror, mode: Mode): void {
  const root = document.documentElement;
  const rest = useTimeoutFn(
    () => {
      if (mode.value !== 'off') root.dataset['pointer'] = 'hidden';
    },
    () => mirror.policy?.hidePointerMs ?? 0,
    { immediate: false },
  );
  const showPointer = (): void => {
    delete root.dataset['pointer'];
    rest.stop();
    if (mode.value !== 'off' && (mirror.policy?.hidePointerMs ?? null) !== null) rest.start();
  };
  useEventListener(window, ['pointermove', 'pointerdown'], showPointer, passive);
  // A kiosk that was not touched yet hides it too.
  watchEffect(showPointer);
}

/** Refuses what a browser would do with keys, wheel, buttons and files, and the page does not want. */
function holdPage(mirror: Mirror, mode: Mode): void {
  const refuse = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  const inKiosk = (run: (event: Event) => void) => (event: Event) => {
    if (mode.value !== 'off') run(event);
  };
  useEventListener(
    window,
    'contextmenu',
    inKiosk((event) => {
      if ((getSelection()?.toString() ?? '') === '') event.preventDefault();
    }),
    hard,
  );
  useEventListener(
    window,
    'keydown',
    (event: KeyboardEvent) => {
      if (mode.value === 'off') return;
      const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
      const altGraph = event.getModifierState('AltGraph');
      if (isBrowserKey({ key, code, ctrlKey, metaKey, altKey, shiftKey, altGraph })) event.preventDefault();
    },
    hard,
  );
  useEventListener(
    window,
    'wheel',
    (event: WheelEvent) => {
      if (mode.value !== 'off' && event.ctrlKey) event.preventDefault();
    },
    hard,
  );
  useEventListener(
    window,
    ['mousedown', 'mouseup', 'auxclick'],
    (event: MouseEvent) => {
      if (mode.value !== 'off' && backAndForward.has(event.button)) event.preventDefault();
    },
    hard,
  );
  useEventListener(
    window,
    'dragstart',
    inKiosk((event) => {
      event.preventDefault();
    }),
    hard,
  );

  const takesDrops = computed(() => mode.value !== 'wallboard' && mirror.policy?.drop === true);
  useEventListener(
    window,
    ['dragenter', 'dragover', 'drop'],
    (event: DragEvent) => {
      if (takesDrops.value || event.dataTransfer?.types.includes('Files') !== true) return;
      refuse(event);
      event.dataTransfer.dropEffect = 'none';
    },
    hard,
  );
}
