import type { AlarmSettings, ConsoleState, Level } from '../../../src-preload/contract/index.ts';
import type { ApiName } from '../api/request.ts';
import type { StationTime } from '../domain/stationTime.ts';
import type { Clock } from '../ports.ts';
import type { AlarmBook, BookedAlarm } from './alarmBook.ts';
import type { AlarmMaker } from './alarmMaker.ts';
import { DecisionCount, IntegrationLevels, SessionEnd } from './conditions.ts';
import { sentences, spoken } from './sentences.ts';
import { ServiceOutages } from './serviceOutages.ts';

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
  readonly clock: Clock;
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
 * decision, an API that is lost. One that waits says when its state has passed, and stays until somebody
 * acknowledges it; that of a lost API is put among the past ones once the API answers steadily.
 */
export class ConditionAlarms {
  readonly #options: ConditionAlarmsOptions;
  readonly #integrations: IntegrationLevels;
  readonly #session = new SessionEnd();
  readonly #decisions: DecisionCount;
  readonly #outages: ServiceOutages;

  constructor(options: ConditionAlarmsOptions) {
    this.#options = options;
    this.#integrations = new IntegrationLevels(options.kept.levels);
    this.#decisions = new DecisionCount(options.kept.decisions);
    this.#outages = new ServiceOutages({
      clock: options.clock,
      stationNow: () => options.stationTime.stationNow(),
      afterMs: () => options.settings().serviceLostAfterMs,
      alarmedSince: (api) => options.book().activeAbout(outageOf(api))?.at ?? null,
      onLost: (api, since) => {
        this.#raiseOutage(api, since);
      },
      onReturn: (api, since, at) => {
        const said = at === null ? sentences.serviceLost(api, since) : sentences.serviceBack(api, since, at);
        if (options.book().restate(outageOf(api), said)) options.onChange();
      },
      onOver: (api) => {
        if (options.book().clear(outageOf(api))) options.onChange();
      },
    });
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

  takeConnection(connection: ConsoleState['connection']): void {
    this.#outages.take(connection);
  }

  /** The settings changed. */
  review(): void {
    this.#outages.review();
  }

  wake(): void {
    this.#outages.wake();
  }

  stop(): void {
    this.#outages.stop();
  }

  #raiseOutage(api: ApiName, since: number): void {
    const { maker, raise } = this.#options;
    const said = spoken(sentences.serviceLost(api, since));
    raise([{ alarm: maker.make({ kind: 'connection', level: 2, ...said }), subject: outageOf(api) }]);
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

const outageOf = (api: ApiName): string => `connection ${api}`;
const subjectOf = (field: string): string => `integration ${field}`;
