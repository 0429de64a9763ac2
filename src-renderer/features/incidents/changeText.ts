import type { IncidentChange } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { count, headed, shortMoment, type Zone } from '../../base/format.ts';
import { severityWord, statusWord } from '../../base/severities.ts';
import type { News } from './changesStore.ts';

/** A value of a field as it is read. */
export function changeWord(field: IncidentChange['field'], value: IncidentChange['from']): string {
  if (typeof value === 'number') return count(value);
  const text = value ?? '';
  if (field === 'severity') return severityWord(text);
  return field === 'status' ? statusWord(text) : headed(text) || t('words.unknown');
}

/** `Medium to High, 17:47`, `Evidence: 0 to 2, 17:47`; `New` of one that came. */
export function newsText(news: News, now: number, zone: Zone): string {
  if (news === 'new') return t('incidents.changed.fresh');
  const { field, at, meanwhile } = news;
  const [from, to] = [changeWord(field, news.from), changeWord(field, news.to)];
  const plain = field === 'severity' || field === 'status';
  const what =
    plain && from === to && meanwhile !== undefined
      ? t(`details.changes.meanwhile.${field}`, { value: changeWord(field, meanwhile.value) })
      : t(plain ? 'incidents.changed.values' : `details.changes.${field}`, { from, to });
  return `${what}, ${shortMoment(at, now, zone)}`;
}
