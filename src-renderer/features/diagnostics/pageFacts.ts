import type { PageFacts } from '../../../src-preload/contract/index.ts';

/** What this page knows of the browser that shows it, for the diagnostics. */
export const readPageFacts = (): PageFacts => ({
  userAgent: navigator.userAgent.slice(0, 512),
  webgl: webglText(),
  language: navigator.language.slice(0, 64),
  pixelRatio: Math.min(64, Math.max(0, Math.round(devicePixelRatio * 100) / 100)),
  size: `${innerWidth} x ${innerHeight}`,
});

/** The version of WebGL and who draws it; null where a page cannot have any. */
function webglText(): string | null {
  const context = document.createElement('canvas').getContext('webgl2');
  if (!context) return null;
  const named = context.getExtension('WEBGL_debug_renderer_info');
  const parameter = named ? named.UNMASKED_RENDERER_WEBGL : context.RENDERER;
  const renderer: unknown = context.getParameter(parameter);
  // Browsers keep few contexts alive, and the map needs its own.
  context.getExtension('WEBGL_lose_context')?.loseContext();
  // eslint-disable-next-line words/literal-text -- a fact for whoever helps.
  return `WebGL 2, ${typeof renderer === 'string' ? renderer : 'unknown'}`.slice(0, 256);
}
