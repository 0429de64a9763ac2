import type { GatewayForm } from '../../../service/gateway/gatewayClient.ts';

/** A gateway refuses a form once so many files were refused in it, and none came in between. */
const fewestFiles = 2;
/** For so long, milliseconds: a gateway may learn a form, and a cache in front of it may forget its refusal. */
const longestMs = 600_000;

interface Refusals {
  readonly cids: Set<string>;
  at: number;
}

/**
 * The forms that gateways refused, so that each file does not ask for them again. What worked is not remembered: a
 * gateway that gave plain bytes once would never again be asked for blocks, which prove themselves. Shared by all
 * fetches. Times are `Clock.elapsed()`.
 */
export class GatewayForms {
  readonly #refusals = new Map<string, Refusals>();

  refused(gateway: string, form: GatewayForm, cid: string, now: number): void {
    const key = keyOf(gateway, form);
    const refusals = this.#refusals.get(key) ?? { cids: new Set(), at: now };
    if (refusals.cids.size < fewestFiles) refusals.cids.add(cid);
    refusals.at = now;
    this.#refusals.set(key, refusals);
  }

  given(gateway: string, form: GatewayForm): void {
    this.#refusals.delete(keyOf(gateway, form));
  }

  refuses(gateway: string, form: GatewayForm, now: number): boolean {
    const refusals = this.#refusals.get(keyOf(gateway, form));
    return refusals !== undefined && refusals.cids.size >= fewestFiles && now - refusals.at < longestMs;
  }
}

const keyOf = (gateway: string, form: GatewayForm): string => `${form} ${gateway}`;
