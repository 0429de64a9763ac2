import { shallowRef, type ComputedRef, type Ref } from 'vue';
import { between, brushOf, shifted, spanned, type BrushPart } from './brush.ts';
import { binOf } from '../../table/timeBins.ts';
import type { TimeWindow } from '../../base/stores/ui.ts';
import { useTimeline } from './timelineStore.ts';

interface BrushDragOptions {
  /** What lies over all bins. */
  readonly surface: Readonly<Ref<HTMLElement | null>>;
  /** The first edge, Unix ms. */
  readonly begin: ComputedRef<number>;
  /** From there to the last edge, in milliseconds. */
  readonly length: ComputedRef<number>;
}

/** The pointer on the brush: it draws a new one, moves it, or takes one of its edges; in a replay it moves the head. */
export function useBrushDrag({ surface, begin, length }: BrushDragOptions) {
  const timeline = useTimeline();
  /**
   * A drag in progress: what it began on, the instant under the pointer and the window then (Unix ms). Times, since the
   * bins may be others before it ends.
   */
  const drag = shallowRef<{
    readonly part: BrushPart | 'new';
    readonly at: number;
    readonly window: TimeWindow | null;
  } | null>(null);

  function instantUnder(event: PointerEvent): number {
    const box = surface.value?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return begin.value;
    return begin.value + ((event.clientX - box.left) / box.width) * length.value;
  }
  const binAt = (at: number): number => between(0, binOf(at, timeline.edges), timeline.bins - 1);
  const binUnder = (event: PointerEvent): number => binAt(instantUnder(event));

  function press(event: PointerEvent, part: BrushPart | 'new'): void {
    if (event.button !== 0) return;
    surface.value?.setPointerCapture(event.pointerId);
    const at = instantUnder(event);
    if (timeline.replaying) timeline.seek(at);
    drag.value = { part, at, window: timeline.brushed };
  }
  function move(event: PointerEvent): void {
    const begun = drag.value;
    if (begun === null) return;
    if (timeline.replaying) {
      timeline.seek(instantUnder(event));
      return;
    }
    const [first, bin] = [binAt(begun.at), binUnder(event)];
    if (begun.part === 'new') {
      if (bin !== first || timeline.brushed !== null) timeline.setBrush(spanned(first, bin, timeline.bins));
    } else {
      const before = brushOf(begun.window, timeline.edges);
      // The edge that is not dragged may have gone on with the present.
      const brush = begun.part === 'all' ? before : { ...timeline.brush, [begun.part]: before[begun.part] };
      timeline.setBrush(shifted(brush, begun.part, bin - first, timeline.bins));
    }
  }
  function release(event: PointerEvent): void {
    const begun = drag.value;
    drag.value = null;
    if (begun === null || timeline.replaying) return;
    // A press that went nowhere, beside the brush: all times are shown again.
    if (begun.part === 'new' && binUnder(event) === binAt(begun.at)) timeline.clearWindow();
  }
  function cancel(): void {
    drag.value = null;
  }

  return { drag, press, move, release, cancel };
}
