import type { AlarmSettings, ConsoleState, Level } from '../../../src-preload/contract/index.ts';
import type { StationTime } from '../domain/stationTime.ts';
import type { AlarmBook, BookedAlarm } from './alarmBook.ts';
import type { AlarmMaker } from './alarmMaker.ts';
import { DecisionCount, IntegrationLevels, SessionEnd } from './conditions.ts';
import { sentences, spoken } from './sentences.ts';

/** What has to outlive a restart, so that only what is new is news. */
export interface ConditionsKept {
  /** The last level of each integration. */
  readonly levels: ReadonlyMap<string, Level>;
  /** How many uploads needed a decision. */
  readonly decisions: number;
}

export const nothingKept: ConditionsKept = { levels: new Map(), decisions: 0 };

export interface ConditionAlarmsOptions {
  readonly kept: ConditionsKept;
  readonly maker: AlarmMaker;
  readonly stationTime: Pick<StationTime, 'stationNow'>;
  readonly book: () => AlarmBook;
  readonly settings: () => AlarmSettings;
  readonly raise: (booked: readonly BookedAlarm[]) => void;
  /** Something is to be kept or shown that is no new alarm. */
  readonly onChange: () => void;
}

/** An integration that was acknowledged as down may come and go for so long without another alarm. */
const flappingMs = 5 * 60_000;

/**
 * Raises alarms about states: an integration that is down, a session that ended, uploads that need a
 * decision. One that waits says when its state has passed, and stays until somebody acknowledges it.
 */
export class ConditionAlarms {
  readonly #options: ConditionAlarmsOptions;
  readonly #integrations: IntegrationLevels;
  readonly #session = new SessionEnd();
  readonly #decisions: DecisionCount;

  constructor(options: ConditionAlarmsOptions) {
    this.#options = options;
    this.#integrations = new IntegrationLevels(options.kept.levels);
    this.#decisions = new DecisionCount(options.kept.decisions);
  }

  get kept(): ConditionsKept {
    return { levels: this.#integrations.levels, decisions: this.#decisions.count };
  }

  takeHealth({ integrations }: ConsoleState['health']): void {
    const { book, settings, stationTime, maker, raise, onChange } = this.#options;
    const { down, recovered, changed } = this.#integrations.take(integrations);
    const now = stationTime.stationNow();
    for (const integration of recovered) {
      const subject = subjectOf(integration.field);
      const alarm = book().activeAbout(subject);
      if (alarm) book().restate(subject, sentences.integrationRecovered(integration, alarm.at, now));
    }
    const raised: BookedAlarm[] = [];
    for (const integration of down) {
      const subject = subjectOf(integration.field);
      const said = sentences.integrationDown(integration);
      if (book().restate(subject, said) || !settings().integrations) continue;
      const acknowledgedAt = book().acknowledgedAt(subject);
      if (acknowledgedAt !== null && now - acknowledgedAt < flappingMs) continue;
      raised.push({ alarm: maker.make({ kind: 'integration', level: 2, ...spoken(said) }), subject });
    }
    if (raised.length > 0) raise(raised);
    else if (changed) onChange();
  }

  takeSession(session: ConsoleState['session']): void {
    const { book, settings, stationTime, maker, raise, onChange } = this.#options;
    const news = this.#session.take(session);
    if (news === 'live' && book().restate('session', sentences.sessionBack(stationTime.stationNow())))
      onChange();
    if (news !== 'ended' || !settings().session) return;
    const alarm = maker.make({ kind: 'session', level: 3, ...spoken(sentences.sessionEnded()) });
    raise([{ alarm, subject: 'session' }]);
  }

  takeOutbox(outbox: ConsoleState['outbox']): void {
    const { book, settings, maker, raise, onChange } = this.#options;
    const news = this.#decisions.take(outbox);
    if (news === null) return;
    const { count } = this.#decisions;
    const said = news === 'settled' ? sentences.uploadsSettled() : sentences.uploadsWait(count);
    if (news === 'rose' && settings().uploads) {
      raise([
        { alarm: maker.make({ kind: 'upload', level: 2, count, ...spoken(said) }), subject: 'uploads' },
      ]);
      return;
    }
    book().restate('uploads', said);
    onChange();
  }
}

const subjectOf = (field: string): string => `integration ${field}`;
