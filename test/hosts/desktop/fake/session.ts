import type { ClearStorageDataOptions, Protocol, Session, WebRequest } from 'electron';
import { Emitter } from './emitter.ts';
import { unfriendly, type ElectronFacts } from './facts.ts';

export type SessionPart =
  | 'clearStorageData'
  | 'resolveProxy'
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
  readonly #facts: ElectronFacts;
  permissionRequest: Handler<'setPermissionRequestHandler'> | undefined;
  permissionCheck: Handler<'setPermissionCheckHandler'> | undefined;
  device: Handler<'setDevicePermissionHandler'> | undefined;
  bluetooth: Handler<'setBluetoothPairingHandler'> | undefined;
  displayMedia: Handler<'setDisplayMediaRequestHandler'> | undefined;
  usbClasses: Handler<'setUSBProtectedClassesHandler'> | undefined;
  certificates: Handler<'setCertificateVerifyProc'> | undefined;
  spellChecker: boolean | undefined;
  /** The partition that the session was asked for. */
  partition: string | null = null;
  readonly cleared: ClearStorageDataOptions[] = [];
  /** Whether the compiled shaders are still there (fact 33). */
  shaders = true;
  beforeRequest: ((url: string) => boolean) | null = null;
  readonly schemes = new Map<string, PageHandler>();
  readonly protocol: Pick<Protocol, 'handle'> = {
    handle: (scheme, handler) => void this.schemes.set(scheme, handler),
  };
  constructor(facts: ElectronFacts = unfriendly) {
    super();
    this.#facts = facts;
  }
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

  /** What a PAC script or the system's settings say, and the addresses that were asked about. */
  proxies = 'DIRECT';
  readonly resolved: string[] = [];
  resolveProxy(address: string): Promise<string> {
    this.resolved.push(address);
    return Promise.resolve(this.proxies);
  }
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
  clearStorageData(options: ClearStorageDataOptions = {}): Promise<void> {
    this.cleared.push(options);
    const named = options.storages?.includes('shadercache') ?? !this.#facts.clearingSparesShaders;
    if (named) this.shaders = false;
    return Promise.resolve();
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    this.spellChecker = enabled;
  }
  /** Sizes of the bodies that were read into memory whole before the host saw a byte of them. */
  readonly readWhole: number[] = [];

  /**
   * What the page's scheme answers to a request of the page's `fetch`. Electron makes one piece of a Blob, and
   * none of an empty one (electron.md, fact 10); a stream is pulled piece by piece, and a stream that breaks
   * breaks the request.
   */
  async fetch(
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: BodyInit | null; duplex?: string } = {},
  ): Promise<Response> {
    const handler = this.schemes.get('console');
    if (handler === undefined) throw new Error('Nobody serves the page');
    const { method = 'GET', headers = {}, body = null, duplex } = init;
    let broken: unknown = null;
    const fail = (error: unknown): void => {
      broken = error;
    };
    if (body instanceof ReadableStream && duplex !== 'half') throw new TypeError('duplex is missing');
    // A real Request refuses the scheme and the methods that a hostile page would try.
    const request: Pick<Request, 'url' | 'method' | 'headers' | 'body'> = {
      url,
      method,
      headers: new Headers(headers),
      body: body === null ? null : streamOf(this.#pulled(body, fail)),
    };
    const answer = await handler(request as Request);
    if (broken !== null) throw new TypeError('Failed to fetch', { cause: broken });
    return answer;
  }

  async *#pulled(body: BodyInit, fail: (error: unknown) => void): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      if (body instanceof ReadableStream) {
        yield* body as ReadableStream<Uint8Array<ArrayBuffer>>;
      } else if (body instanceof Blob && this.#facts.blobsArriveInPieces) {
        yield* body.stream();
      } else if (body instanceof Blob) {
        if (body.size === 0) throw new Error('Failed to get the data of the Blob');
        this.readWhole.push(body.size);
        yield new Uint8Array(await body.arrayBuffer());
      } else {
        throw new TypeError('A body that the console does not send');
      }
    } catch (error) {
      fail(error);
      throw error;
    }
  }
}

/** Pulled when it is read, and not before. */
function streamOf(pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull: async (pipe) => {
        const next = await pieces.next();
        if (next.done === true) pipe.close();
        else pipe.enqueue(next.value);
      },
      cancel: async () => {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
