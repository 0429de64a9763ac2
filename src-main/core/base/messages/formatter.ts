import {
  pluralRule,
  type Language,
  type Phrase,
  type Preferences,
  type Wording,
} from '../../../../src-preload/contract/index.ts';
import { knownWord } from './known.ts';
import { message, type PhraseId } from './message.ts';
import { bytesText, formatMessage, type Formats, type Values } from './messageFormat.ts';

const directions: Readonly<Record<Language, 'ltr' | 'rtl'>> = {
  en: 'ltr',
  es: 'ltr',
  fr: 'ltr',
  ar: 'rtl',
  hi: 'ltr',
  'zh-Hans': 'ltr',
};

/** Digits are Latin and the calendar Gregorian in every language, as on the page. */
const localeOf = (language: Language): string =>
  language === 'en' ? 'en-GB' : `${language}-u-ca-gregory-nu-latn`;

type Told = (at: number) => string;

/** Dates and times of a language; what no calendar holds was no time to begin with. */
const told = (locale: string, zone: Preferences['zone'], options: Intl.DateTimeFormatOptions): Told => {
  const { format } = new Intl.DateTimeFormat(locale, {
    ...options,
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  });
  return (at) => (Math.abs(at) <= 8_640_000_000_000_000 ? format(at) : '?');
};

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
/** Labelled with UTC, or with the offset of the computer's own zone: a name of it is not known elsewhere. */
const clockIn = (zone: Preferences['zone']) =>
  ({
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: zone === 'utc' ? 'short' : 'shortOffset',
  }) as const;

/**
 * The language that a file for people is written in, as a page lent it. A message that the page did not lend
 * is said in English, as everything is without a page.
 */
export class Formatter {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  /** `22 Nov 2026, 14:02 UTC`, as the language has it. Unix milliseconds. */
  readonly instant: (at: number) => string;
  /** `22 Nov 2026`. */
  readonly day: (at: number) => string;
  /** `14:02 UTC`. */
  readonly clockTime: (at: number) => string;
  readonly #messages: Wording['messages'];
  readonly #mode: Formats;

  constructor(wording: Pick<Wording, 'language' | 'messages'> | null, zone: Preferences['zone']) {
    const { language, messages } = wording ?? { language: 'en' as const, messages: {} };
    const locale = localeOf(language);
    const numbers = new Intl.NumberFormat(locale);
    this.language = language;
    this.direction = directions[language];
    const clock = clockIn(zone);
    this.instant = told(locale, zone, { ...day, ...clock });
    this.day = told(locale, zone, day);
    this.clockTime = told(locale, zone, clock);
    this.#messages = messages;
    this.#mode = {
      form: pluralRule(language),
      count: (value) => numbers.format(value),
      time: this.clockTime,
      date: this.instant,
      bytes: bytesText,
      phrase: (phrase) => this.said(phrase.text, phrase),
    };
  }

  /** A sentence of the console's own. */
  format(id: PhraseId, values: Values = {}): string {
    return this.#lent(id, values) ?? message(id, values).text;
  }

  /** A text that the console made before, from its phrase; the text itself where there is none. */
  said(text: string, phrase: Phrase | null): string {
    return (phrase && this.#lent(phrase.id, phrase.values)) ?? text;
  }

  /** A severity or a status, where the language has a word for it; null for one that stays as it came. */
  known(word: string): string | null {
    const id = this.language === 'en' ? null : knownWord(word);
    return id === null ? null : this.format(id);
  }

  count(value: number): string {
    return this.#mode.count(value);
  }

  #lent(id: string, values: Values): string | null {
    const pattern = Object.hasOwn(this.#messages, id) ? this.#messages[id] : undefined;
    return pattern === undefined ? null : formatMessage(pattern, values, this.#mode);
  }
}
