const dayMs = 86_400_000;
/** The most days in memory: usually those of incidents that are read one after another. */
const mostDays = 1_000;

/** The usual forms of times: with three decimals, or whole seconds. */
export type TimeForm = 'fraction' | 'whole';

/**
 * Times as JavaScript writes them ("2026-11-20T12:00:00.000Z"), and whole seconds without the fraction. Opening a vault
 * writes a million of them, for which `toISOString` takes twice as long.
 */
export class TimeTexts {
  readonly #days = new Map<number, string>();

  /** The form with which `textOf` returns the same text; null when there is none. */
  formOf(text: string, at: number): TimeForm | null {
    const form = text.length === 24 ? 'fraction' : text.length === 20 ? 'whole' : null;
    if (form === null) return null;
    const day = Math.floor(at / dayMs);
    const date = this.#days.get(day) ?? this.#dateOf(day);
    if (date.length !== 10 || !text.startsWith(date)) return null;
    const seconds = (twoAt(text, 11) * 60 + twoAt(text, 14)) * 60 + twoAt(text, 17);
    const fraction = form === 'whole' ? 0 : twoAt(text, 20) * 10 + digitAt(text, 22);
    const rest = at - day * dayMs;
    // The numbers alone would accept another spelling of the same time, such as 60 seconds.
    const isPlain = twoAt(text, 17) < 60 && twoAt(text, 14) < 60 && marksAt(text, form);
    const isThis =
      form === 'whole' ? Math.floor(rest / 1000) === seconds : rest === seconds * 1000 + fraction;
    return isPlain && isThis ? form : null;
  }

  /** The text of Unix milliseconds; empty when they are not a valid time. */
  textOf(at: number, form: TimeForm): string {
    const day = Math.floor(at / dayMs);
    const date = this.#days.get(day) ?? this.#dateOf(day);
    if (date === '') return '';
    const ms = at - day * dayMs;
    const seconds = Math.floor(ms / 1000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    const text = `${date}T${two(hours)}:${two(minutes - hours * 60)}:${two(seconds - minutes * 60)}`;
    return form === 'whole' ? `${text}Z` : `${text}.${String(1000 + ms - seconds * 1000).slice(1)}Z`;
  }

  #dateOf(day: number): string {
    const date = new Date(day * dayMs);
    const text = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, -14);
    if (this.#days.size >= mostDays) this.#days.clear();
    this.#days.set(day, text);
    return text;
  }
}

const pairs = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const two = (value: number): string => pairs[value] ?? '';

/** NaN when it is not a digit. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - 0x30;
  return digit >= 0 && digit <= 9 ? digit : Number.NaN;
}

const twoAt = (text: string, at: number): number => digitAt(text, at) * 10 + digitAt(text, at + 1);

/** Whether the characters between the numbers are those that JavaScript writes. */
const marksAt = (text: string, form: TimeForm): boolean =>
  text[10] === 'T' &&
  text[13] === ':' &&
  text[16] === ':' &&
  (form === 'whole' ? text[19] === 'Z' : text[19] === '.' && text[23] === 'Z');
