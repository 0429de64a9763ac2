import type { Linter } from 'eslint';

/** Pieces that src-renderer's files may have, by how each begins (sentencePieces.ts). */

/** Whole sentences may follow one another. */
const sentences = {
  'ui/FailureNote.vue': ['` ${remedyOf(failure)}`'],
  'features/missions/NotGranted.vue': [`<span class="strong">{{ t('failures.notGranted') }}`],
  'features/session/LockPage.vue': [`<span role="alert">{{ t('lock.tooMany') }}`],
  'features/session/SealedVaultPage.vue': [
    '{{ locked }}',
    `<span role="alert">{{ t('signIn.sealed.tooMany') }}`,
  ],
  'features/session/SessionNotice.vue': [
    ...[`<span class="strong">{{ t('session.lost') }}`, '<span class="strong">{{ refusedWords }}'],
    '<span class="strong">{{ tokensRefusedWords }}',
    ...['{{ sentenceOf(', '{{ remedyOf(', '<span class="strong">{{ offlineWords }}'],
    ...['<template v-if="offline.reason">', '` ${sentenceOf(offline.reason)}`'],
    `<span role="status" class="strong">{{ t('session.coordinationLost') }}`,
    ...[`<span class="strong">{{ t('session.inMemory') }}`, '{{ messageText(mirror.storage.notice'],
  ],
  'features/kiosk/LeaveKiosk.vue': [`<span role="alert">{{ t('kiosk.tooMany') }}`],
  'features/missions/DecisionState.vue': [
    '<span class="strong">{{ t(words.sending) }}',
    `<span v-if="decided.failure?.status === 409" class="strong">{{ t(words.changed) }}`,
    '{{ sentenceOf(blocked) }}',
  ],
  'features/missions/MissionsPanel.vue': ['<span class="strong">{{ sentenceOf(meta.blocked) }}'],
  'features/uploads/UploadRow.vue': ['` ${messageText(upload.remedy'],
  'features/settings/SettingLine.vue': ['<span v-if="fixed"'],
  'features/timeline/ReplayBar.vue': [`{{ t('timeline.replay.note') }}`],
};
/** What is no sentence at all. */
const others = {
  // Ids.
  'features/incidents/search/placeSearch.ts': ["towns.map(placeId).join(';')"],
  // Names of fonts, for CSS.
  'map/font.ts': ['[...mapFonts.map('],
  // Facts in a row for the radio.
  'features/incidents/markedStore.ts': ['[ typeWord(onOneLine('],
  // A separate sign after the sentence.
  'app/panes/MapWalk.vue': ['{{ said }} <span v-if="pinned"'],
  // A name, and what it is.
  'features/maps/MapsPanel.vue': [`<span class="strong">{{ t('maps.basemap') }}`],
};

export const wholeSentences: readonly Linter.Config[] = [
  ...Object.entries(sentences),
  ...Object.entries(others),
].map(([file, starts]) => ({
  files: [`src-renderer/${file}`],
  rules: { 'words/sentence-pieces': ['error', starts] },
}));
