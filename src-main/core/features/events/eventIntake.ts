import type { LiveEvent } from '../../../../src-preload/contract/index.ts';
import { cappedText } from '../../base/json.ts';
import type { signingOf } from '../context.ts';
import type { EventBoard, EventsAccount } from './eventBoard.ts';
import type { StreamMessage } from './eventReader.ts';
import { payloadOf, subjectOf } from './eventSubject.ts';

/** What live events need of other features. */
export interface EventSources {
  readonly knowsIncident: (id: string) => boolean;
  /** Whether requests can be signed. The stream is opened only while `live`. */
  readonly session: () => ReturnType<typeof signingOf>;
  /** Takes an event that says where a drone is; null for other events. `news`: it may be about something else too. */
  readonly takePosition: (event: EventRead) => 'position' | 'news' | null;
  /** An event is about this incident, known or not. The id is empty where it names none. */
  readonly onIncident: (id: string) => void;
  readonly onMission: (missionId: string, event: LiveEvent) => void;
  readonly onEvidence: () => void;
}

/** An event as it was read. */
export interface EventRead {
  readonly kind: string;
  readonly data: string;
  /** Its JSON value; undefined when it is not JSON. */
  readonly payload: unknown;
  readonly missionId: string | null;
  readonly incidentId: string | null;
}

/** The contract's limit. A shortened text has one character more. */
const kindLimit = 128;
const textLimit = 512;
const lastIdLimit = 1024;

/**
 * Takes the events of all streams of one session: lists them, passes on what they are about, and stores the last id.
 * Positions are not listed: thousands of them would push all other events off the list.
 */
export class EventIntake {
  readonly #account: EventsAccount;
  readonly #board: EventBoard;
  readonly #sources: EventSources;
  readonly #requests: EventRequests;
  #lastId = '';

  constructor(account: EventsAccount, board: EventBoard, sources: EventSources) {
    this.#account = account;
    this.#board = board;
    this.#sources = sources;
    this.#requests = new EventRequests(sources);
  }

  /** The `Last-Event-ID` for the next stream, as a header's text; null for none. */
  get lastId(): string | null {
    return this.#lastId === '' ? null : this.#lastId;
  }

  take(message: StreamMessage): void {
    const { serverNow, deployment } = this.#account;
    const { knowsIncident, takePosition, onMission } = this.#sources;
    const board = this.#board;
    const { data } = message;
    const kind = message.kind === '' ? 'message' : message.kind;
    const payload = payloadOf(data);
    const subject = subjectOf({ kind, data, payload }, deployment.missions.idField, knowsIncident);
    const position = takePosition({ kind, data, payload, ...subject });
    if (position === 'position') return;
    const event: LiveEvent = {
      number: board.received + 1,
      at: serverNow(),
      kind: ownText(kind, kindLimit),
      text: ownText(data, textLimit),
      incidentId: subject.incidentId,
      missionId: subject.missionId,
    };
    if (position === null) board.take(event);
    else board.tellSoon();
    if (subject.incident) this.#requests.incident(subject.incidentId ?? '');
    if (subject.missionId !== null) onMission(subject.missionId, event);
    if (subject.evidence) this.#requests.evidence();
  }

  /** An id that cannot stand in a header is ignored, and the one before stays. */
  noteId(id: string): void {
    const bytes = Buffer.from(id, 'utf8');
    if (bytes.length > lastIdLimit || bytes.some((byte) => byte < 0x20 || byte === 0x7f)) return;
    // The standard sends the id as UTF-8. A header's text has one character for each byte.
    this.#lastId = bytes.toString('latin1');
  }

  /** Passes on once more what came again since the last call. */
  settle(): void {
    this.#requests.settle();
  }
}

/** Shortens and copies a text: a slice of a text holds the whole text in memory. */
const ownText = (text: string, limit: number): string =>
  Buffer.from(cappedText(text, limit - 1), 'utf8').toString('utf8');

/** Further incidents wait for the next regular read. */
const incidentLimit = 1000;

/**
 * Passes on what events are about: the first time at once, and once more at `settle` if it came again. So a change
 * shortly after another one is read too, and a burst of 100,000 events does not cause 100,000 reads.
 */
class EventRequests {
  readonly #sources: EventSources;
  /** The incidents passed on since the last `settle`, and whether each came again. */
  readonly #incidents = new Map<string, boolean>();
  #evidence: 'none' | 'once' | 'again' = 'none';

  constructor(sources: EventSources) {
    this.#sources = sources;
  }

  incident(id: string): void {
    const isKnown = this.#incidents.has(id);
    if (!isKnown && this.#incidents.size >= incidentLimit) return;
    this.#incidents.set(id, isKnown);
    if (!isKnown) this.#sources.onIncident(id);
  }

  evidence(): void {
    const before = this.#evidence;
    this.#evidence = before === 'none' ? 'once' : 'again';
    if (before === 'none') this.#sources.onEvidence();
  }

  settle(): void {
    const again = [...this.#incidents].filter(([, cameAgain]) => cameAgain);
    const evidenceAgain = this.#evidence === 'again';
    this.#incidents.clear();
    this.#evidence = 'none';
    for (const [id] of again) this.#sources.onIncident(id);
    if (evidenceAgain) this.#sources.onEvidence();
  }
}
