import { locale, type Zone } from '../base/format.ts';

export interface PaperTimes {
  /** `22 Nov 2026, 14:02 UTC`. Unix milliseconds, as all of these. */
  readonly instant: (at: number) => string;
  /** `22 Nov 2026`. */
  readonly day: (at: number) => string;
  /** `14:02 UTC`. */
  readonly time: (at: number) => string;
}

/**
 * Times as they stand on paper, which is read elsewhere and later: always with the year, and a zone that is not UTC
 * with its offset, since its name says nothing in another place.
 */
export function paperTimes(zone: Zone): PaperTimes {
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const time = {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: zone === 'utc' ? 'short' : 'shortOffset',
  } as const;
  return { instant: written(zone, { ...day, ...time }), day: written(zone, day), time: written(zone, time) };
}

/** What no calendar holds was no time to begin with. */
function written(zone: Zone, options: Intl.DateTimeFormatOptions): (at: number) => string {
  const { format } = new Intl.DateTimeFormat(locale.value, {
    ...options,
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  });
  return (at) => (Math.abs(at) <= 8_640_000_000_000_000 ? format(at) : '?');
}
