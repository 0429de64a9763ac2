import type { LiveEvent } from '../../../../src-preload/contract/index.ts';
import { cappedText } from '../../base/json.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { EventBoard } from './eventBoard.ts';
import { EventHints } from './eventHints.ts';
import type { StreamMessage } from './eventReader.ts';
import { subjectOf } from './eventSubject.ts';

export interface EventIntakeOptions {
  readonly board: Pick<EventBoard, 'received' | 'take'>;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly missionIdField: string;
  readonly knowsIncident: (id: string) => boolean;
  readonly onIncident: (id: string) => void;
  readonly onMission: (missionId: string, event: LiveEvent) => void;
  readonly onEvidence: () => void;
}

/** Of the contract; a text that was shortened ends in one character more. */
const kindLimit = 128;
const textLimit = 512;
const lastIdLimit = 1024;

/** Takes the events of all streams of one session: lists them, passes on what they are about, keeps the last id. */
export class EventIntake {
  readonly #options: EventIntakeOptions;
  readonly #hints: EventHints;
  #lastId = '';

  constructor(options: EventIntakeOptions) {
    this.#options = options;
    this.#hints = new EventHints(options);
  }

  /** What the next stream goes on from, as a header's text; null for none. */
  get lastId(): string | null {
    return this.#lastId === '' ? null : this.#lastId;
  }

  take(message: StreamMessage): void {
    const { board, serverTime, onMission } = this.#options;
    const kind = message.kind === '' ? 'message' : message.kind;
    const subject = subjectOf({ kind, data: message.data }, this.#options);
    const event: LiveEvent = {
      number: board.received + 1,
      at: serverTime.serverNow(),
      kind: ownText(kind, kindLimit),
      text: ownText(message.data, textLimit),
      incidentId: subject.incidentId,
      missionId: subject.missionId,
    };
    board.take(event);
    if (subject.incident) this.#hints.incident(subject.incidentId ?? '');
    if (subject.missionId !== null) onMission(subject.missionId, event);
    if (subject.evidence) this.#hints.evidence();
  }

  /** An id goes into a header: one that cannot is as none, and the one before stays. */
  noteId(id: string): void {
    const bytes = Buffer.from(id, 'utf8');
    if (bytes.length > lastIdLimit || bytes.some((byte) => byte < 0x20 || byte === 0x7f)) return;
    // The standard sends the id as UTF-8, and a header's text is one character for each byte.
    this.#lastId = bytes.toString('latin1');
  }

  /** A moment has passed: what came again within it is passed on once more. */
  settle(): void {
    this.#hints.settle();
  }
}

/** Shortens a text, and copies it: a piece of a text keeps all of it in memory. */
const ownText = (text: string, limit: number): string =>
  Buffer.from(cappedText(text, limit - 1), 'utf8').toString('utf8');
