import type {
  ApiConnection,
  CidVerdict,
  ConsoleState,
  DecisionOutcome,
  EventsState,
  MissionsState,
  SessionState,
  StorageState,
  UpdatesState,
  UploadState,
} from '../../../src-preload/contract/index.ts';
import type { StripLevel } from '../../base/health.ts';
import type { ShownFreshness } from '../../base/liveState.ts';

/** The states that the console shows, by what they are a state of. */
export interface StateWords {
  readonly connection: ApiConnection['state'];
  readonly freshness: ShownFreshness;
  readonly completeness: ConsoleState['incidents']['completeness'];
  readonly session: SessionState['state'];
  /** What a check may come to, too. */
  readonly health: StripLevel;
  readonly upload: UploadState;
  /** As long as nothing was decided on it. */
  readonly mission: 'pending' | 'not-granted';
  readonly decision: DecisionOutcome;
  readonly events: EventsState['state'];
  readonly keeping: StorageState['keeping'];
  readonly vault: 'open' | 'set-aside';
  readonly verdict: CidVerdict;
  readonly audit: MissionsState['audit']['state'];
  readonly update: UpdatesState['state']['kind'];
}
export type WordGroup = keyof StateWords;

/** A state by its group, and by its name in the contract. */
export type StateWord = { [G in WordGroup]: `${G}.${StateWords[G]}` }[WordGroup];

/** In the order of reading: what can be trusted, then what is done. A state that the contract gains is missed here. */
const states: { readonly [G in WordGroup]: Readonly<Record<StateWords[G], true>> } = {
  connection: { online: true, degraded: true, offline: true, unknown: true },
  freshness: {
    fresh: true,
    ageing: true,
    stale: true,
    throttled: true,
    'as-of': true,
    offline: true,
    frozen: true,
    none: true,
  },
  completeness: { complete: true, 'at-least': true, unknown: true },
  session: {
    active: true,
    renewing: true,
    waiting: true,
    'tokens-refused': true,
    rejected: true,
    'signing-in': true,
    none: true,
  },
  health: { ok: true, degraded: true, down: true, unknown: true, unreachable: true },
  upload: {
    receiving: true,
    queued: true,
    sending: true,
    waiting: true,
    sent: true,
    unproven: true,
    'needs-decision': true,
    failed: true,
  },
  mission: { pending: true, 'not-granted': true },
  decision: {
    sending: true,
    done: true,
    refused: true,
    'not-sent': true,
    conflict: true,
    unknown: true,
    'no-longer-listed': true,
  },
  events: { open: true, connecting: true, waiting: true, off: true },
  keeping: { disk: true, memory: true, nothing: true },
  vault: { open: true, 'set-aside': true },
  verdict: { match: true, differs: true, 'not-verifiable': true },
  audit: { intact: true, damaged: true, unknown: true },
  update: {
    idle: true,
    checking: true,
    current: true,
    available: true,
    taking: true,
    ready: true,
    installing: true,
    refused: true,
  },
};

export interface GlossaryGroup {
  readonly group: WordGroup;
  readonly words: readonly StateWord[];
}

export const glossary: readonly GlossaryGroup[] = (Object.keys(states) as WordGroup[]).map((group) => ({
  group,
  words: Object.keys(states[group]).map((state) => `${group}.${state}` as StateWord),
}));
