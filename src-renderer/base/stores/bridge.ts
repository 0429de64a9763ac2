import { inject, type InjectionKey } from 'vue';
import type { Bridge } from '../bridge/bridge.ts';

export const bridgeKey: InjectionKey<Bridge> = Symbol('bridge');

/** The page's bridge, provided once by main.ts. Works in components and in Pinia stores. */
export function useBridge(): Bridge {
  const bridge = inject(bridgeKey);
  if (bridge === undefined) throw new Error('No bridge was provided to this application');
  return bridge;
}
