import {
  failed,
  foldWord,
  isInMemoryOnly,
  ok,
  type Alarm,
  type AlarmSettings,
  type ConsoleState,
  type Failure,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { reworded } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { Timer } from '../../base/timer.ts';
import type { IncidentRecord } from '../../state/incident.ts';
import { PersistedDocument } from '../../vault/persistedDocument.ts';
import { storeFailure } from '../../vault/storageFailure.ts';
import type { LocalAccount, ShiftLine } from '../context.ts';
import { isFirstReadingDone, reaches } from '../incidents/index.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { readAcknowledgements, readAlarms, rowsOf, writeAlarms } from './alarmDocument.ts';
import { AlarmList, type ListedAlarm, type RaisedAlarm } from './alarmList.ts';
import { AlarmMaker, summarySubject } from './alarmMaker.ts';
import { isPresent } from './alarmOrder.ts';
import { alarmsAtStart } from './alarmsState.ts';
import { isInside } from './area.ts';
import { ConditionAlarms, nothingKept, type ConditionsKept } from './conditionAlarms.ts';
import { DueAlarms, escalatesAt, settledAt } from './dueAlarms.ts';
import { IncidentEnds } from './incidentEnds.ts';
import { IncidentWatch } from './incidentWatch.ts';
import { identityOf, type IncidentNews, type NewsTally } from './newsTally.ts';
import { likenessOf, sentences } from './sentences.ts';
import { heardOf, isMuted, silentAfter, sirenOf, soundedAfter, type Sounded } from './siren.ts';

/** More incidents in one change than this become one alarm that counts them. */
const mostSingle = 5;
const minuteMs = 60_000;

/**
 * Raises alarms from the contents of the store: incidents that are new or worse, integrations that went down, an
 * expired session, uploads that need a decision, an API that cannot be reached.
 *
 * What was acknowledged does not alarm again, also after a restart: an incident alarms once for each severity, even
 * when it comes back after it was gone. An alarm stays until an operator acknowledges it. When its cause ends, it says
 * when, drops to the lowest level and clears itself.
 */
export class Alarms {
  readonly #account: LocalAccount;
  readonly #maker: AlarmMaker;
  readonly #ends: IncidentEnds;
  readonly #due: readonly DueAlarms[];
  readonly #acknowledgements: Acknowledgements;
  readonly #document: PersistedDocument;
  readonly #watch: IncidentWatch;
  #alarmList: AlarmList;
  #settings: AlarmSettings = alarmsAtStart.settings;
  #mutedUntil: number | null = null;
  #sounded: Sounded;
  #conditions: ConditionAlarms;
  readonly #mute: Timer;
  /** The slices at the last look. */
  #seen: Partial<ConsoleState> = {};

  constructor(account: LocalAccount) {
    const { scope, store } = account;
    this.#account = account;
    this.#mute = new Timer(account.clock, () => {
      this.#timeMute();
      this.#keepAndPublish();
    });
    this.#alarmList = new AlarmList(() => store.scale);
    this.#maker = new AlarmMaker(account);
    this.#conditions = this.#makeConditions(nothingKept);
    this.#sounded = store.slice('siren');
    this.#ends = new IncidentEnds(account, () => this.#alarmList, this.#maker);
    this.#due = [
      this.#makeDue(settledAt, (ids) => {
        this.#clear(ids);
      }),
      this.#makeDue(
        ({ snoozedUntil }) => snoozedUntil,
        (ids) => {
          this.#callAgain(ids);
        },
      ),
      this.#makeDue(
        (alarm) => escalatesAt(alarm, this.#settings),
        (ids) => {
          this.#escalate(ids);
        },
      ),
    ];
    this.#acknowledgements = new Acknowledgements(account, () => this.#publish());
    scope.onEnd(() => {
      store.set('alarms', alarmsAtStart);
      store.set('siren', silentAfter(store.slice('siren')));
    });
    this.#document = new PersistedDocument(account, 'alarms', () => this.#text(), 'alarms');
    this.#watch = this.#makeWatch();
  }

  /**
   * Reads the stored alarms and begins to look. What it hears about incidents before that waits, whether it comes from
   * the cache or from the service.
   */
  async load(): Promise<void> {
    const { scope, store, emit } = this.#account;
    const kept = readAlarms(await this.#document.restore());
    if (scope.isOver) return;
    this.#alarmList = new AlarmList(() => store.scale, kept);
    for (const { id, at, note } of readAcknowledgements(this.#document.beside)) {
      if (at === null) this.#alarmList.restore([id]);
      else this.#alarmList.acknowledge(id, at, note);
    }
    this.#settings = kept.settings;
    this.#mutedUntil = kept.mutedUntil;
    this.#conditions = this.#makeConditions(kept);
    this.#sounded = store.slice('siren');
    this.#timeMute();
    this.#publish();
    for (const due of this.#due) due.review();
    const stops = [
      store.onChange(() => {
        this.#look();
      }),
      store.onRows((changed) => {
        this.#reviewEnds(changed);
      }),
      store.onRestored(() => {
        this.#reviewEnds();
      }),
    ];
    for (const stop of stops) scope.onEnd(stop);
    scope.onEnd(() => {
      emit('alarms-ended', { settings: this.#settings, mutedUntil: this.#mutedUntil });
    });
    this.#look();
    this.#reviewEnds();
    await this.#watch.ground();
  }

  /**
   * Acknowledges alarms; one undo restores them all. Resolves when that is on the disk; a failure says that it counts in
   * memory only.
   */
  async acknowledge(ids: readonly string[], note = ''): Promise<Result<null>> {
    const alarms = this.#alarmList.acknowledgeEach(new Set(ids), this.#now(), note.trim() || null);
    if (alarms.length === 0) return failed(this.#gone());
    this.#acknowledgements.note(alarms.map(({ id }) => id));
    this.#log('alarm-acknowledged', alarms);
    return this.#keepEach(alarms);
  }

  /** Undoes the last acknowledgement, for 8 s after it: its alarms become active again. */
  async undo(): Promise<Result<null>> {
    const restored = this.#alarmList.restore(this.#acknowledgements.take());
    if (restored.length === 0) return failed(this.#gone(message('alarm.undoOver')));
    this.#log('acknowledgement-undone', restored);
    return this.#keepEach(restored);
  }

  /** Snoozes an alarm for so many minutes; null ends the snooze. */
  snooze(id: string, minutes: number | null): Result<null> {
    return this.#change(() => {
      const until = minutes === null ? null : this.#now() + minutes * minuteMs;
      return this.#alarmList.snooze(id, until) ? null : this.#gone();
    });
  }

  async acknowledgeAll(): Promise<Result<null>> {
    const ids = this.#alarmList.active.map(({ id }) => id);
    return ids.length === 0 ? ok(null) : this.acknowledge(ids);
  }

  /** The incidents of an active or past alarm, by id; at most 10,000. */
  incidentsOf(id: string): Result<{ ids: string[] }> {
    const ids = this.#alarmList.membersOf(id);
    return ids === null ? failed(this.#gone()) : ok({ ids: [...ids] });
  }

  /** The machine slept. */
  wake(): void {
    this.#conditions.wake();
  }

  /** The set of silent drones changed; null for none. */
  takeDrones(...change: Parameters<ConditionAlarms['takeDrones']>): void {
    this.#conditions.takeDrones(...change);
  }

  /** Mutes the sound for so many minutes; null ends that. */
  mute(minutes: 5 | 30 | 60 | null): Result<null> {
    return this.#change(() => {
      this.#mutedUntil = minutes === null ? null : this.#now() + minutes * minuteMs;
      this.#timeMute();
      return null;
    });
  }

  /** Changes settings, for alarms that come from now on. */
  set(change: Partial<AlarmSettings>): Result<null> {
    return this.#change(() => {
      this.#settings = { ...this.#settings, ...change };
      this.#conditions.review();
      return null;
    });
  }

  /** Each alarm that was acknowledged, or is active again, has its row: the whole document would be written for one. */
  async #keepEach(alarms: readonly Alarm[]): Promise<Result<null>> {
    const written = this.#document.write(rowsOf(alarms));
    this.#reviewAndPublish();
    const problem = await written;
    if (problem === null) return ok(null);
    return failed(reworded(storeFailure(problem, this.#now()), { sentence: message('alarm.notStored') }));
  }

  #log(kind: ShiftLine['kind'], alarms: readonly Alarm[]): void {
    for (const { sentence, note, incidentIds, count } of alarms.filter((alarm) => !isInMemoryOnly(alarm))) {
      const incidentId = count === 1 ? (incidentIds[0] ?? null) : null;
      this.#account.emit('shift-line', { kind, subject: note, alarm: sentence, incidentId });
    }
  }

  #gone(sentence = message('alarm.gone')): Failure {
    return this.#account.fail({ code: 'not-found', sentence, remedy: null });
  }

  #change(run: () => Failure | null): Result<null> {
    const failure = run();
    if (failure) return failed(failure);
    this.#keepAndPublish();
    return ok(null);
  }

  #makeWatch(): IncidentWatch {
    return new IncidentWatch(this.#account, {
      concerns: (record) => this.#concerns(record),
      onNews: (tally) => {
        this.#raiseNews(tally, sentences.batch(tally));
      },
      onFirstReading: (tally, fresh) => {
        if (tally.count === 0) return;
        if (!fresh) this.#raiseNews(tally, sentences.away(tally));
        else this.#raise([this.#maker.firstReading(tally)], tally.identities);
      },
      onForgotten: (id, text) => {
        const severity = this.#account.store.scale.classOf(text);
        // Otherwise it would alarm as new when it comes back.
        if (!reaches(severity, this.#settings.least)) return;
        this.#alarmList.noteIdentity(identityOf(id, severity));
        this.#document.note();
      },
    });
  }

  #makeConditions(kept: ConditionsKept): ConditionAlarms {
    return new ConditionAlarms(this.#account, kept, {
      maker: this.#maker,
      alarmList: () => this.#alarmList,
      settings: () => this.#settings,
      raise: (entries) => {
        this.#raise(entries, []);
      },
      onChange: () => {
        this.#keepAndPublish();
      },
    });
  }

  #concerns({ id, severity: text, status, incidentType, location }: IncidentRecord): boolean {
    const { store } = this.#account;
    if (!store.isOpen(status)) return false;
    const { area } = this.#settings;
    const severity = store.scale.classOf(text);
    if (
      !reaches(severity, leastFor(this.#settings, incidentType)) ||
      this.#alarmList.hasAlarmed(identityOf(id, severity))
    )
      return false;
    return isInside(area, location);
  }

  #raiseNews(tally: NewsTally, said: Message): void {
    if (tally.count <= mostSingle) return this.#raise(this.#few(tally), tally.identities);
    const waiting = this.#alarmList.activeAbout(summarySubject);
    const summary = this.#maker.summary(tally, said, waiting && isPresent(waiting.alarm) ? waiting : null);
    this.#raise([summary], tally.identities);
  }

  /** An alarm for each incident, and one for those of the same severity, type, place and minute. */
  #few({ samples }: NewsTally): readonly RaisedAlarm[] {
    const likeness = (news: IncidentNews): string | null => likenessOf(sentences.incident(news));
    const groups = Map.groupBy(samples, (news) => likeness(news) ?? news);
    return [...groups.values()].flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const alike = likeness(first);
      return [this.#maker.alike([first, ...others], alike === null ? null : this.#waitingLike(alike))];
    });
  }

  #waitingLike(likeness: string): ListedAlarm | null {
    const since = this.#now() - minuteMs;
    const waiting = this.#alarmList.contents.active.find(
      ({ alarm }) => isPresent(alarm) && alarm.at > since && likenessOf(alarm.sentence) === likeness,
    );
    return waiting ?? null;
  }

  #raise(entries: readonly RaisedAlarm[], identities: readonly string[]): void {
    if (entries.length === 0) return;
    for (const identity of identities) this.#alarmList.noteIdentity(identity);
    for (const entry of entries) this.#alarmList.raise(entry);
    const alarms = entries.map(({ alarm }) => alarm);
    this.#sound(alarms);
    this.#account.logger.info('alarm-raised', { kind: alarms[0]?.kind, count: alarms.length });
    this.#keepAndPublish();
  }

  #reviewEnds(changed: readonly string[] | null = null): void {
    if (this.#ends.review(this.#now(), changed)) this.#keepAndPublish();
  }

  /** The cause of these alarms has ended for good. An incident that opens again alarms again. */
  #clear(ids: readonly string[]): void {
    for (const { alarm, members } of this.#alarmList.clearAll(ids)) {
      if (alarm.severity === null) continue;
      const records = members.map((id) => this.#account.store.incidents.recordOf(id));
      for (const record of records) {
        if (record)
          this.#alarmList.forgetIdentity(
            identityOf(record.id, this.#account.store.scale.classOf(record.severity)),
          );
      }
    }
    this.#keepAndPublish();
  }

  /** The snooze of these alarms is over. */
  #callAgain(ids: readonly string[]): void {
    for (const id of ids) this.#alarmList.snooze(id, null);
    this.#sound(this.#alarmList.active.filter((alarm) => ids.includes(alarm.id) && isPresent(alarm)));
    this.#keepAndPublish();
  }

  /** These had no acknowledgement for the time that the settings allow. */
  #escalate(ids: readonly string[]): void {
    for (const id of ids) this.#alarmList.escalate(id, this.#now());
    this.#sound(this.#alarmList.active.filter(({ id }) => ids.includes(id)));
    this.#keepAndPublish();
  }

  #sound(alarms: readonly Alarm[]): void {
    const now = this.#now();
    const heard = heardOf(alarms, this.#settings, now);
    this.#sounded = soundedAfter(this.#sounded, heard, isMuted(this.#mutedUntil, now));
  }

  #makeDue(dueAt: (alarm: Alarm) => number | null, onDue: (ids: readonly string[]) => void): DueAlarms {
    return new DueAlarms(this.#account, () => this.#alarmList.active, dueAt, onDue);
  }

  /** Called after every change of the store. Looks at the slices whose object is another than before. */
  #look(): void {
    const { health, session, outbox, connection, incidents, sync } = this.#seen;
    const { store } = this.#account;
    const now = {
      health: store.slice('health'),
      session: store.slice('session'),
      outbox: store.slice('outbox'),
      connection: store.slice('connection'),
      incidents: store.slice('incidents'),
      sync: store.slice('sync'),
    };
    this.#seen = now;
    if (now.health !== health) this.#conditions.takeHealth(now.health);
    if (now.session !== session) this.#conditions.takeSession(now.session);
    if (now.connection !== connection) this.#conditions.takeConnection(now.connection);
    if (now.outbox !== outbox) this.#conditions.takeOutbox(now.outbox);
    if (now.incidents !== incidents) this.#conditions.takeRecords(now.incidents, !isFirstReadingDone(store));
    if (now.incidents !== incidents || now.sync !== sync) this.#watch.review();
    if (this.#mutedUntil !== null && !isMuted(this.#mutedUntil, this.#now())) {
      this.#timeMute();
      this.#keepAndPublish();
    }
  }

  #timeMute(): void {
    this.#mute.stop();
    const until = this.#mutedUntil;
    if (until === null || !isMuted(until, this.#now())) {
      this.#mutedUntil = null;
      return;
    }
    this.#mute.set(until - this.#now());
  }

  #keepAndPublish(): void {
    this.#document.note();
    this.#reviewAndPublish();
  }

  #reviewAndPublish(): void {
    for (const due of this.#due) due.review();
    this.#publish();
  }

  #publish(): void {
    const { store } = this.#account;
    const { active, past, unacknowledged, worstSeverity } = this.#alarmList;
    const [settings, mutedUntil] = [this.#settings, this.#mutedUntil];
    const { undo } = this.#acknowledgements;
    store.set('alarms', { settings, active: [...active], past: [...past], undo });
    const sounded = this.#sounded;
    store.set('siren', sirenOf({ sounded, unacknowledged, worstSeverity, mutedUntil, settings }));
  }

  #text(): string {
    return writeAlarms({
      settings: this.#settings,
      mutedUntil: this.#mutedUntil,
      ...this.#conditions.kept,
      ...this.#alarmList.contents,
    });
  }

  #now(): number {
    return this.#account.serverNow();
  }
}

/** The least severity that alarms for this type of incident, whatever the spelling of the type. */
const leastFor = ({ least, types }: AlarmSettings, type: string): AlarmSettings['least'] =>
  types.find((rule) => foldWord(rule.type) === foldWord(type))?.least ?? least;
