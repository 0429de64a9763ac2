import {
  failed,
  ok,
  preferencesSchema,
  usualListWidth,
  type Preferences,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { isObject, readMembers } from '../../base/json.ts';
import { JsonDocument, type DocumentPorts } from '../../base/jsonDocument.ts';
import { message } from '../../base/messages/message.ts';

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
  saveData: null,
  tray: true,
  singleKeys: true,
  tourDone: false,
};

/** Reads each preference separately: a bad entry must not reset the others. Null where the document is no object. */
const readPreferences = (value: unknown): Preferences | null =>
  isObject(value) ? readMembers(preferencesSchema, value, defaultPreferences) : null;

/** The operator's preferences in the data folder. */
export class PreferencesDocument {
  readonly #document: JsonDocument<Preferences>;
  readonly #now: () => number;

  constructor(ports: DocumentPorts, now: () => number) {
    this.#document = new JsonDocument(ports, 'preferences', readPreferences);
    this.#now = now;
  }

  async load(): Promise<Preferences> {
    const stored = await this.#document.load();
    return stored.kind === 'stored' ? stored.value : defaultPreferences;
  }

  async save(preferences: Preferences): Promise<Result<null>> {
    if (await this.#document.save(preferences)) return ok(null);
    const sentence = message('settings.notWritten');
    return failed(makeFailure({ code: 'storage-failed', at: this.#now(), sentence }));
  }
}
