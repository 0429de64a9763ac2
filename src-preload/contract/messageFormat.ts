import type { Message } from './message.ts';

/** CLDR's names of plural forms, in the order in which a message gives its forms. */
const order = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;
export type PluralForm = (typeof order)[number];

/** The plural forms that `language` has, in the order of a message: English has one and other, Arabic all six. */
export function pluralForms(language: string): readonly PluralForm[] {
  const own = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return order.filter((form) => own.includes(form));
}

/**
 * Chooses the form of a message: for vue-i18n on the page, and for what the console writes itself. A message
 * has one form for each plural form of its language; one more stands first and is for exactly none
 * ("no incidents | one incident | {n} incidents"), and with fewer the last one is for all the rest.
 */
export function pluralRule(language: string): (n: number, given: number) => number {
  const rules = new Intl.PluralRules(language);
  const forms = pluralForms(language);
  return (n, given) => {
    const hasNone = given > forms.length ? 1 : 0;
    if (hasNone === 1 && n === 0) return 0;
    return Math.min(forms.indexOf(rules.select(n)) + hasNone, given - 1);
  };
}

/** What is put into a message, by name. */
export type MessageValues = Readonly<Extract<Message, { id: string }>['values']>;

/** A named value, or literal text that the syntax would take for its own. */
const insertion = /\{(?:'([^']*)'|(\w+))\}/g;

/** Between plural forms; a bar in `{'|'}` is text. */
const betweenForms = /\s*(?<!')\|(?!')\s*/;

/**
 * An English text, or one of another language with its plural rule `form`, with its values: `{name}` is a value, `{'{'}` literal text, and ` | ` stands between the
 * language's plural forms, of which the value `n` chooses. The same syntax is read by vue-i18n on the page
 * (test/core/base/messages holds the two against each other).
 *
 * How a value is said follows its name, as contract/message.ts tells. A value that is missing stays as
 * its name in braces, so that what is wrong can be seen.
 */
export function formatMessage(
  pattern: string,
  values: MessageValues,
  textOf: (message: Message) => string,
  form = englishForm,
): string {
  const forms = pattern.split(betweenForms);
  const { n } = values;
  const chosen = forms[typeof n === 'number' ? form(n, forms.length) : forms.length - 1] ?? '';
  return chosen.replace(insertion, (all, literal: string | undefined, name: string | undefined) => {
    if (literal !== undefined) return literal;
    const value = name === undefined ? undefined : values[name];
    return name === undefined || value === undefined ? all : valueText(name, value, textOf);
  });
}

function valueText(name: string, value: MessageValues[string], textOf: (message: Message) => string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return textOf(value);
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

const numbers = new Intl.NumberFormat('en');
const englishForm = pluralRule('en');

/**
 * A message in English, as the log, the audit list and files have it. `patternOf` gives the English text of an id; an
 * id that it does not know stands for itself, so that what is wrong can be seen.
 */
export function englishText(message: Message, patternOf: (id: string) => string | undefined): string {
  if ('text' in message) return message.text;
  const pattern = patternOf(message.id);
  if (pattern === undefined) return message.id;
  return formatMessage(pattern, message.values, (inner) => englishText(inner, patternOf));
}
