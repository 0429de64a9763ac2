import { computed } from 'vue';
import { createI18n } from 'vue-i18n';
import { languages, pluralRule, type Language, type MessagePaths } from '../../src-preload/contract/index.ts';
import en from './messages/en.ts';
import { inSentence } from './visible.ts';

export type Messages = typeof en;

/** `'timeline.title'`, ...: every path to a text in the English messages. */
export type MessageKey = MessagePaths<Messages>;

export type Values = Readonly<Record<string, string | number>>;

/**
 * The page's language. One for the page, as the document's `lang` is: texts are made in components and in
 * plain functions alike, and all of them read it, so whatever computes a text follows a change.
 */
export const i18n = createI18n({
  legacy: false,
  locale: 'en' as Language,
  fallbackLocale: 'en',
  messages: { en } as Record<string, Messages>,
  pluralRules: Object.fromEntries(languages.map((tag) => [tag, pluralRule(tag)])),
  warnHtmlMessage: false,
});

/**
 * The text of a key. `n` chooses the plural form and is the value `n` of the text, written as the language
 * writes numbers; other numbers are for the caller to write (base/format.ts). Texts among the values cannot change
 * how the sentence reads. A key that a language lacks is said in English.
 */
export function t(key: MessageKey, values?: Values, n?: number): string {
  const shown = values === undefined ? {} : shownValues(values);
  const text =
    n === undefined
      ? i18n.global.t(key, shown)
      : i18n.global.t(key, { n: number(n), count: n, ...shown }, { plural: n });
  return values?.['town'] === undefined ? text : withNamesJoined(text, language.value);
}

const shownValues = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? inSentence(value, direction.value) : value,
    ]),
  );

/** The English text of a key, as it stands in the tree; undefined for none. */
export function patternOf(key: string): string | undefined {
  const found = key
    .split('.')
    .reduce<unknown>((at, name) => (isTree(at) && Object.hasOwn(at, name) ? at[name] : undefined), en);
  return typeof found === 'string' ? found : undefined;
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The language's BCP 47 tag, for Intl; reading it makes a computation follow the language. */
export const language = computed(() => i18n.global.locale.value as Language);

/** Which way the language is read; its own messages say so. */
export const direction = computed(() => (t('language.direction') === 'rtl' ? 'rtl' : 'ltr'));

/** Where a thing opens that opens on `side` in a language read from left to right. */
export function sideOf<S extends 'top' | 'right' | 'bottom' | 'left'>(side: S): S | 'right' | 'left' {
  if (direction.value === 'ltr' || side === 'top' || side === 'bottom') return side;
  return side === 'left' ? 'right' : 'left';
}

const numbers = computed(() => new Intl.NumberFormat(language.value, { numberingSystem: 'latn' }));
const number = (value: number): string => numbers.value.format(value);

/** How French joins "de" with a name that follows it: d’Orléans, du Havre, des Abymes; but de Yaoundé. */
const french: readonly (readonly [from: RegExp, to: string])[] = [
  [/\bde (\u2068?)Le /g, 'du $1'],
  [/\bde (\u2068?)Les /g, 'des $1'],
  [/\bde (\u2068?(?:[AEIOUÀÂÄÉÈÊËÎÏÔÖÛÜŒÆ]|Y(?![aeiouéè])))/g, 'd’$1'],
];

/** A sentence about a town as the language joins the name to it. */
export const withNamesJoined = (sentence: string, language: Language): string =>
  language === 'fr' ? french.reduce((text, [from, to]) => text.replace(from, to), sentence) : sentence;
