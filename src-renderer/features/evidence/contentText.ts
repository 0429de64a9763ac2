import type { Content, ContentsState, EvidenceItem } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { bytesText } from '../../base/storage.ts';
import { fieldText } from './evidenceText.ts';

/** What is known of an item's bytes, in a word or two. */
export const contentWord = ({ state }: Content): string => t(`evidence.content.states.${state}`);

/** What that means for the operator; empty where the word says it, or a failure does. */
export function contentSentence({ state, file, failure }: Content): string {
  if (failure !== null) return '';
  if (state === 'verified' && file?.kind === 'too-large') return t('evidence.content.about.tooLarge');
  if (state === 'verified' && file?.kind === 'other') return t('evidence.content.about.other');
  if (state === 'verified' || state === 'unverified') return t(`evidence.content.about.${state}`);
  return '';
}

/** `1.4 MB of 4 MB`; without the whole while that is not known. */
export const progressWords = ({ received, total }: ContentsState['moving'][number]): string =>
  total === null
    ? t('evidence.content.soFar', { received: bytesText(received) })
    : t('evidence.content.progress', { received: bytesText(received), total: bytesText(total) });

/** The facts of a stored file that stand beside it: `image/jpeg · 960 × 720 · 154 kB`. */
export function fileFacts({ file }: Content): string[] {
  if (file === null) return [];
  const size = file.width === null || file.height === null ? [] : [`${file.width} × ${file.height}`];
  return [file.mediaType, ...size, bytesText(file.bytes)];
}

export const isShown = ({ file }: Content): boolean => file?.kind === 'picture' || file?.kind === 'video';

const droneFields = [
  'drone',
  'droneid',
  'collectedby',
  'uav',
  'uavid',
  'aircraft',
  'device',
  'deviceid',
  'source',
];

/** Who or what collected an item, where a field looks like that. */
export function droneOf(item: EvidenceItem): string | null {
  for (const name of droneFields) {
    const field = item.fields.find((one) => one.name.toLowerCase().replaceAll(/[^a-z]/g, '') === name);
    if (field !== undefined && fieldText(field) !== '') return fieldText(field);
  }
  return null;
}
