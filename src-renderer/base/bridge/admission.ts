import {
  exchangePath,
  exchangeReplySchema,
  launchParameter,
  proofKey,
  type Message,
} from '../../../src-preload/contract/index.ts';
import type { MessageKey } from '../../i18n/index.ts';

/** Why this page is not let in. */
export interface Refusal {
  readonly sentence: Message;
}

export type Admission =
  | { readonly admitted: true; readonly proof: string }
  | ({ readonly admitted: false } & Refusal)
  /** The host did not answer; the code may still be good. */
  | { readonly admitted: null };

export const openFromLaunchFile = (): Refusal => ({
  sentence: { id: 'session.openFromLaunchFile' satisfies MessageKey, values: {} },
});

/**
 * Takes the launch code out of the address and removes the fragment before anything else runs, so
 * that the code is in no history entry, no bookmark and no referrer.
 */
export function takeLaunchCode(location: Location, history: History): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get(launchParameter);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

/**
 * Exchanges a launch code for this page's proof (wire.ts, step 2), or takes the proof that an
 * earlier load of this tab was given.
 */
export async function admit(code: string | null, storage: Storage): Promise<Admission> {
  const kept = storage.getItem(proofKey);
  if (code === null) {
    return kept === null ? { admitted: false, ...openFromLaunchFile() } : { admitted: true, proof: kept };
  }
  let body: unknown;
  try {
    const response = await fetch(exchangePath, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify({ code }),
    });
    body = await response.json();
  } catch {
    return { admitted: null };
  }
  const reply = exchangeReplySchema.safeParse(body);
  if (!reply.success) return { admitted: null };
  if (reply.data.admitted) {
    storage.setItem(proofKey, reply.data.proof);
    return { admitted: true, proof: reply.data.proof };
  }
  // A restored tab carries its spent code along; its own proof is still good.
  if (kept !== null) return { admitted: true, proof: kept };
  return { admitted: false, sentence: reply.data.sentence };
}
