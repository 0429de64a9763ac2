import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EventsState, Language, SelfTestStep, SirenState } from '../../../src-preload/contract/index.ts';
import { either, inLine, inRow, raised } from '../../../src-renderer/base/format.ts';
import { stripSummary } from '../../../src-renderer/base/health.ts';
import { narrowing } from '../../../src-renderer/base/query.ts';
import { areaText } from '../../../src-renderer/base/units.ts';
import { briefWords, lockWords } from '../../../src-renderer/features/alarms/alarmText.ts';
import { outcomeTally } from '../../../src-renderer/features/diagnostics/diagnosticsText.ts';
import { tallyWords } from '../../../src-renderer/features/events/liveEvents.ts';
import { i18n, t } from '../../../src-renderer/i18n/index.ts';
import { loadMessages } from '../../../src-renderer/i18n/languages.ts';

const others = ['es', 'fr', 'ar', 'hi', 'zh-Hans'] as const satisfies readonly Language[];
const read = (language: Language): void => {
  i18n.global.locale.value = language;
};

beforeAll(async () => {
  for (const language of others) {
    i18n.global.setLocaleMessage(language, await loadMessages(language));
  }
});
afterEach(() => {
  read('en');
});

const siren: SirenState = {
  sequence: 1,
  level: 3,
  kind: 'incident',
  severity: 'high',
  unacknowledged: 3,
  worstSeverity: 'critical',
  mutedUntil: null,
  sound: true,
  notifications: 'brief',
};
const step: SelfTestStep = {
  id: 'disk',
  name: { text: '' },
  outcome: 'passed',
  detail: { text: '' },
  milliseconds: 0,
};
const query = { range: 'all' as const, types: [], openOnly: false };

describe('a word of the specification', () => {
  it('is known whatever its case, and what is not known stays as it came', () => {
    expect(['open', 'OPEN', ' Resolved '].map(raised)).toEqual(['Open', 'Open', 'Resolved']);
    expect(['open', 'HIGH', 'Evacuated', ''].map(inLine)).toEqual(['open', 'high', 'Evacuated', '']);
    read('fr');
    expect(['open', 'Evacuated'].map(inLine)).toEqual(['ouvert', 'Evacuated']);
    expect(['open', 'Evacuated'].map(raised)).toEqual(['Ouvert', 'Evacuated']);
  });

  it.each(others)('stands in no sentence of %s as it came', (language) => {
    read(language);
    const sentences = [
      lockWords(siren),
      lockWords({ ...siren, unacknowledged: 1 }),
      briefWords(siren.kind, siren.severity),
      t('walk.severity', { word: inLine('low') }),
      ...narrowing({ ...query, severities: ['high', 'low'], statuses: ['open', 'resolved'] }),
    ];
    expect(sentences.filter((text) => /critical|high|medium|low|open|resolved/i.test(text ?? ''))).toEqual(
      [],
    );
  });

  it('agrees with the word that it is said of', () => {
    read('es');
    expect(lockWords(siren)).toBe('3 alarmas, gravedad máxima crítica');
    expect(briefWords('incident', 'high')).toBe('Nuevo incidente, gravedad alta');
    read('fr');
    expect(lockWords({ ...siren, unacknowledged: 1 })).toBe('1 alarme, gravité critique');
    read('ar');
    expect(narrowing({ ...query, severities: ['high', 'low'], statuses: [] })).toEqual([
      'الخطورة عالية أو منخفضة',
    ]);
  });

  it('says that a value is unknown', () => {
    expect(narrowing({ ...query, severities: [''], statuses: ['open', ''] })).toEqual([
      'severity unknown',
      'status open or unknown',
    ]);
  });
});

describe('a list in words', () => {
  it('is joined as the language joins it', () => {
    const joined = others.map((language) => {
      read(language);
      return [inRow(['a', 'b', 'c']), either(['a', 'b'])];
    });
    expect(joined).toEqual([
      ['a, b y c', 'a o b'],
      ['a, b, c', 'a ou b'],
      ['a وb وc', 'a أو b'],
      ['a, b और c', 'a या b'],
      ['a、b、c', 'a或b'],
    ]);
  });

  it('has each count in its own form', () => {
    const stream = { received: 2, dropped: 1 } as EventsState;
    const steps = (['passed', 'failed', 'failed'] as const).map((outcome) => ({ ...step, outcome }));
    expect(outcomeTally(steps)).toBe('1 passed, 2 failed.');
    read('es');
    expect(tallyWords(stream)).toBe('2 eventos, 1 descartado por grande o ilegible');
    expect(outcomeTally(steps)).toBe('1 superada y 2 fallidas.');
    read('ar');
    expect(tallyWords({ received: 11, dropped: 2 } as EventsState)).toBe(
      '11 حدثًا، أُسقط حدثان لكبر الحجم أو لتعذّر القراءة',
    );
    read('zh-Hans');
    expect(stripSummary(['ok', 'down'])).toBe('最近 2 次检查：1 次正常、1 次中断');
  });
});

it('counts acres by what is written', () => {
  const acre = 4_046.856_422_4;
  expect([1, 1.004, 1.2].map((acres) => areaText(acres * acre, 'imperial'))).toEqual([
    '1 acre',
    '1 acre',
    '1.2 acres',
  ]);
});
