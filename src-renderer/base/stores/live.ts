import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { Failure, Freshness } from '../../../src-preload/contract/index.ts';
import { liveState, sessionFact, shownFreshness, type ApiFact, type ShownFreshness } from '../liveState.ts';
import { livenessOf } from '../liveness.ts';
import { useClock } from './clock.ts';
import { useMirror } from './mirror.ts';

interface Dataset {
  readonly freshness: Freshness;
  readonly failure: Failure | null;
}

/** What of the screen may be called live (base/liveState.ts), from what the console mirrors and from the bridge. */
export const useLive = defineStore('live', () => {
  const mirror = useMirror();
  const clock = useClock();

  const fact = (api: 'infrastructure' | 'coordination'): ApiFact => {
    const connection = mirror.connection?.[api];
    return { state: connection?.state ?? 'unknown', outcome: connection?.failure?.code ?? null };
  };
  // Of the time only this counts, so that a second makes nothing again.
  const ranOut = computed(() => {
    const session = mirror.session?.session;
    const until = session !== undefined && 'expiresAt' in session ? session.expiresAt : null;
    return until !== null && until <= clock.second;
  });
  const whenJudged = (): number => (ranOut.value ? Infinity : -Infinity);
  const session = computed(() => sessionFact(mirror.session, whenJudged()));
  const state = computed(() =>
    liveState({
      link: mirror.link.state,
      session: session.value,
      infrastructure: fact('infrastructure'),
      coordination: fact('coordination'),
      stream: mirror.events?.state ?? 'off',
    }),
  );
  const shown = (
    dataset: Dataset | undefined,
    from: 'health' | 'infrastructure' | 'coordination',
  ): ShownFreshness =>
    dataset === undefined
      ? 'none'
      : shownFreshness(dataset.freshness, state.value[from], dataset.failure?.code ?? null);

  /** When the service lets it be read next, as far as it is known; server time. */
  const later = (next: number | null | undefined): number | null => {
    const times = [next, mirror.connection?.infrastructure.failure?.retryAt].filter(
      (time) => typeof time === 'number',
    );
    return times.length === 0 ? null : Math.max(...times);
  };

  return {
    state,
    /** Whether what an open vault shows is kept current by a session. */
    liveness: computed(() => livenessOf(mirror.session, whenJudged())),
    /** Whether a notice over the map says why nothing comes from the service (SessionNotice.vue). */
    hasBanner: computed(() => ['offline', 'as-of', 'frozen'].includes(state.value.infrastructure)),
    /** Whether such a notice says that the service limits requests. */
    isLimited: computed(
      () =>
        shown(mirror.incidents, 'infrastructure') === 'throttled' &&
        typeof mirror.incidents?.lastReadAt === 'number',
    ),
    nextIncidents: computed(() => later(mirror.incidents?.nextReadAt)),
    nextHealth: computed(() => later(mirror.health?.nextCheckAt)),
    frozen: computed(() => state.value.screen === 'frozen'),
    /** How old each dataset is, as the screen says it. */
    health: computed(() => shown(mirror.health, 'health')),
    incidents: computed(() => shown(mirror.incidents, 'infrastructure')),
    evidence: computed(() => shown(mirror.evidence, 'infrastructure')),
    missions: computed(() => shown(mirror.missions, 'coordination')),
  };
});
