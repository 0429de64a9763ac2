import type { Protocol, Session, WebRequest } from 'electron';
import { Emitter } from './emitter.ts';

export type SessionPart =
  | 'setBluetoothPairingHandler'
  | 'setCertificateVerifyProc'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setPermissionRequestHandler'
  | 'setSpellCheckerEnabled'
  | 'setUSBProtectedClassesHandler';

type Handler<N extends SessionPart> = Parameters<Session[N]>[0];
type PageHandler = Parameters<Protocol['handle']>[1];

/** A page's session, recording what is asked of it. `undefined`: never asked. */
export class FakeSession extends Emitter implements Pick<Session, SessionPart> {
  permissionRequest: Handler<'setPermissionRequestHandler'> | undefined;
  permissionCheck: Handler<'setPermissionCheckHandler'> | undefined;
  device: Handler<'setDevicePermissionHandler'> | undefined;
  bluetooth: Handler<'setBluetoothPairingHandler'> | undefined;
  displayMedia: Handler<'setDisplayMediaRequestHandler'> | undefined;
  usbClasses: Handler<'setUSBProtectedClassesHandler'> | undefined;
  certificates: Handler<'setCertificateVerifyProc'> | undefined;
  spellChecker: boolean | undefined;
  beforeRequest: ((url: string) => boolean) | null = null;
  readonly schemes = new Map<string, PageHandler>();
  readonly protocol: Pick<Protocol, 'handle'> = {
    handle: (scheme, handler) => void this.schemes.set(scheme, handler),
  };
  readonly webRequest: { onBeforeRequest: WebRequest['onBeforeRequest'] } = {
    onBeforeRequest: (...given: unknown[]) => {
      const listener = given.find((one) => typeof one === 'function');
      // Whether a request for `url` is cancelled.
      this.beforeRequest = (url) => {
        let cancelled = false;
        listener?.({ url }, ({ cancel = false }: { cancel?: boolean }) => (cancelled = cancel));
        return cancelled;
      };
    },
  };

  setPermissionRequestHandler(handler: Handler<'setPermissionRequestHandler'>): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: Handler<'setPermissionCheckHandler'>): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: Handler<'setDevicePermissionHandler'>): void {
    this.device = handler;
  }
  setBluetoothPairingHandler(handler: Handler<'setBluetoothPairingHandler'>): void {
    this.bluetooth = handler;
  }
  setDisplayMediaRequestHandler(handler: Handler<'setDisplayMediaRequestHandler'>): void {
    this.displayMedia = handler;
  }
  setUSBProtectedClassesHandler(handler: Handler<'setUSBProtectedClassesHandler'>): void {
    this.usbClasses = handler;
  }
  setCertificateVerifyProc(proc: Handler<'setCertificateVerifyProc'>): void {
    this.certificates = proc;
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    this.spellChecker = enabled;
  }
  /** What the page's scheme answers to a request. */
  async fetch(
    url: string,
    init: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const handler = this.schemes.get('console');
    if (handler === undefined) throw new Error('Nobody serves the page');
    const { method = 'GET', headers = {} } = init;
    // A real Request refuses the scheme and the methods that a hostile page would try.
    const request: Pick<Request, 'url' | 'method' | 'headers' | 'body'> = {
      url,
      method,
      headers: new Headers(headers),
      body: null,
    };
    return handler(request as Request);
  }
}
