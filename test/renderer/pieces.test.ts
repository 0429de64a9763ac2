import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src-preload/contract/index.ts';
import { loadMessages } from '../../src-renderer/i18n/languages.ts';
import en from '../../src-renderer/locales/en/index.ts';
import { formsOf, messageMap, placeholdersOf } from '../support/messages.ts';
import { numbersIn, piecesIn } from '../support/pieces.ts';

/** Sentences that each end by themselves may follow one another. Each entry begins a piece as it is found. */
const wholeSentences: Readonly<Record<string, readonly string[]>> = {
  'components/FailureNote.vue': ['` ${remedyOf(failure)}`'],
  'components/NotGranted.vue': [`<span class="strong">{{ t('failures.notGranted') }}`],
  'views/IncidentsPanel.vue': [`{{ t('incidents.empty.shownOnly'`],
  'views/LockPage.vue': [`<span role="alert">{{ t('lock.tooMany') }}`],
  'views/SealedVaultPage.vue': ['{{ locked }}', `<span role="alert">{{ t('signIn.sealed.tooMany') }}`],
  'views/SessionNotice.vue': [
    ...[`<span class="strong">{{ t('session.lost') }}`, '<span class="strong">{{ refusedWords }}'],
    '<span class="strong">{{ tokensRefusedWords }}',
    ...['{{ sentenceOf(', '{{ remedyOf(', '<span class="strong">{{ offlineWords }}'],
    ...['<template v-if="offline.reason">', '` ${sentenceOf(offline.reason)}`'],
    `<span role="status" class="strong">{{ t('session.coordinationLost') }}`,
    ...[`<span class="strong">{{ t('session.inMemory') }}`, '{{ said(mirror.storage.notice'],
  ],
  'views/kiosk/LeaveKiosk.vue': [`<span role="alert">{{ t('kiosk.tooMany') }}`],
  'views/missions/DecisionState.vue': [
    '<span class="strong">{{ t(words.sending) }}',
    `<span v-if="decided.basis === 'answer'" class="strong">{{ t(words.changed) }}`,
    '{{ sentenceOf(blocked) }}',
  ],
  'views/missions/MissionsPanel.vue': [`<span class="strong">{{ t('missions.needLive') }}`, '{{ sentenceOf('],
  'views/outbox/UploadRow.vue': ['` ${said(upload.remedy'],
  'views/settings/SettingLine.vue': ['<span v-if="fixed"'],
  'views/timeline/ReplayBar.vue': [`{{ t('timeline.replay.note') }}`],
};
/** What is no sentence at all. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'lib/placeSearch.ts': { "places.map(idOf).join(';')": 'ids' },
  'map/font.ts': { '[...mapFonts.map(': 'names of fonts, for CSS' },
  'lib/incidentMessage.ts': { '[ headed(onOneLine(': 'facts in a row for the radio, and no sentence' },
  'views/commands/MapWalk.vue': { '{{ said }} <span v-if="pinned"': 'a sign of its own after the sentence' },
  'views/maps/MapsPanel.vue': { [`<span class="strong">{{ t('maps.basemap') }}`]: 'a name, and what it is' },
};

/** Messages that say a number in one form for every number, and why. */
const inOneForm: readonly { readonly key: RegExp; readonly why: string }[] = [
  { key: /^time\.(milliseconds|seconds|minutes|hours|days)$/, why: 'the sign of a unit has no plural' },
  { key: /^storage\.(bytes|kilobytes|megabytes|gigabytes|terabytes)$/, why: 'the sign of a unit' },
  { key: /^coordinates\.units\.(m|ft)$/, why: 'the sign of a unit' },
  { key: /^commands\.alarms\.mute$/, why: 'the sign of a unit' },
  { key: /^details\.copyRecord$/, why: 'a number that names' },
  { key: /^events\.(incidentOf|missionOf)$/, why: 'a number that names' },
  { key: /^(help\.tour\.place|wallboard\.place|maps\.stack\.count)$/, why: 'a place in a row' },
  { key: /^alarms\.draw\.corners$/, why: 'a number after its label' },
  { key: /^details\.showEvidence$/, why: 'a number after its label' },
  { key: /^timeline\.bars$/, why: 'a number after its label' },
  {
    key: /^appearance\.zoom\.percent$|^evidence\.tray\.running$|^outbox\.moving$|^updates\.taken$/,
    why: 'per cent',
  },
  { key: /^incidents\.limit\.problem$/, why: 'the end of a range' },
  { key: /^signIn\.erase\.count$/, why: 'digits to be typed' },
  { key: /^sync\.requestsOf$/, why: 'no word depends on it' },
];
/** Values that are numbers in the messages, whatever the source makes of them. */
const numberName = /^(?:n|count|percent|number|minutes|step|steps|views|most|unsent)$/;

const renderer = join(import.meta.dirname, '../../src-renderer');
const sources = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|vue)$/.test(name) && !name.startsWith('locales') && !name.endsWith('.d.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .toSorted()
  .map((name) => ({ name, text: readFileSync(join(renderer, name), 'utf8') }));
const pieces = sources.flatMap(({ name, text }) =>
  [...new Set(piecesIn(name, text))].map((piece) => ({ name, piece })),
);
const allowed = (name: string): readonly string[] => [
  ...(wholeSentences[name] ?? []),
  ...Object.keys(others[name] ?? {}),
];

const english = messageMap(en);

describe('a sentence that an operator reads', () => {
  it('is one message, and not built of several', () => {
    const built = pieces.filter(({ name, piece }) => !allowed(name).some((start) => piece.startsWith(start)));
    expect(built.map(({ name, piece }) => `${name}: ${piece}`)).toEqual([]);
  });

  it('is taken off the list when it is gone from the source', () => {
    const needless = [...Object.keys(wholeSentences), ...Object.keys(others)].flatMap((name) =>
      allowed(name)
        .filter((start) => !pieces.some((one) => one.name === name && one.piece.startsWith(start)))
        .map((start) => `${name}: ${start}`),
    );
    expect(needless).toEqual([]);
  });

  it('has a form for each number that it says', () => {
    const numeric = new Map<string, Set<string>>();
    for (const { name, text } of sources) {
      for (const { key, value } of numbersIn(name, text)) {
        numeric.set(key, (numeric.get(key) ?? new Set()).add(value));
      }
    }
    const odd = [...english]
      .filter(([key, text]) => {
        const saysNumber = placeholdersOf(text).some(
          (name) => numberName.test(name) || numeric.get(key)?.has(name) === true,
        );
        return saysNumber && formsOf(text).length === 1;
      })
      .map(([key]) => key);
    expect(odd.filter((key) => !inOneForm.some((one) => one.key.test(key)))).toEqual([]);
    const needless = inOneForm.filter((one) => !odd.some((key) => one.key.test(key)));
    expect(needless.map(({ key }) => String(key))).toEqual([]);
  });

  it.each(languages)('neither begins nor ends as a piece of one in %s', async (language) => {
    const words = language === 'en' ? english : messageMap(await loadMessages(language));
    // A full stop, a bracket or a quotation mark ends one; a colon stands before what a template sets apart.
    const odd = [...words].filter(([, text]) =>
      formsOf(text).some(
        (form) => /^[\s,;:.·–—、，；：。؛،]|[\s,;·–—、，；؛،]$/u.test(form) || text !== text.trim(),
      ),
    );
    expect(odd.map(([key, text]) => `${key}: ${text}`)).toEqual([]);
  });
});

describe('a sentence built of pieces', () => {
  const component = (template: string): string[] =>
    piecesIn('A.vue', `<script setup lang="ts"></script><template>${template}</template>`);

  it.each([
    ["<p>{{ t('a.b') + name }}</p>", 1],
    ["<p>{{ `${t('a.b')} ${name}` }}</p>", 1],
    ['<p>{{ raised(word).toLowerCase() }}</p>', 1],
    ["<p :title=\"t('a.b') + ':'\" />", 1],
    ["<p>{{ t('a.b') }} {{ t('a.c') }}</p>", 1],
    ["<p>{{ t('a.b') }} <code>{{ id }}</code></p>", 1],
    ["<p>{{ name }}<span>, {{ on ? t('a.on') : t('a.off') }}</span></p>", 1],
    ["<p>{{ t('a.b', { id }) }}</p>", 0],
    ["<p>{{ t('a.b') }} · {{ age }}</p>", 0],
    ["<p><Icon />{{ t('a.b') }}</p>", 0],
    ['<p>{{ t(`a.${name}`) }}</p>', 0],
    ['<p>{{ name }} {{ age }}</p>', 0],
  ])('is found in %s', (template, count) => {
    expect(component(template)).toHaveLength(count);
  });

  it('is found in code', () => {
    expect(piecesIn('a.ts', "const a = parts.join(', ');")).toHaveLength(1);
    expect(piecesIn('a.ts', "const a = parts.join(' · ');")).toEqual([]);
    expect(piecesIn('a.ts', "const a = (on ? t('a.b') : t('a.c')) + '.';")).toHaveLength(1);
    expect(piecesIn('a.ts', 'const a = one + 2; const b = t(`a.${c}`);')).toEqual([]);
  });

  it('says numbers where its values are counted', () => {
    expect(numbersIn('a.ts', "t('a.b', { all: count(n), size: bytesText(n), of: list.length });")).toEqual([
      { key: 'a.b', value: 'all' },
      { key: 'a.b', value: 'of' },
    ]);
    expect(numbersIn('a.ts', "t(on ? 'a.b' : 'a.c', { at: at + 1 });")).toEqual([
      { key: 'a.b', value: 'at' },
      { key: 'a.c', value: 'at' },
    ]);
  });
});
