import type { App as ElectronApp } from 'electron';
import { join } from 'node:path';
import {
  formatMessage,
  languageOf,
  pluralRule,
  preferencesSchema,
  type Language,
  type MessagePaths,
  type MessageValues,
  type Preferences,
} from '../../../src-preload/contract/index.ts';
import ar from '../../../src-preload/contract/messages/ar/desktop.json' with { type: 'json' };
import en from '../../../src-preload/contract/messages/en/desktop.json' with { type: 'json' };
import es from '../../../src-preload/contract/messages/es/desktop.json' with { type: 'json' };
import fr from '../../../src-preload/contract/messages/fr/desktop.json' with { type: 'json' };
import hi from '../../../src-preload/contract/messages/hi/desktop.json' with { type: 'json' };
import zhHans from '../../../src-preload/contract/messages/zh-Hans/desktop.json' with { type: 'json' };
import { readPlainNow } from '../../adapters/plainFile.ts';
import { isObject, parsedJson } from '../../core/base/json.ts';
import { english as englishOf } from '../../core/base/messages/message.ts';

const trees: Readonly<Record<Language, typeof en>> = { ar, en, es, fr, hi, 'zh-Hans': zhHans };

/** `'menu.quit'`, ...: the texts of menus, tray and boxes. */
export type DesktopText = MessagePaths<typeof en>;

/** The texts that the system draws, in the page's language. */
export interface Words {
  /** `values.n` chooses the plural form. */
  text(id: DesktopText, values?: MessageValues): string;
  /** The same in English, which the command line is in. */
  english(id: DesktopText, values?: MessageValues): string;
  /** From now on uses the language of this preference. */
  use(preference: Preferences['language']): void;
  /** Calls `listener` when another language was chosen. */
  onChange(listener: () => void): () => void;
}

/** The words in the language of the computer's owner, until `use` says another. */
export function createWords(app: Pick<ElectronApp, 'getLocale' | 'getPreferredSystemLanguages'>): Words {
  let chosen: Preferences['language'] = 'system';
  const listeners = new Set<() => void>();
  // As Electron makes `navigator.languages` of the page.
  const language = (): Language =>
    languageOf(chosen, [app.getLocale(), ...app.getPreferredSystemLanguages()]);
  return {
    text: (id, values) => textIn(language(), id, values),
    english: (id, values) => textIn('en', id, values),
    use: (preference) => {
      if (preference === chosen) return;
      chosen = preference;
      for (const listener of [...listeners]) listener();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function textIn(language: Language, id: DesktopText, values: MessageValues = {}): string {
  const pattern = id
    .split('.')
    .reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), trees[language]);
  return formatMessage(String(pattern), values, englishOf, pluralRule(language));
}

/** Bytes: a larger file does not come from the console. */
const largestPreferences = 65_536;

/** The stored language, for what a start says before its console is open. Synchronous; never throws. */
export function storedLanguage(dataDir: string): Preferences['language'] {
  try {
    const stored = parsedJson(
      readPlainNow(join(dataDir, 'preferences.json'), largestPreferences)?.toString(),
    );
    const read = preferencesSchema.shape.language.safeParse(isObject(stored) ? stored['language'] : null);
    return read.success ? read.data : 'system';
  } catch {
    return 'system';
  }
}
