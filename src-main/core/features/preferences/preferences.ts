import {
  failed,
  ok,
  preferencesSchema,
  usualListWidth,
  type Preferences,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { readMembers } from '../../base/json.ts';
import { message } from '../../base/messages/message.ts';
import type { Documents, Logger } from '../../base/ports.ts';

const documentName = 'preferences.json';

export const defaultPreferences: Preferences = {
  theme: 'system',
  schedule: { day: 'day', night: 'night', dayFrom: 6 * 60, nightFrom: 20 * 60 },
  textSize: 'normal',
  touch: 'auto',
  motion: 'system',
  language: 'system',
  zone: 'utc',
  coordinates: 'dd',
  units: 'metric',
  listWidth: usualListWidth,
  zoom: 1,
  idleLockMinutes: null,
  tray: true,
  singleKeys: true,
  tourDone: false,
};

/** Takes each preference that holds by itself: one bad entry must not reset the others. */
export function readPreferences(text: string | null): Preferences {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '{}');
  } catch {
    return defaultPreferences;
  }
  return readMembers(preferencesSchema, stored, defaultPreferences);
}

export interface PreferencesDocumentOptions {
  readonly documents: Documents;
  readonly logger: Logger;
  readonly now: () => number;
}

/** The operator's preferences in the data folder. */
export class PreferencesDocument {
  readonly #options: PreferencesDocumentOptions;

  constructor(options: PreferencesDocumentOptions) {
    this.#options = options;
  }

  async load(): Promise<Preferences> {
    try {
      return readPreferences(await this.#options.documents.read(documentName));
    } catch {
      this.#options.logger.warn('preferences-unreadable');
      return defaultPreferences;
    }
  }

  async save(preferences: Preferences): Promise<Result<null>> {
    try {
      await this.#options.documents.write(documentName, `${JSON.stringify(preferences)}\n`);
      return ok(null);
    } catch {
      const sentence = message('settings.notWritten');
      return failed(makeFailure({ code: 'storage-failed', at: this.#options.now(), sentence }));
    }
  }
}
