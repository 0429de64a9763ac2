import { computed, type ComputedRef } from 'vue';
import type { Failure } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { agoOrAhead, clockTime, listed, timeSpan } from '../../base/format.ts';
import { isFiltered, narrowing, unfiltered } from '../../base/query.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useLive } from '../../base/stores/live.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useRows } from '../../features/incidents/rowsStore.ts';
import { useTimeline } from '../../features/timeline/timelineStore.ts';
import { useUi } from '../../base/stores/ui.ts';

const emptyParts = {
  unlocated: 'incidents.empty.located',
  'not-returned': 'incidents.empty.returned',
  changed: 'incidents.changed.none',
} as const;

interface Nothing {
  readonly title: string;
  readonly text?: string;
  readonly way?: { readonly name: string; readonly act: () => unknown; readonly unavailable?: string | null };
}

interface WhyEmptyOptions {
  /** The failure that the panel shows; null for none. */
  readonly shownFailure: ComputedRef<Failure | null>;
  /** Why nothing can be read now; null where it can. */
  readonly unavailable: ComputedRef<string | null>;
}

/** Why the list is empty and what can be done; null where a failure says so. */
export function useWhyEmpty({ shownFailure, unavailable }: WhyEmptyOptions): ComputedRef<Nothing | null> {
  const mirror = useMirror();
  const clock = useClock();
  const live = useLive();
  const commands = useCommands();
  const rows = useRows();
  const ui = useUi();
  const timeline = useTimeline();

  const narrowed = computed(() => {
    const window = ui.timeWindow;
    const query = mirror.incidents?.query;
    // Where nothing is known, that only open ones are listed leaves nothing out.
    if (window === null && mirror.table.length === 0 && query && !isFiltered(query)) return [];
    return [
      ...(mirror.incidents === undefined ? [] : narrowing(mirror.incidents.query)),
      ...(window === null ? [] : [timeSpan(window.from, window.to + 1, mirror.zone)]),
    ];
  });
  /** Nothing but that choice leaves the list empty, and all that is known is over. */
  const noneOpen = computed(() => {
    const query = mirror.incidents?.query;
    const chosen = query?.openOnly === true && !isFiltered(query) && ui.timeWindow === null;
    return chosen && mirror.table.length > 0;
  });

  function clearFilters(): void {
    timeline.stop();
    timeline.clearWindow();
    void commands.changeQuery(unfiltered);
  }
  /** What the filters leave out, and the newest of it. */
  function leftOutText(): string {
    const texts = [t('incidents.empty.shownOnly', { clauses: listed(narrowed.value) })];
    if (mirror.table.length > 0) texts.push(t('incidents.empty.outside', {}, mirror.table.length));
    if (rows.newestHeld !== null) {
      const ago = agoOrAhead(rows.newestHeld, clock.second);
      texts.push(t('incidents.empty.newestKnown', { time: clockTime(rows.newestHeld, mirror.zone), ago }));
    }
    return texts.join(' ');
  }
  return computed<Nothing | null>(() => {
    const readAt = mirror.incidents?.lastReadAt ?? null;
    if (ui.listPart !== 'all')
      return {
        title: t(emptyParts[ui.listPart]),
        way: { name: t('incidents.back'), act: () => (ui.listPart = 'all') },
      };
    if (live.liveness.kind !== 'live' && readAt === null)
      return { title: t('incidents.empty.nothingKept'), text: t('incidents.empty.onceReached') };
    if (shownFailure.value !== null) return null;
    if (noneOpen.value)
      return {
        title: t('incidents.empty.noneOpen'),
        text: t('incidents.empty.over', {}, mirror.table.length),
        way: { name: t('incidents.empty.showAll'), act: () => commands.changeQuery({ openOnly: false }) },
      };
    if (narrowed.value.length > 0)
      return {
        title: t('incidents.empty.noMatch'),
        text: leftOutText(),
        way: { name: t('incidents.empty.clear'), act: clearFilters },
      };
    if (readAt === null || mirror.incidents?.count !== 0) return null;
    return {
      title: t('incidents.empty.none'),
      text: t('incidents.empty.noneReported', { time: clockTime(readAt, mirror.zone) }),
      way: { name: t('incidents.checkAgain'), act: commands.refresh, unavailable: unavailable.value },
    };
  });
}
