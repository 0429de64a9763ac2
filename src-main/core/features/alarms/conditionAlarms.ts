import type { AlarmSettings, ConsoleState, Level } from '../../../../src-preload/contract/index.ts';
import type { Message } from '../../base/messages/message.ts';
import type { ApiName } from '../../service/transport/request.ts';
import type { LocalAccount } from '../context.ts';
import type { DroneSilence } from '../drones/index.ts';
import type { AlarmList, RaisedAlarm } from './alarmList.ts';
import type { AlarmMaker } from './alarmMaker.ts';
import { isPresent, lowestLevel, mostUrgent } from './alarmOrder.ts';
import { DecisionCount, IntegrationLevels, SessionEnd, UnreadCount } from './conditions.ts';
import { sentences } from './sentences.ts';
import { ServiceOutages } from './serviceOutages.ts';

/** What a restart must not lose, so that only new conditions alarm. */
export interface ConditionsKept {
  /** The last level of each integration. */
  readonly levels: ReadonlyMap<string, Level>;
  /** How many uploads needed a decision. */
  readonly decisions: number;
  /** The most records that could not be read since all could. */
  readonly unread: number;
}

export const nothingKept: ConditionsKept = { levels: new Map(), decisions: 0, unread: 0 };

export interface ConditionAlarmsOptions {
  readonly maker: AlarmMaker;
  readonly alarmList: () => AlarmList;
  readonly settings: () => AlarmSettings;
  readonly raise: (entries: readonly RaisedAlarm[]) => void;
  /** There is a change to store or show, but no new alarm. */
  readonly onChange: () => void;
}

/** A condition that was acknowledged as down or silent may end and return within this time without another alarm. */
const flappingMs = 5 * 60_000;
const warningLevel = 2;

/**
 * Raises alarms about conditions: an integration that is down, an expired session, uploads that need a decision, an API
 * that cannot be reached, silent drones, records that cannot be read. When the condition ends, the active alarm says when, drops to the lowest level
 * and clears itself later (dueAlarms.ts). That of an API clears itself when the API answers steadily.
 */
export class ConditionAlarms {
  readonly #account: LocalAccount;
  readonly #options: ConditionAlarmsOptions;
  readonly #integrations: IntegrationLevels;
  readonly #session = new SessionEnd();
  readonly #decisions: DecisionCount;
  readonly #unread: UnreadCount;
  readonly #outages: ServiceOutages;

  constructor(account: LocalAccount, kept: ConditionsKept, options: ConditionAlarmsOptions) {
    this.#account = account;
    this.#options = options;
    this.#integrations = new IntegrationLevels(kept.levels);
    this.#decisions = new DecisionCount(kept.decisions);
    this.#unread = new UnreadCount(kept.unread);
    this.#outages = new ServiceOutages(account, {
      afterMs: () => options.settings().serviceLostAfterMs,
      alarmedSince: (api) => options.alarmList().activeAbout(outageOf(api))?.alarm.at ?? null,
      onLost: (api, since) => {
        this.#raiseOutage(api, since);
      },
      onReturn: (api, since, at) => {
        const subject = outageOf(api);
        const changed =
          at === null
            ? options.alarmList().restate(subject, sentences.serviceLost(api, since), warningLevel)
            : this.#recover(subject, sentences.serviceBack(api, since, at));
        if (changed) options.onChange();
      },
      onOver: (api) => {
        if (options.alarmList().clear(outageOf(api))) options.onChange();
      },
    });
  }

  get kept(): ConditionsKept {
    return { levels: this.#integrations.levels, decisions: this.#decisions.count, unread: this.#unread.most };
  }

  takeHealth({ integrations }: ConsoleState['health']): void {
    const { serverNow } = this.#account;
    const { alarmList, settings, maker, raise, onChange } = this.#options;
    const { down, recovered, changed } = this.#integrations.take(integrations);
    const now = serverNow();
    for (const integration of recovered) {
      const subject = subjectOf(integration.field);
      const alarm = alarmList().activeAbout(subject)?.alarm;
      if (alarm) this.#recover(subject, sentences.integrationRecovered(integration, alarm.at, now));
    }
    const raised: RaisedAlarm[] = [];
    for (const integration of down) {
      const subject = subjectOf(integration.field);
      const said = sentences.integrationDown(integration);
      if (alarmList().restate(subject, said, warningLevel) || !settings().integrations) continue;
      const acknowledgedAt = alarmList().acknowledgedAt(subject);
      if (acknowledgedAt !== null && now - acknowledgedAt < flappingMs) continue;
      raised.push({
        alarm: maker.make({ kind: 'integration', level: warningLevel, sentence: said }),
        subject,
      });
    }
    if (raised.length > 0) raise(raised);
    else if (changed) onChange();
  }

  takeSession(session: ConsoleState['session']): void {
    const { serverNow } = this.#account;
    const { settings, maker, raise, onChange } = this.#options;
    const news = this.#session.take(session);
    if (news === 'live' && this.#recover('session', sentences.sessionBack(serverNow()))) onChange();
    if (news !== 'ended' || !settings().session) return;
    const alarm = maker.make({ kind: 'session', level: 3, sentence: sentences.sessionEnded() });
    raise([{ alarm, subject: 'session' }]);
  }

  /**
   * A record that cannot be read may be of any incident: it alarms like the worst one. What the first reading finds is
   * no news.
   *
   * @param first whether the first reading is running.
   */
  takeRecords({ unreadable: { count }, completeness }: ConsoleState['incidents'], first: boolean): void {
    // Before an answer 0 says nothing about the records.
    if (completeness === 'unknown') return;
    const { alarmList, settings, maker, raise, onChange } = this.#options;
    const news = this.#unread.take(count);
    if (news === null) return;
    const sentence = sentences.recordsSetAside(count);
    const level = first ? warningLevel : mostUrgent;
    if (news === 'rose' && settings().least !== 'none') {
      raise([{ alarm: maker.make({ kind: 'record', level, count, sentence }), subject: recordSubject }]);
      return;
    }
    if (news === 'settled') this.#recover(recordSubject, sentences.recordsRead());
    else alarmList().restate(recordSubject, sentence, level);
    onChange();
  }

  takeConnection(connection: ConsoleState['connection']): void {
    this.#outages.take(connection);
  }

  /** All silent drones are one alarm: another one is added to its sentence, without another sound. */
  takeDrones(silence: DroneSilence | null, why: 'silent' | 'reports' | 'forgotten'): void {
    const { serverNow } = this.#account;
    const { alarmList, settings, maker, raise, onChange } = this.#options;
    if (silence === null) {
      const said = sentences.dronesOver(why === 'reports' ? why : 'forgotten', serverNow());
      if (this.#recover(droneSubject, said)) onChange();
      return;
    }
    const sentence = sentences.dronesSilent(silence);
    if (alarmList().restate(droneSubject, sentence, lowestLevel)) {
      onChange();
      return;
    }
    if (why !== 'silent' || !settings().drones) return;
    const acknowledgedAt = alarmList().acknowledgedAt(droneSubject);
    if (acknowledgedAt !== null && serverNow() - acknowledgedAt < flappingMs) return;
    const alarm = maker.make({ kind: 'drone', level: lowestLevel, sentence });
    raise([{ alarm, subject: droneSubject }]);
  }

  /** The settings changed. */
  review(): void {
    this.#outages.review();
  }

  wake(): void {
    this.#outages.wake();
  }

  /** The cause of an alarm ended. Only the first call sets the time. */
  #recover(subject: string, said: Message): boolean {
    const { alarmList } = this.#options;
    const alarm = alarmList().activeAbout(subject)?.alarm;
    if (!alarm || !isPresent(alarm)) return false;
    return alarmList().recover(alarm.id, said, this.#account.serverNow());
  }

  #raiseOutage(api: ApiName, since: number): void {
    const { maker, raise } = this.#options;
    const sentence = sentences.serviceLost(api, since);
    raise([
      { alarm: maker.make({ kind: 'connection', level: warningLevel, sentence }), subject: outageOf(api) },
    ]);
  }

  takeOutbox(outbox: ConsoleState['outbox']): void {
    const { alarmList, settings, maker, raise, onChange } = this.#options;
    const news = this.#decisions.take(outbox);
    if (news === null) return;
    const { count } = this.#decisions;
    const said = sentences.uploadsWait(count);
    if (news === 'rose' && settings().uploads) {
      raise([
        {
          alarm: maker.make({ kind: 'upload', level: warningLevel, count, sentence: said }),
          subject: 'uploads',
        },
      ]);
      return;
    }
    if (news === 'settled') this.#recover('uploads', sentences.uploadsSettled());
    else alarmList().restate('uploads', said, warningLevel);
    onChange();
  }
}

const droneSubject = 'drones';
const recordSubject = 'records';
const outageOf = (api: ApiName): string => `connection ${api}`;
const subjectOf = (field: string): string => `integration ${field}`;
