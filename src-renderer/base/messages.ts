import { shallowRef } from 'vue';
import { englishText, valueIn, type Message, type MessageValues } from '../../src-preload/contract/index.ts';
import { count, dateTime, inLine, shortTime, spaced, type Zone } from './format.ts';
import { severityWord } from './severities.ts';
import { bytesText } from './storage.ts';
import { i18n, language, patternOf, t, type MessageKey } from '../i18n/index.ts';

/** In which zone messages say their times; of the page as its language is. */
export const messageZone = shallowRef<Zone>('utc');

/** Where the text of a message lies: the core's are under `core`, those that a page makes are named by their whole key. */
const keysOf = (id: string): readonly string[] => [`core.${id}`, id];

/** What the console says, in the page's language; in English where the language does not know it. */
export function messageText(message: Message): string {
  if ('text' in message) return message.text;
  const { id, values } = message;
  const { te } = i18n.global;
  const key = keysOf(id).find((known) => te(known, language.value) || te(known, 'en'));
  // Of a console of another version: what it is can be read out and found.
  if (key === undefined) return id;
  const { n } = values;
  const texts = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      valueText(name, values[valueIn(name, language.value)] ?? value),
    ]),
  );
  return t(key as MessageKey, texts, typeof n === 'number' ? n : undefined);
}

/** The same in English, as the core's log has it. */
export const messageInEnglish = (message: Message): string =>
  englishText(message, (id) => keysOf(id).flatMap((key) => patternOf(key) ?? [])[0]);

/** As contract/message.ts tells a value by its name. */
function valueText(name: string, value: MessageValues[string]): string {
  if (typeof value === 'object') return messageText(value);
  if (name === 'heading' && typeof value === 'string') return severityWord(value);
  if (name === 'type' && typeof value === 'string') return spaced(value);
  if (typeof value === 'string') return severityNames.has(name) ? inLine(value) : value;
  if (name.endsWith('At')) return shortTime(value, messageZone.value);
  if (name.endsWith('Date')) return dateTime(value, messageZone.value);
  if (name.endsWith('Bytes')) return bytesText(value);
  return count(value);
}

/** Of values that are a severity, as contract/message.ts tells them. */
const severityNames: ReadonlySet<string> = new Set(['severity', 'before']);
