import { createApp } from 'vue';
import type { Paper } from './paper.ts';

/** A paper as elements that are in no document yet. */
export interface MountedPaper {
  readonly element: HTMLElement;
  readonly unmount: () => void;
}

export function mounted({ view }: Paper): MountedPaper {
  const element = document.createElement('main');
  element.className = 'paper';
  const app = createApp({ render: view });
  app.mount(element);
  return {
    element,
    unmount: () => {
      app.unmount();
      element.remove();
    },
  };
}

/** Whether a picture shows or not, what is printed must not wait for it any longer. */
export async function picturesDecoded(element: HTMLElement): Promise<void> {
  await Promise.allSettled([...element.querySelectorAll('img')].map((image) => image.decode()));
}
