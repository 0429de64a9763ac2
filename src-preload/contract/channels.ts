/**
 * Names of the desktop host's IPC channels. This file imports nothing, so that the preload, which
 * must be one small file, does not carry the schemas along.
 *
 * page -> main: one `invoke` channel per verb (`verbChannel`), `subscribeChannel` and
 * `unsubscribeChannel` (no argument), `linkChannel` (a LinkMessage), `windowChannel` (a WindowWord).
 * main -> page: `pushChannel` (a Push, or when it is large one array of it, packed as on the browser host's wire).
 */
export const verbChannel = <V extends string>(verb: V): `console:verb:${V}` => `console:verb:${verb}`;
export const pushChannel = 'console:push';
export const linkChannel = 'console:link';
export const subscribeChannel = 'console:subscribe';
export const unsubscribeChannel = 'console:unsubscribe';
/** page -> main, one of `windowWords`. */
export const windowChannel = 'console:window';
/**
 * What a page says of its window: it is to come to the front, as a notification was clicked; a dialog of the system
 * for a file is open, and was answered.
 */
export const windowWords = ['raise', 'choosing', 'chosen'] as const;
export type WindowWord = (typeof windowWords)[number];

/** Global under which the preload exposes a PreloadBridge; absent in the browser host. */
export const bridgeGlobal = 'fieldConsole';

/** Scheme and origin of the desktop host's page. */
export const desktopOrigin = 'console://app';

/** What the desktop host's page sends as `proofHeader`: no secret, but nothing a foreign page can send. */
export const desktopProof = 'desktop';
