import {
  failed,
  linkMessageSchema,
  ok,
  pushSchema,
  verbNames,
  verbs,
  type ConsoleState,
  type PreloadBridge,
  type Push,
  type Result,
  type VerbName,
  type VerbReply,
  type Verbs,
} from '../../src-preload/contract/index.ts';
import { makeFailure } from '../../src-main/core/base/failure.ts';

/** What a verb answers: the reply, or a failure. Reads the request as its schema has parsed it. */
export type Answers = {
  readonly [V in VerbName]?: (request: Parsed<V>) => Result<VerbReply<V>>;
};
type Parsed<V extends VerbName> = ReturnType<(typeof verbs)[V]['request']['parse']>;

export interface Call {
  readonly verb: VerbName;
  readonly request: unknown;
}

export interface StandInOptions {
  readonly slices: Partial<ConsoleState>;
  readonly incidents: Uint8Array<ArrayBuffer> | null;
  readonly answers: Answers;
}

/**
 * A console that a page can be shown without: it speaks the contract from inside the page, as the desktop
 * host's preload does. It is as strict as the hosts are: a request that its schema refuses is answered with
 * `malformed-request`, what `contextBridge` cannot copy (a Vue proxy, say) throws, and a push or a reply that
 * is not of the contract is a fault of the test. All such faults are collected in `faults`.
 */
export class StandIn {
  readonly calls: Call[] = [];
  readonly faults: string[] = [];
  readonly bridge: PreloadBridge;
  readonly #answers: Answers;
  #slices: Partial<ConsoleState>;
  readonly #incidents: Uint8Array<ArrayBuffer> | null;
  #listener: ((push: Push) => void) | null = null;
  #revision = 0;
  /** Verbs whose answers are on their way until they are let go. */
  readonly #held = new Map<VerbName, { readonly until: Promise<void>; readonly letGo: () => void }>();

  constructor({ slices, incidents, answers }: StandInOptions) {
    this.#slices = slices;
    this.#incidents = incidents;
    this.#answers = answers;
    const call = (name: VerbName) => (request: unknown) => this.#call(name, request);
    this.bridge = {
      verbs: Object.fromEntries(verbNames.map((name) => [name, call(name)])) as unknown as Verbs,
      subscribe: (listener) => {
        this.#listener = listener;
        // A host answers over a channel, never within the call.
        queueMicrotask(() => this.#snapshot());
        return () => {
          this.#listener = null;
        };
      },
      raise: () => undefined,
      answer: (message) => {
        const { success, data } = linkMessageSchema.safeParse(structuredClone(message));
        if (!success) this.faults.push('A link message is not of the contract');
        else if (data.kind === 'resync') this.#snapshot();
      },
    };
  }

  /** Changes slices, each given whole or in part, and tells the page as a delta. */
  push(change: { readonly [N in keyof ConsoleState]?: Partial<ConsoleState[N]> }): void {
    const slices = mergeSlices(this.#slices, change);
    this.#slices = slices;
    const changed = Object.fromEntries(Object.keys(change).map((name) => [name, slices[name as never]]));
    this.#revision += 1;
    this.#send({ base: this.#revision - 1, slices: changed, incidents: null });
  }

  /** Keeps the answers of a verb on their way, as a slow console does, until `letGo`. */
  hold(verb: VerbName): void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#held.set(verb, {
      until: promise,
      letGo: () => {
        resolve(undefined);
      },
    });
  }

  letGo(verb: VerbName): void {
    this.#held.get(verb)?.letGo();
    this.#held.delete(verb);
  }

  #snapshot(): void {
    this.#send({ base: null, slices: this.#slices, incidents: this.#incidents });
  }

  #send(part: Pick<Push, 'base' | 'slices' | 'incidents'>): void {
    const push = pushSchema.safeParse({ epoch: 'stand-in', revision: this.#revision, ...part });
    if (push.success) this.#listener?.(structuredClone(push.data));
    else this.faults.push(`A push is not of the contract: ${push.error.message}`);
  }

  #call(verb: VerbName, request: unknown): Promise<Result<never>> {
    let copied: unknown;
    try {
      copied = structuredClone(request);
    } catch (error) {
      this.faults.push(`${verb}: its request cannot be copied over the bridge`);
      return Promise.reject(error instanceof Error ? error : new Error('DataCloneError'));
    }
    const answer = this.#answer(verb, copied);
    return (this.#held.get(verb)?.until ?? Promise.resolve()).then(() => answer);
  }

  #answer(verb: VerbName, request: unknown): Result<never> {
    const parsed = verbs[verb].request.safeParse(request);
    if (!parsed.success) {
      this.faults.push(`${verb}: ${parsed.error.message}`);
      return failed(makeFailure({ code: 'malformed-request', at: 0 }));
    }
    this.calls.push({ verb, request: parsed.data });
    const answer = this.#answers[verb] as ((request: unknown) => Result<unknown>) | undefined;
    const result = answer === undefined ? ok(null) : answer(parsed.data);
    if (result.ok) {
      const reply = verbs[verb].reply.safeParse(result.value);
      if (!reply.success) {
        this.faults.push(`${verb}: nothing is recorded as its answer (${reply.error.message})`);
        return failed(makeFailure({ code: 'internal', at: 0 }));
      }
      // A preference is shown at once and stays only when the console says it too.
      if (verb === 'setPreferences') this.push({ preferences: parsed.data as ConsoleState['preferences'] });
    }
    return structuredClone(result) as Result<never>;
  }
}

/** Slices with some of their members changed; a slice that is not there is taken as it is. */
export function mergeSlices(
  slices: Partial<ConsoleState>,
  change: { readonly [N in keyof ConsoleState]?: Partial<ConsoleState[N]> },
): Partial<ConsoleState> {
  const merged: Record<string, unknown> = { ...slices };
  for (const [name, part] of Object.entries(change)) {
    const before = merged[name];
    merged[name] = isObject(before) && isObject(part) ? { ...before, ...part } : part;
  }
  return merged;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
