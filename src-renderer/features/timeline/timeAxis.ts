import { computed } from 'vue';
import { binEdges, binSize, type Calendar } from '../../table/timeBins.ts';
import { locale, type Zone } from '../../base/format.ts';

export interface Tick {
  readonly at: number;
  /** CSS pixels from the beginning of the axis. */
  readonly x: number;
  /** A day's name where a day begins, else a time of day; the axis says the zone. */
  readonly text: string;
  readonly day: boolean;
}

/** CSS pixels at the usual text size that a label takes, and the zone's name, which stands at the axis's end. */
const labelWidth = 48;
const zoneWidth = 40;
/** Between two labels, at any size. */
const gap = 12;
const day = 86_400_000;

const formats = (options: Intl.DateTimeFormatOptions) =>
  computed<Readonly<Record<Zone, Intl.DateTimeFormat>>>(() => ({
    utc: new Intl.DateTimeFormat(locale.value, { ...options, timeZone: 'UTC' }),
    local: new Intl.DateTimeFormat(locale.value, options),
  }));
const times = formats({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const days = formats({ month: 'short', day: 'numeric' });
const months = formats({ year: 'numeric', month: 'short' });

/**
 * Round times between `from` and `to` (Unix ms), as many as can be read beside each other on `width` CSS pixels
 * where text is `textScale` times its usual size.
 */
export function ticksOf(
  from: number,
  to: number,
  width: number,
  {
    zone,
    calendar,
    textScale,
  }: { readonly zone: Zone; readonly calendar: Calendar; readonly textScale: number },
): Tick[] {
  const size = binSize(to - from, Math.max(1, Math.floor(width / (labelWidth * textScale + gap))));
  const ticks: Tick[] = [];
  for (const at of binEdges(from, to, size, calendar)) {
    const x = ((at - from) / (to - from)) * width;
    if (at < from || x > width - (labelWidth + zoneWidth) * textScale) continue;
    const isDay = (at + calendar.offsetAt(at)) % day === 0;
    const format = size > 90 * day ? months : isDay ? days : times;
    ticks.push({ at, x: Math.round(x), text: format.value[zone].format(at), day: isDay });
  }
  return ticks;
}
