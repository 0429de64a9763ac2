import { shallowRef } from 'vue';
import type { Phrase } from '../../src-preload/contract/index.ts';
import { count, dateTime, inLine, shortTime, type Zone } from './format.ts';
import { severityWord } from './severities.ts';
import { bytesText } from './storage.ts';
import { i18n, language, t, type MessageKey } from '../i18n/index.ts';

/** In which zone phrases say their times; of the page as its language is. */
export const phraseZone = shallowRef<Zone>('utc');

/**
 * A text of the console in the page's language. `text` is its English, which stands for itself where the
 * language does not know the phrase, and wherever there is none.
 */
export function said(text: string, phrase: Phrase | null): string {
  if (phrase === null) return text;
  // A language's `core` messages have the core's own keys; the page's failures have keys of the page.
  const key = [`core.${phrase.id}`, phrase.id].find((known) => i18n.global.te(known, language.value));
  if (key === undefined) return text;
  const { n } = phrase.values;
  const values = Object.fromEntries(
    Object.entries(phrase.values).map(([name, value]) => [name, valueText(name, value)]),
  );
  return t(key as MessageKey, values, typeof n === 'number' ? n : undefined);
}

/** As contract/phrase.ts tells a value by its name. */
function valueText(name: string, value: Phrase['values'][string]): string {
  if (typeof value === 'object') return said(value.text, value);
  if (name === 'heading' && typeof value === 'string') return severityWord(value);
  if (typeof value === 'string') return severityNames.has(name) ? inLine(value) : value;
  if (name.endsWith('At')) return shortTime(value, phraseZone.value);
  if (name.endsWith('Date')) return dateTime(value, phraseZone.value);
  if (name.endsWith('Bytes')) return bytesText(value);
  return count(value);
}

/** Of values that are a severity, as contract/phrase.ts tells them. */
const severityNames: ReadonlySet<string> = new Set(['severity', 'before']);
