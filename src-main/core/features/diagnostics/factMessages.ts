/** A fact within the limits of the contract. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

const notKnown = 'not known';
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Makes a fact; `value` null means not known. Texts are cut to the contract's length. */
export function fact(name: string, value: string | number | null | undefined): Fact {
  const text = value === null || value === undefined || value === '' ? notKnown : String(value);
  return { name: name.slice(0, 80), value: text.replace(controls, ' ').slice(0, 512) };
}

export const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

/** In steps of 1,000, as on the page. */
const unitNames = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export function bytesText(bytes: number | null): string | null {
  if (bytes === null) return null;
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < unitNames.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? String(Math.round(value)) : value.toFixed(1)} ${unitNames[unit] ?? ''}`;
}

/** The two largest units, as in `3 d 4 h`, `12 min 5 s`, `0.4 s`. */
export function durationText(ms: number): string {
  const seconds = Math.abs(ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3_600) % 24,
    Math.floor(whole / 60) % 60,
  ];
  if (days > 0) return `${String(days)} d ${String(hours)} h`;
  if (hours > 0) return `${String(hours)} h ${String(minutes)} min`;
  if (minutes > 0) return `${String(minutes)} min ${String(whole % 60)} s`;
  return `${String(whole)} s`;
}

export const instantText = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
