import { pluralRule, type Phrase, type SaidPhrase } from '../../../../src-preload/contract/index.ts';

export type Values = Readonly<Phrase['values']>;

/** How a language chooses the form of a message and writes what is put into it. */
export interface Formats {
  /** Which of so many forms is for `n`. */
  readonly form: (n: number, forms: number) => number;
  readonly count: (value: number) => string;
  /** A time of day, of an instant in Unix milliseconds. */
  readonly time: (at: number) => string;
  /** The same with its day. */
  readonly date: (at: number) => string;
  readonly bytes: (value: number) => string;
  /** Another message that is put into this one. */
  readonly phrase: (said: SaidPhrase) => string;
}

/** A named value, or literal text that the syntax would take for its own. */
const insertion = /\{(?:'([^']*)'|(\w+))\}/g;

/** Between plural forms; a bar in `{'|'}` is text. */
const betweenForms = /\s*(?<!')\|(?!')\s*/;

/**
 * A message with its values: `{name}` is a value, `{'{'}` literal text, and ` | ` stands between the
 * language's plural forms, of which the value `n` chooses. The same syntax is read by vue-i18n on the page
 * (test/core/base/messages holds the two against each other).
 *
 * How a value is said follows its name, as contract/phrase.ts tells. A value that is missing stays as
 * its name in braces, so that what is wrong can be seen.
 */
export function formatMessage(message: string, values: Values, mode: Formats = english): string {
  const forms = message.split(betweenForms);
  const { n } = values;
  const form = forms[typeof n === 'number' ? mode.form(n, forms.length) : forms.length - 1] ?? '';
  return form.replace(insertion, (all, literal: string | undefined, name: string | undefined) => {
    if (literal !== undefined) return literal;
    const value = name === undefined ? undefined : values[name];
    return name === undefined || value === undefined ? all : valueText(name, value, mode);
  });
}

function valueText(name: string, value: Values[string], mode: Formats): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return mode.phrase(value);
  if (name.endsWith('At')) return mode.time(value);
  if (name.endsWith('Date')) return mode.date(value);
  if (name.endsWith('Bytes')) return mode.bytes(value);
  return mode.count(value);
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

const numbers = new Intl.NumberFormat('en');

/** As the log and the console's own English texts are written. */
const english: Formats = {
  form: pluralRule('en'),
  count: (value) => numbers.format(value),
  time: timeText,
  date: (at) => `${timeText(at)} on ${new Date(at).toISOString().slice(0, 10)}`,
  bytes: bytesText,
  phrase: ({ text }) => text,
};
