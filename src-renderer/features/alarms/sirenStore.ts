import { refDebounced } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import type { Alarm, ConsoleState } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { notificationText } from './alarmText.ts';
import { showAlarmNotice } from './siren/alarmNotice.ts';
import { soundDue, type Heard } from './siren/due.ts';
import { SirenPlayer, type SoundState } from './siren/player.ts';
import type { SirenLevel } from './siren/tones.ts';
import { SirenTurn, type Turn } from './siren/turn.ts';
import { urgentOnWall } from '../../base/wallboard.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useMirror } from '../../base/stores/mirror.ts';

const settleMs = 500;
const gestures = ['pointerdown', 'keydown'] as const;

/**
 * Lets the alarms be heard and notified, also while the console is locked; of several windows one sounds. It
 * lives with the page, and is used once at its root.
 */
export const useSiren = defineStore('siren', () => {
  const mirror = useMirror();
  const clock = useClock();
  const { player, sound, stayedBlocked } = useSound();
  const whose = useTurn(sound);

  /** An operator is, or was, signed in here: alarms may come. */
  const watching = computed(() => mirror.siren !== undefined && (mirror.opened || mirror.locked));
  const isWanted = computed(() => watching.value && mirror.siren?.sound === true);
  const active = computed(() => {
    if (mirror.locked) return null;
    const waiting = (mirror.alarms?.active ?? []).filter(({ snoozedUntil }) => snoozedUntil === null);
    // A wallboard has no acknowledgements: an alarm that sounded for a while has been heard.
    return mirror.policy?.kiosk === 'wallboard' ? urgentOnWall(waiting, clock.second) : waiting;
  });

  watch(
    isWanted,
    (wanted) => {
      if (wanted) player.prepare();
    },
    { immediate: true },
  );
  soundAndNotify({ player, sound, whose, watching, active });

  return {
    sound,
    /** True while the operator wants sound and the browser refuses it. */
    blocked: computed(() => isWanted.value && sound.value === 'blocked' && stayedBlocked.value),
    failed: computed(() => isWanted.value && sound.value === 'failed'),
    enable: () => player.enable(),
    /** Sounds a level whatever is muted, since it was asked for. */
    test: async (level: SirenLevel): Promise<boolean> => {
      await player.enable();
      return player.play(level);
    },
  };
});

/** What makes the sound, and whether the browser lets it. */
function useSound() {
  const sound = shallowRef<SoundState>('off');
  const player = new SirenPlayer({
    makeContext: () => new AudioContext({ latencyHint: 'interactive' }),
    onState: (state) => {
      sound.value = state;
    },
  });
  /** A new context is silent for a moment before it runs; only one that stays so is blocked. */
  const stayedBlocked = refDebounced(
    computed(() => sound.value === 'blocked'),
    settleMs,
  );
  // A browser that wants a gesture first is given the operator's next one, whatever it was meant for.
  const onGesture = (): void => {
    if (sound.value === 'blocked') void player.enable();
  };
  for (const name of gestures) window.addEventListener(name, onGesture, { capture: true, passive: true });
  onScopeDispose(() => {
    for (const name of gestures) window.removeEventListener(name, onGesture, { capture: true });
  });
  return { player, sound, stayedBlocked };
}

/** Which of several windows sounds. */
function useTurn(sound: ShallowRef<SoundState>): ShallowRef<Turn> {
  const whose = shallowRef<Turn>('none');
  // There are no locks on a page that is not served securely.
  const turn = new SirenTurn('locks' in navigator ? navigator.locks : undefined, (now) => {
    whose.value = now;
  });
  // A page that the browser keeps silent leaves the turn to one that can be heard.
  watch(sound, (state) => {
    if (state === 'ready') turn.take();
    else turn.leave();
  });
  onScopeDispose(() => {
    turn.leave();
  });
  return whose;
}

interface Hearing {
  readonly player: SirenPlayer;
  readonly sound: ShallowRef<SoundState>;
  readonly whose: ShallowRef<Turn>;
  readonly watching: ComputedRef<boolean>;
  /** Alarms that may sound; null while they are not known here. */
  readonly active: ComputedRef<readonly Alarm[] | null>;
}

/** Sounds each alarm once, and again while it is due; notifies of each once. */
function soundAndNotify({ player, sound, whose, watching, active }: Hearing): void {
  const mirror = useMirror();
  const bridge = useBridge();
  const clock = useClock();
  let heard: Heard | null = null;
  /** The last alarm that was looked at for a notification. */
  let noticed = 0;

  watch(
    [
      () => mirror.siren,
      () => active.value,
      () => watching.value,
      () => clock.second,
      () => sound.value,
      () => whose.value,
    ],
    () => {
      const siren = mirror.siren;
      if (siren === undefined) return;
      // What was there before this page is not news; nor is what a new session counts from one again.
      if (heard === null || siren.sequence < heard.sequence || !watching.value) {
        heard = { sequence: siren.sequence, at: heard?.at ?? null };
        noticed = siren.sequence;
      }
      if (!watching.value) return;
      const at = performance.now();
      const level = soundDue({ siren, active: active.value, heard, serverNow: clock.serverNow(), at });
      if (level === null) heard = { ...heard, sequence: siren.sequence };
      // Another window sounds it; what comes next may be this one's turn.
      else if (whose.value === 'other') heard = { sequence: siren.sequence, at };
      // What the browser kept from sounding stays due until a gesture lets it.
      else if (whose.value === 'own' && player.play(level)) heard = { sequence: siren.sequence, at };
      if (siren.sequence > noticed) notify(siren);
      noticed = siren.sequence;
    },
    { immediate: true },
  );

  function notify(siren: ConsoleState['siren']): void {
    if (siren.notifications === 'off' || document.hasFocus()) return;
    const title = t(mirror.app?.training === true ? 'common.trainingNotification' : 'common.product');
    showAlarmNotice(title, notificationText(siren, active.value), () => bridge.raise());
  }
}
