const pattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,12}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const daysIn = (year: number, month: number): number => {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
};

/** Smaller numbers are Unix seconds: in milliseconds they would be before 1974. */
const leastMilliseconds = 1e11;

/** The largest time of a `Date`, Unix milliseconds. */
const mostMilliseconds = 8.64e15;
const longestTime = 48;

/**
 * Reads a time whose form is not specified, or differs from it, as Unix milliseconds: RFC 3339, also with a space for
 * the `T`, with a zone such as `+0200` or `+02`, or without a zone, which then is UTC (interface: Shared conventions);
 * or Unix time in seconds or milliseconds.
 *
 * @returns null for anything else.
 */
export function readInstant(value: unknown): number | null {
  if (typeof value === 'number') {
    const at = value < leastMilliseconds ? value * 1_000 : value;
    return Math.abs(at) <= mostMilliseconds ? at : null;
  }
  if (typeof value !== 'string' || value.length > longestTime) return null;
  return parseTimestamp(value) ?? readLoosely(value.trim());
}

function readLoosely(text: string): number | null {
  const withT = text.replace(/^(\d{4}-\d\d-\d\d) /, '$1T');
  const zoned = withT.replace(
    /(:\d\d(?:\.\d+)?[+-]\d\d)(\d\d)?$/,
    (_, hours: string, minutes = '00') => `${hours}:${minutes}`,
  );
  return parseTimestamp(zoned) ?? parseTimestamp(`${zoned}Z`);
}

/**
 * Reads an RFC 3339 timestamp (interface: IncidentResponse, `created_at`) as Unix milliseconds.
 *
 * Strict on purpose: `Date.parse` accepts "1" and "tomorrow 2", and would give an incident a wrong time. Fractions are
 * rounded down to milliseconds; a leap second counts as the second before it.
 *
 * @returns null when the text is not an RFC 3339 timestamp.
 */
export function parseTimestamp(text: string): number | null {
  if (text.length > longestTime) return null;
  const match = pattern.exec(text);
  if (!match) return null;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  if (part(9) > 23 || part(10) > 59) return null;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (match[8] === '-' ? -1 : 1) * (part(9) * 60 + part(10)) * 60_000;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, Math.min(second, 59), milliseconds);
  return date.getTime() - offset;
}
