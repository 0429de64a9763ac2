import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { PreloadBridge, Verbs } from './contract/bridge.ts';
import {
  bridgeGlobal,
  linkChannel,
  pushChannel,
  subscribeChannel,
  unsubscribeChannel,
  verbChannel,
  windowChannel,
  type WindowWord,
} from './contract/channels.ts';
import type { Push } from './contract/pushes.ts';
import { verbNames, type VerbName } from './contract/verbs.ts';

// Of the verbs only the names come along (build/verbNames.ts): their schemas are enforced on the other side, where a
// page cannot reach them. Each function is tied to one channel, and the page has none that takes a channel's name.
const call =
  (verb: VerbName) =>
  (request: unknown): Promise<unknown> =>
    ipcRenderer.invoke(verbChannel(verb), request);

const tellOfWindow = (word: WindowWord): void => ipcRenderer.send(windowChannel, word);

const bridge: PreloadBridge = {
  verbs: Object.fromEntries(verbNames.map((verb) => [verb, call(verb)])) as Verbs,
  subscribe: (listener) => {
    // The event carries `sender`, which must not reach the page: only the push is passed on.
    const forward = (_event: IpcRendererEvent, push: Push | Uint8Array): void => listener(push);
    ipcRenderer.on(pushChannel, forward);
    ipcRenderer.send(subscribeChannel);
    return () => {
      ipcRenderer.off(pushChannel, forward);
      ipcRenderer.send(unsubscribeChannel);
    };
  },
  answer: (message) => ipcRenderer.send(linkChannel, message),
  raise: () => tellOfWindow('raise'),
};

// A kiosk asks for the keyboard again when it loses it, but not from its own page's dialogs.
const tellOfChooser =
  (word: WindowWord) =>
  ({ target }: Event): void => {
    const { localName, type } = target as Partial<HTMLInputElement>;
    if (localName === 'input' && type === 'file') tellOfWindow(word);
  };
window.addEventListener('click', tellOfChooser('choosing'), { capture: true });
window.addEventListener('change', tellOfChooser('chosen'), { capture: true });
window.addEventListener('cancel', tellOfChooser('chosen'), { capture: true });

contextBridge.exposeInMainWorld(bridgeGlobal, bridge);
