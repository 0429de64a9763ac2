import { failureCodes, verbNames } from '../../../../src-preload/contract/index.ts';
import { logEvents } from '../../base/logEvents.ts';
import type { LogFields } from '../../base/ports.ts';
import { shownRequestId } from '../../service/transport/requestText.ts';
import type { LogTail } from './tools.ts';

const known: ReadonlySet<string> = new Set(logEvents);

/** A field's value as it may leave this computer; null when it may not. */
type Rule = (value: LogFields[string]) => string | number | boolean | null;

const figure: Rule = (value) =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) ? value : null;

const among =
  (allowed: readonly string[]): Rule =>
  (value) =>
    typeof value === 'string' && allowed.includes(value) ? value : null;

const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : null;

/** Words of the code, such as the name of a state: lower case, no digits, no spaces. */
const word = matching(/^[a-z]+(?:[-_][a-z]+){0,5}$/);

/** Only the kind of an error: its message may repeat a path, a name or a header. */
const kindOfError: Rule = (value) => {
  if (typeof value !== 'string') return null;
  return /^(?:E[A-Z]{2,14}(?=:|$)|[A-Z][A-Za-z]{0,30}Error$|Error$|unknown$)/.exec(value)?.[0] ?? null;
};

/** Ids that the console made at random, or as a digest of a deployment and an account. */
const ownId = matching(/^(?:[0-9a-f]{16}|[0-9a-f]{32})$/);

const rules: Readonly<Record<string, Rule>> = {
  afterMs: figure,
  age: figure,
  api: among(['infrastructure', 'coordination']),
  attempt: figure,
  attempts: figure,
  backend: word,
  bytes: figure,
  code: (value) => figure(value) ?? among(failureCodes)(value) ?? kindOfError(value),
  count: figure,
  damaged: figure,
  detail: kindOfError,
  document: word,
  error: kindOfError,
  event: word,
  exitCode: figure,
  failures: figure,
  form: word,
  from: (value) => figure(value) ?? word(value),
  kept: figure,
  kind: word,
  kiosk: word,
  list: word,
  lost: word,
  message: kindOfError,
  ms: figure,
  name: (value) => kindOfError(value) ?? word(value),
  notReturned: figure,
  number: figure,
  openMs: figure,
  operation: word,
  origin: word,
  outcome: word,
  permission: word,
  place: matching(/^(?:[\w.-]+\.[cm]?[jt]s:\d+:\d+(?: < )?){0,8}$/),
  port: figure,
  reason: word,
  rebuilt: figure,
  requestId: (value) => shownRequestId(typeof value === 'string' ? value : null),
  rollback: word,
  sequence: figure,
  source: word,
  status: figure,
  to: word,
  trouble: word,
  upload: ownId,
  uploads: figure,
  vault: ownId,
  verb: among(verbNames),
  version: matching(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/),
  what: word,
  within: figure,
  wrong: figure,
};

const levels = among(['debug', 'info', 'warn', 'error']);
const instant = matching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

export interface BundledLog {
  /** JSON lines, the oldest first. */
  readonly text: string;
  readonly lines: number;
  /** How many lines were left out, and how many fields of the other lines. */
  readonly linesLeftOut: number;
  readonly fieldsLeftOut: number;
}

/** The log for a bundle: known events with known fields of known shapes. */
export function bundledLog({ lines, unreadable }: LogTail): BundledLog {
  const texts: string[] = [];
  let linesLeftOut = unreadable;
  let fieldsLeftOut = 0;
  for (const { level, time, msg, ...fields } of lines) {
    const head = { level: levels(level), time: instant(time) };
    if (typeof msg !== 'string' || !known.has(msg) || head.level === null || head.time === null) {
      linesLeftOut += 1;
      continue;
    }
    const shown: Record<string, string | number | boolean> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (value === null || value === undefined) continue;
      const allowed = (Object.hasOwn(rules, name) ? rules[name] : undefined)?.(value) ?? null;
      if (allowed === null) fieldsLeftOut += 1;
      else shown[name] = allowed;
    }
    texts.push(`${JSON.stringify({ ...head, msg, ...shown })}\n`);
  }
  return { text: texts.join(''), lines: texts.length, linesLeftOut, fieldsLeftOut };
}
