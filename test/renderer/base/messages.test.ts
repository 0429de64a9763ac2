import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../src-main/core/base/failure.ts';
import { english, message, type Message } from '../../../src-main/core/base/messages/message.ts';
import { NewsTally, type IncidentNews } from '../../../src-main/core/features/alarms/newsTally.ts';
import { sentences } from '../../../src-main/core/features/alarms/sentences.ts';
import { readDeploymentText } from '../../../src-main/core/features/deployments/file.ts';
import { readHealth } from '../../../src-main/core/features/health/integration.ts';
import { forgettingSentence } from '../../../src-main/core/features/incidents/sync/retention.ts';
import {
  answered,
  asked,
  interrupted,
  listedStill,
  namedAs,
  noLongerListed,
  notListed,
} from '../../../src-main/core/features/missions/messages.ts';
import { languages, messageSchema, scaleOf, type Language } from '../../../src-preload/contract/index.ts';
import { shortTime } from '../../../src-renderer/base/format.ts';
import { messageInEnglish, messageText, messageZone } from '../../../src-renderer/base/messages.ts';
import { i18n, type Messages } from '../../../src-renderer/i18n/index.ts';
import { record } from '../../core/state/storeFixtures.ts';

const others = languages.filter((language) => language !== 'en');
const loaders = import.meta.glob<{ default: Messages }>('../../../src-renderer/i18n/messages/*.ts');

beforeAll(async () => {
  messageZone.value = 'utc';
  for (const language of others) {
    const load = loaders[`../../../src-renderer/i18n/messages/${language}.ts`];
    const { default: files } = (await load?.()) as { default: Record<string, unknown> };
    i18n.global.setLocaleMessage(language, wordsOf(files) as Messages);
  }
});
afterAll(() => {
  i18n.global.locale.value = 'en';
  for (const language of others) i18n.global.setLocaleMessage(language, {} as Messages);
});

/** As src-renderer/i18n/languages.ts makes words of a language's files: `.../core.json` is `core`. */
const wordsOf = (files: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(files).map(([path, words]) => [path.replace(/^.*\/|\.json$/g, ''), words]),
  );

/** What a page in `language` shows of a sentence that has come over the wire. */
function shown(sentence: Message, language: Language): string {
  i18n.global.locale.value = language;
  return messageText(messageSchema.parse(JSON.parse(JSON.stringify(sentence))));
}

const type = '地震';
const scale = scaleOf(null);
const news = (severity: string, before: string | null = null): IncidentNews => ({
  kind: before === null ? 'incident' : 'escalation',
  record: { ...record('inc-1'), severity, incidentType: type },
  severity: scale.classOf(severity),
  before,
});
function tallyOf(severity: string, count: number): NewsTally {
  const tally = new NewsTally(scale);
  for (let at = 0; at < count; at += 1) tally.add(news(severity));
  return tally;
}
const integration = (name: 'aiAnalysis' | 'ipfsPinning' | 'ledger') => {
  const [reading] = readHealth({ field: false }, { [name]: 'field' })?.integrations ?? [];
  if (reading === undefined) throw new Error('No integration was read');
  return reading;
};
const at = Date.UTC(2026, 10, 21, 14, 2, 31);

/** Every sentence that an alarm can have, with this severity and this many incidents. */
const alarmsWith = (severity: string, count: number): Message[] => [
  sentences.incident(news(severity)),
  sentences.incident(news(severity, 'low')),
  sentences.firstReading(tallyOf(severity, count)),
  sentences.away(tallyOf(severity, count)),
  sentences.batch(tallyOf(severity, count)),
  sentences.merged(count, severity),
  sentences.merged(count, null),
  sentences.folded(count, severity),
  sentences.folded(count, null),
  sentences.integrationDown(integration('aiAnalysis')),
  sentences.integrationDown(integration('ledger')),
  sentences.integrationRecovered(integration('ledger'), at, at + 60_000),
  sentences.sessionEnded(),
  sentences.sessionBack(at),
  sentences.uploadsWait(count),
  sentences.uploadsSettled(),
];

it('says an incident’s type in an alarm as the list does', () => {
  const { record, ...other } = news('critical');
  const sentence = sentences.incident({ ...other, record: { ...record, incidentType: 'bridge_collapse' } });
  expect(shown(sentence, 'en')).toContain('Critical: bridge collapse, ');
});

describe.each(['critical', 'high', 'medium', 'low'])('an alarm about %s', (severity) => {
  it('holds no Latin word in Arabic but UTC', () => {
    for (const count of [1, 2, 3, 11, 100]) {
      for (const sentence of alarmsWith(severity, count)) {
        const text = shown(sentence, 'ar');
        // The name of a town stays as it is.
        expect(text.replaceAll(/UTC|São Tomé, ST/g, '')).not.toMatch(/\p{Script=Latin}|[{}|]/u);
        expect(text).not.toBe(english(sentence));
      }
    }
  });

  it.each(others)(
    'has the page’s own word for it in %s, as the sentence begins and within it',
    (language) => {
      const text = shown(sentences.incident(news(severity)), language);
      expect(text).toContain(type);
      expect(text).not.toContain(severity);
      expect(text.startsWith(i18n.global.t(`words.${severity}`))).toBe(true);
      const known = shown(sentences.merged(3, severity), language);
      expect(known).toContain(i18n.global.t(`words.inLine.${severity}`));
    },
  );

  it('is in English as the core says it', () => {
    const sentence = sentences.incident(news(severity));
    expect(shown(sentence, 'en')).toMatch(new RegExp(`^${severity}: ${type}, `, 'i'));
  });
});

describe('the place of an alarm', () => {
  const named = { en: 'Vienna', es: 'Viena', fr: 'Vienne', ar: 'Vienna', hi: 'Vienna', 'zh-Hans': '維也納' };
  const about = news('high');
  const sentence = sentences.incident({
    ...about,
    record: { ...about.record, location: { latitude: 48.208, longitude: 16.31, altitude: null } },
  });

  it.each(languages)('has the town’s name in %s, where it has one', (language) => {
    const text = shown(sentence, language);
    expect(text).toContain(`${named[language]}, AT`);
    expect(text).toContain('5');
  });

  it('has the English name in the log, whatever the language of the page', () => {
    for (const language of languages) {
      i18n.global.locale.value = language;
      for (const text of [english(sentence), messageInEnglish(sentence)])
        expect(text).toBe(`High: ${type}, 5 km W of Vienna, AT.`);
    }
  });

  it.each(languages)('has the one name that an earlier version stored, in %s', (language) => {
    const place = message('place.away.nw', { km: 12, town: 'Vienna, AT' });
    expect(shown(message('alarm.new', { heading: 'High', type, place }), language)).toContain('Vienna, AT');
  });
});

describe('a word of the service that the page does not know', () => {
  it.each(others)('stays as it came in %s', (language) => {
    expect(shown(sentences.incident(news('Stufe Ω')), language)).toContain('Stufe Ω');
    expect(shown(message('alarm.integrationDown', { label: 'brain' }), language)).toContain('brain');
  });
});

describe('a sentence that holds another one', () => {
  const refused = makeFailure({ code: 'unreachable', at });

  it.each(others)('is said whole in %s', (language) => {
    const parts = shown(message('failure.unreachable.sentence'), language);
    const text = shown(message('mission.nothingSent', { reason: refused.sentence }), language);
    expect(text).toContain(parts);
    expect(text).not.toMatch(/Nothing was sent|cannot be reached/);
    // Two levels: a waiting session is the reason, and the service its own.
    const deep = message('mission.nothingSent', {
      reason: message('session.notRenewed', { reason: refused.sentence }),
    });
    expect(shown(deep, language)).toContain(parts);
  });

  it.each(others)(
    'is an entry of the audit list in %s, with what the service or the list showed',
    (language) => {
      const none = { requestId: null, answer: null, found: null, notGranted: false };
      const attempted = { ...none, failure: refused };
      const entries = (['approve', 'reject'] as const).flatMap((decision) => [
        asked(decision, false, ''),
        asked(decision, true, ''),
        asked('reject', false, '42'),
        interrupted(decision),
        namedAs('list', decision, at),
        namedAs('event', decision, at),
        ...(['done', 'refused', 'not-sent', 'unknown'] as const).map((outcome) =>
          answered(decision, { ...attempted, outcome }),
        ),
      ]);
      for (const entry of [...entries, listedStill(at), noLongerListed(at), notListed(at)]) {
        const text = shown(entry, language);
        expect(text).not.toBe(english(entry));
        expect(text).not.toMatch(/[{}|]|approv(?:al|ed)\b.*the|rejection|Pending list/);
        if ('id' in entry && entry.values['why'] !== undefined) {
          expect(text).toContain(shown(message('failure.unreachable.sentence'), language));
        }
      }
    },
  );

  it.each(others)('names the key of a bad deployment file, and its fault in %s', (language) => {
    const reading = readDeploymentText('{"version":1,"id":"Not An Id"}', null);
    if (reading.valid) throw new Error('It was taken');
    const text = shown(message('deployment.refused.added', { reason: reading.reason }), language);
    expect(text.replaceAll(/[\u2066-\u2069]/g, '')).toMatch(/(?:^|\W)id\s?[:：]/);
    expect(text).not.toContain('must');
  });

  it.each(others)('counts what was removed, and why, in %s', (language) => {
    const counts = { age: 2, number: 3, notReturned: 4 };
    const forgetting = { ids: Array.from({ length: 9 }, String), counts, keptFrom: null };
    const sentence = forgettingSentence(forgetting, { days: 30, incidents: 500, notReturnedDays: 7 });
    const text = sentence === null ? '' : shown(sentence, language);
    for (const number of ['9', '2', '30', '3', '500', '4', '7']) expect(text).toContain(number);
    expect(text).not.toMatch(/incidents were removed|older than|beyond/);
  });

  it('is said in English where a language does not know it', () => {
    i18n.global.setLocaleMessage('es', {} as Messages);
    expect(shown(refused.sentence, 'es')).toBe('Can’t reach the service.');
  });

  it('says words that are not the console’s as they are', () => {
    const text = shown(message('mission.nothingSent', { reason: { text: 'Of elsewhere, {n}.' } }), 'es');
    expect(text).toContain('Of elsewhere, {n}.');
    expect(shown({ text: 'a | {b}' }, 'es')).toBe('a | {b}');
  });

  it.each(languages)('says its times in the zone of the page in %s', (language) => {
    const sentence = sentences.sessionBack(at);
    expect(shown(sentence, language)).toContain(shortTime(at, 'utc'));
    messageZone.value = 'local';
    try {
      expect(shown(sentence, language)).toContain(shortTime(at, 'local'));
    } finally {
      messageZone.value = 'utc';
    }
  });

  it('is said by its id where this page does not know it', () => {
    expect(shown({ id: 'later.one', values: {} }, 'en')).toBe('later.one');
  });

  it('is in English for support, as the log has it, whatever the language of the page', () => {
    const entry = answered('approve', {
      ...{ requestId: null, answer: null, found: null, notGranted: false },
      failure: refused,
      outcome: 'unknown',
    });
    for (const language of languages) {
      i18n.global.locale.value = language;
      expect(messageInEnglish(entry)).toBe(english(entry));
      expect(messageInEnglish(sentences.sessionBack(at))).toBe(english(sentences.sessionBack(at)));
    }
  });
});
