import type { Level, Message } from '../../../../src-preload/contract/index.ts';
import { cappedJson, cappedText, isObject, ownValue } from '../../base/json.ts';
import { message } from '../../base/messages/message.ts';

/** The deployment's names of the three fields that the specification does not name. */
export interface HealthFieldNames {
  readonly aiAnalysis?: string | undefined;
  readonly ipfsPinning?: string | undefined;
  readonly ledger?: string | undefined;
}

export interface IntegrationReading {
  readonly field: string;
  readonly label: Message;
  readonly kind: 'flag' | 'text';
  readonly value: string;
  readonly level: Level;
}

export interface HealthReading {
  readonly overall: { readonly text: string; readonly level: Level } | null;
  readonly integrations: readonly IntegrationReading[];
}

const fieldLimit = 64;
const nameLimit = 128;
const textLimit = 512;

const words: ReadonlyMap<string, Level> = new Map([
  ...[
    'ok',
    'okay',
    'healthy',
    'up',
    'online',
    'operational',
    'available',
    'connected',
    'ready',
    'running',
    'pass',
    'passing',
    'green',
    'good',
    'alive',
  ].map((word) => [word, 'ok'] as const),
  ...[
    'degraded',
    'partial',
    'partially available',
    'limited',
    'slow',
    'warning',
    'warn',
    'unstable',
    'yellow',
    'amber',
  ].map((word) => [word, 'degraded'] as const),
  ...[
    'down',
    'offline',
    'unavailable',
    'not available',
    'error',
    'failed',
    'failing',
    'fail',
    'failure',
    'disconnected',
    'unreachable',
    'unhealthy',
    'critical',
    'dead',
    'red',
    'outage',
  ].map((word) => [word, 'down'] as const),
]);

/**
 * The level that a text states. The whole text must be a word for a state: it may also be a version or a network's
 * name, which must raise no alarm (design: health is read by shape).
 */
export function levelOfText(text: string): Level {
  if (text.length > 32) return 'unknown';
  return (
    words.get(
      text
        .trim()
        .toLowerCase()
        .replaceAll(/[\s_-]+/g, ' '),
    ) ?? 'unknown'
  );
}

function labelOf(field: string, names: HealthFieldNames): Message {
  if (field === names.aiAnalysis) return message('integration.aiAnalysis');
  if (field === names.ipfsPinning) return message('integration.ipfsPinning');
  if (field === names.ledger) return message('integration.ledger');
  return { text: cappedText(field, nameLimit) };
}

function readIntegration(field: string, value: unknown, label: Message): IntegrationReading {
  if (typeof value === 'boolean') {
    return {
      field,
      label,
      kind: 'flag',
      value: value ? 'available' : 'not available',
      level: value ? 'ok' : 'down',
    };
  }
  if (typeof value === 'string') {
    const level = levelOfText(value);
    return { field, label, kind: 'text', value: cappedText(value, textLimit), level };
  }
  return { field, label, kind: 'text', value: cappedJson(value, textLimit), level: 'unknown' };
}

/**
 * Reads a health answer by its shape (interface: HealthResponse): `status` is the overall text,
 * every other boolean an integration's flag, every other string an integration's text. Anything
 * else is shown as text of unknown level. At most 64 fields, in the order they came.
 *
 * @returns null when the body is no object (the caller's failure is `unreadable-answer`).
 */
export function readHealth(body: unknown, names: HealthFieldNames = {}): HealthReading | null {
  if (!isObject(body)) return null;
  const integrations: IntegrationReading[] = [];
  const seen = new Set<string>();
  for (const name of Object.keys(body)) {
    if (name === 'status' || integrations.length >= fieldLimit) continue;
    const field = cappedText(name, nameLimit);
    if (seen.has(field)) continue;
    seen.add(field);
    integrations.push(readIntegration(field, ownValue(body, name), labelOf(name, names)));
  }
  const status = ownValue(body, 'status');
  if (status === undefined || status === null) return { overall: null, integrations };
  const { value, level } = readIntegration('status', status, { text: 'status' });
  return { overall: { text: value, level }, integrations };
}
