export type Values = Readonly<Record<string, string | number>>;

const numbers = new Intl.NumberFormat('en');
const plurals = new Intl.PluralRules('en');

/** A named value, or literal text that the syntax would take for its own. */
const insertion = /\{(?:'([^']*)'|(\w+))\}/g;

/** Between plural forms; a bar in `{'|'}` is text. */
const betweenForms = /\s*(?<!')\|(?!')\s*/;

/**
 * An English message with its values: `{name}` is a value, `{'{'}` literal text, and ` | ` stands between
 * the forms for one and for other counts, of which the value `n` chooses. The same syntax is read by
 * vue-i18n on the page (test/core/words holds the two against each other).
 *
 * How a value is said follows its name, as contract/phrase.ts tells. A value that is missing stays as
 * its name in braces, so that what is wrong can be seen.
 */
export function formatMessage(message: string, values: Values): string {
  const [one = '', other = one] = message.split(betweenForms);
  const { n } = values;
  const form = typeof n === 'number' && plurals.select(n) === 'one' ? one : other;
  return form.replace(insertion, (all, literal: string | undefined, name: string | undefined) => {
    if (literal !== undefined) return literal;
    const value = name === undefined ? undefined : values[name];
    return name === undefined || value === undefined ? all : valueText(name, value);
  });
}

function valueText(name: string, value: string | number): string {
  if (typeof value === 'string') return value;
  if (name.endsWith('At')) return timeText(value);
  if (name.endsWith('Date')) return `${timeText(value)} on ${new Date(value).toISOString().slice(0, 10)}`;
  if (name.endsWith('Bytes')) return bytesText(value);
  return numbers.format(value);
}

/** `14:02 UTC` */
const timeText = (instant: number): string => `${new Date(instant).toISOString().slice(11, 16)} UTC`;

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** `1.9 MB`, in steps of 1,000 as disks are labelled. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
