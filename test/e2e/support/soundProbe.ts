import type { BrowserContext, Page } from '@playwright/test';

declare global {
  interface Window {
    /** The loudest sample that has reached the page's sound output since it was last set, 0 to 1. */
    loudestSample?: number;
    /** How often the output has been looked at, whether anything could sound or not. */
    timesListened?: number;
  }
}

/**
 * Puts an AnalyserNode in front of every AudioContext's output and keeps the loudest sample that passes
 * it. Takes effect with the page's next load; of a context, in each of its pages.
 */
export async function probeSound(pages: Page | BrowserContext): Promise<void> {
  await pages.addInitScript(() => {
    window.loudestSample = 0;
    setInterval(() => {
      window.timesListened = (window.timesListened ?? 0) + 1;
    }, 10);
    const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode;
    const analysers = new Map<BaseAudioContext, AnalyserNode>();
    const inFrontOf = (output: AudioNode): AnalyserNode => {
      const known = analysers.get(output.context);
      if (known !== undefined) return known;
      const analyser = output.context.createAnalyser();
      connect.call(analyser, output);
      analysers.set(output.context, analyser);
      const samples = new Float32Array(analyser.fftSize);
      setInterval(() => {
        analyser.getFloatTimeDomainData(samples);
        for (const sample of samples) {
          window.loudestSample = Math.max(window.loudestSample ?? 0, Math.abs(sample));
        }
      }, 10);
      return analyser;
    };
    AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode): AudioNode {
      return connect.call(this, to instanceof AudioDestinationNode ? inFrontOf(to) : to);
    } as typeof AudioNode.prototype.connect;
  });
}

export const loudestSample = (page: Page): Promise<number> => page.evaluate(() => window.loudestSample ?? 0);

/** Begins to listen anew. */
export const forgetSound = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.loudestSample = 0;
  });

/** Waits until the output was looked at so many times more. */
export async function listen(page: Page, times: number): Promise<void> {
  const begun = await page.evaluate(() => window.timesListened ?? 0);
  await page.waitForFunction((until) => (window.timesListened ?? 0) >= until, begun + times);
}
