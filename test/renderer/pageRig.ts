import { disposePinia, setActivePinia } from 'pinia';
import { onTestFinished } from 'vitest';
import { createApp } from 'vue';
import type { LinkMessage, Push, Verbs } from '../../src-preload/contract/index.ts';
import { createStores } from '../../src-renderer/app/accountStores.ts';
import type { Bridge, LinkState } from '../../src-renderer/base/bridge/bridge.ts';
import { bridgeKey } from '../../src-renderer/base/stores/bridge.ts';

export interface PageRig {
  /** Makes stores and whatever else needs the page's application. */
  run<T>(make: () => T): T;
  /** What the console pushes. */
  push(push: Push): void;
  /** What the host says of the connection to the console. */
  link(state: LinkState): void;
  /** What the page answered to pushes. */
  readonly answers: readonly LinkMessage[];
}

/**
 * The page's stores before a console of which only these verbs are there; no page is drawn. They end with the test:
 * the words that they follow are those of every test in the process.
 */
export function createPage(verbs: Partial<Verbs> = {}): PageRig {
  const answers: LinkMessage[] = [];
  const nobody = (): void => undefined;
  const page = { push: nobody as (push: Push) => void, link: nobody as (state: LinkState) => void };
  const bridge: Bridge = {
    verbs: verbs as Verbs,
    subscribe: (listener) => {
      page.push = listener;
      return nobody;
    },
    answer: (message) => answers.push(message),
    raise: nobody,
    onLink: (listener) => {
      page.link = listener;
      return nobody;
    },
    routeHeaders: () => ({}),
    routeBody: (file) => ({ body: file }),
  };
  const pinia = createStores();
  const app = createApp({ render: () => null });
  app.use(pinia).provide(bridgeKey, bridge);
  setActivePinia(pinia);
  onTestFinished(() => disposePinia(pinia));
  return {
    run: (make) => app.runWithContext(make),
    push: (push) => page.push(push),
    link: (state) => page.link(state),
    answers,
  };
}
