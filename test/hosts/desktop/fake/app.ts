import type {
  AboutPanelOptionsOptions,
  App,
  CommandLine,
  GPUFeatureStatus,
  ProcessMetric,
  RelaunchOptions,
} from 'electron';
import project from '../../../../package.json' with { type: 'json' };
import { Emitter } from './emitter.ts';
import { unfriendly, type ElectronFacts } from './facts.ts';

type AppPart =
  | 'disableDomainBlockingFor3DAPIs'
  | 'disableHardwareAcceleration'
  | 'enableSandbox'
  | 'exit'
  | 'getAppMetrics'
  | 'getGPUFeatureStatus'
  | 'getLocale'
  | 'getName'
  | 'getPreferredSystemLanguages'
  | 'getVersion'
  | 'isPackaged'
  | 'quit'
  | 'relaunch'
  | 'releaseSingleInstanceLock'
  | 'requestSingleInstanceLock'
  | 'setAboutPanelOptions'
  | 'setAppUserModelId'
  | 'setAsDefaultProtocolClient'
  | 'setBadgeCount'
  | 'setName'
  | 'setPath'
  | 'setToastActivatorCLSID'
  | 'whenReady';

type Line = Pick<CommandLine, 'appendSwitch' | 'getSwitchValue' | 'hasSwitch' | 'removeSwitch'>;

/** As of a computer without a usable graphics processor. */
const graphics: GPUFeatureStatus = {
  '2d_canvas': 'enabled',
  flash_3d: 'enabled',
  flash_stage3d: 'enabled',
  flash_stage3d_baseline: 'enabled',
  gpu_compositing: 'disabled_software',
  multiple_raster_threads: 'enabled_on',
  native_gpu_memory_buffers: 'disabled_software',
  rasterization: 'disabled_software',
  video_decode: 'disabled_software',
  video_encode: 'disabled_software',
  vpx_decode: 'disabled_software',
  webgl: 'enabled',
  webgl2: 'enabled',
};

/** The application: it ends in the steps in which Electron ends. */
export class FakeApp extends Emitter implements Pick<App, AppPart> {
  isPackaged = false;
  /** Electron's own, as of a start with a file (fact 21). */
  name = 'Electron';
  /** That of the package.json that Electron starts. */
  version = project.version;
  #readyName: string | null = null;
  /** Once Electron is ready Chromium reads no switch any more (fact 4). */
  #readSwitches: ReadonlySet<string> | null = null;
  /** The steps that were taken before the name was set; null while it never was. */
  stepsBeforeName: number | null = null;
  readonly dock = undefined;
  isFirst = true;
  /** A full disk, or a profile that another session uses, keeps the lock from everybody (fact 31). */
  lockIsKept = false;
  /** What other starts hand over, which comes as soon as there is somebody to take it (fact 19). */
  readonly otherStarts: object[] = [];
  /** Other starts that nobody listened to: what they were to open is lost. */
  unheard = 0;
  quits = 0;
  readonly steps: string[] = [];
  readonly exits: number[] = [];
  readonly paths = new Map<string, string>();
  readonly lockData: unknown[] = [];
  readonly switches = new Set<string>();
  readonly protocols: unknown[][] = [];
  readonly relaunches: RelaunchOptions[] = [];
  readonly commandLine: Line = {
    appendSwitch: (name) => {
      this.steps.push(`switch ${name}`);
      this.switches.add(name);
    },
    getSwitchValue: (name) => (name === 'ozone-platform' && !this.#facts.platformIsUnsaid ? this.ozone : ''),
    hasSwitch: (name) => this.switches.has(name),
    removeSwitch: (name) => void this.switches.delete(name),
  };
  /** Where windows are drawn; Chromium appends it as a switch before JavaScript runs (fact 32). */
  ozone = 'x11';
  /** The application's windows, which `quit` closes. */
  readonly windows: readonly { close(): void; destroy(): void; isDestroyed(): boolean }[];

  readonly #facts: ElectronFacts;

  constructor(
    windows: readonly { close(): void; destroy(): void; isDestroyed(): boolean }[],
    facts: ElectronFacts = unfriendly,
  ) {
    super();
    this.#facts = facts;
    this.windows = windows;
  }
  #graphicsStay = false;
  #graphicsLost = 0;
  disableDomainBlockingFor3DAPIs(): void {
    this.steps.push('3d-stays');
    // Only before it is ready.
    this.#graphicsStay ||= this.#readSwitches === null;
  }
  /** The context of the graphics is lost, as by a driver's reset: their process ends with 34 (fact 29). */
  loseGraphics(): void {
    this.#graphicsLost += 1;
    this.emit('child-process-gone', {}, { type: 'GPU', reason: 'abnormal-exit', exitCode: 34 });
  }
  /** Whether a page that asks for WebGL is given it, within two minutes of the losses. */
  get givesWebGl(): boolean {
    const kept = this.#facts.graphicsComeBack || this.#graphicsStay || this.#graphicsLost < 2;
    return kept && this.getGPUFeatureStatus().webgl === 'enabled';
  }
  /** `ELECTRON_DISABLE_SANDBOX` is set: Electron appends the switch before JavaScript runs (fact 30). */
  startWithoutSandbox(): void {
    if (!this.#facts.argumentsTellAll) this.switches.add('no-sandbox');
  }
  disableHardwareAcceleration(): void {
    this.steps.push('without-gpu');
  }
  relaunch(options?: RelaunchOptions): void {
    this.relaunches.push(options ?? {});
  }
  enableSandbox(): void {
    this.steps.push('sandbox');
  }
  setName(name: string): void {
    this.name = name;
    this.stepsBeforeName ??= this.steps.length + this.paths.size;
  }
  getName(): string {
    return this.name;
  }
  getVersion(): string {
    return this.version;
  }
  /** The name that Chromium took for its keys: what is set after `ready` changes nothing (fact 21). */
  get keyName(): string {
    return this.#facts.lateNamesCount ? this.name : (this.#readyName ?? this.name);
  }
  #modelId: string | null = null;
  /** The id by which Windows groups; Electron's own until it is set (fact 23). Null: the installer's. */
  get modelId(): string | null {
    return this.#modelId ?? (this.#facts.groupedWithoutId ? null : 'electron.app.Electron');
  }
  setAppUserModelId(id: string): void {
    this.#modelId = id;
  }
  /** What starts after a click on a notification of Windows; another one at each start until it is set. */
  toastActivator: string | null = null;
  setToastActivatorCLSID(id: string): void {
    this.toastActivator = id;
  }
  setPath(name: string, path: string): void {
    this.paths.set(name, path);
  }
  requestSingleInstanceLock(data?: object): boolean {
    this.steps.push('lock');
    this.lockData.push(data);
    if (this.lockIsKept && !this.#facts.refusedLocksAreOthers) return false;
    if (this.isFirst && !this.#facts.otherStartsWait) this.handOver();
    return this.isFirst;
  }
  releaseSingleInstanceLock(): void {
    this.steps.push('unlock');
  }
  /** Other starts find that they are not the first. */
  handOver(): void {
    for (const other of this.otherStarts.splice(0)) {
      if (!this.emit('second-instance', {}, [], '/', other)) this.unheard += 1;
    }
  }
  about: AboutPanelOptionsOptions = {};
  setAboutPanelOptions(options: AboutPanelOptionsOptions): void {
    this.about = options;
  }
  /** The number at the application's icon. */
  badge = 0;
  setBadgeCount(count = 0): boolean {
    this.badge = count;
    return true;
  }
  whenReady(): Promise<void> {
    this.steps.push('ready');
    this.#readyName ??= this.name;
    this.#readSwitches ??= new Set(this.switches);
    return Promise.resolve();
  }
  setAsDefaultProtocolClient(...given: [protocol: string, path?: string, args?: string[]]): boolean {
    this.protocols.push(given);
    return true;
  }
  /** The languages of the computer's owner, the best first. */
  languages: string[] = ['de-AT'];
  getLocale(): string {
    return this.languages[0] ?? 'en-US';
  }
  getPreferredSystemLanguages(): string[] {
    return this.languages;
  }
  /** The processes of Chromium. */
  metrics: ProcessMetric[] = [];
  getAppMetrics(): ProcessMetric[] {
    return this.metrics;
  }
  getGPUFeatureStatus(): GPUFeatureStatus {
    const read = this.#readSwitches ?? this.switches;
    const draws = this.#facts.softwareDrawsUnasked || read.has('enable-unsafe-swiftshader');
    return draws ? graphics : { ...graphics, webgl: 'disabled_off', webgl2: 'disabled_off' };
  }
  quit(): void {
    this.quits += 1;
    if (this.happens('before-quit')) return;
    for (const window of this.windows) window.close();
    if (this.windows.some((window) => !window.isDestroyed())) return;
    if (this.#closing && this.#facts.secondQuitWaits) return;
    this.#closing = true;
    if (!this.happens('will-quit')) this.exit(0);
  }
  /** What the process gets from the system, by Node. */
  readonly signals = new Emitter();
  /** How the system ended the process before it ended itself; null while it did not. */
  killed: 'signal' | 'session-end' | null = null;
  #signalled = false;
  #closing = false;
  /**
   * As the system sends it: Node's listeners come before Electron's own, which lasts for one signal. Where none of
   * Node's is left for the second one, the system's default is back too.
   */
  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void {
    if (this.killed !== null || this.exits.length > 0) return;
    const first = !this.#signalled;
    this.#signalled = true;
    if (this.signals.listenerCount(name) > 0) {
      this.signals.emit(name);
      return;
    }
    if (first || this.#facts.secondSignalIsHarmless) this.quit();
    else this.killed = 'signal';
  }
  /** How long the application held up what called it, milliseconds. */
  readonly sleeps: number[] = [];
  /**
   * As Windows ends a session: it asks each window, and tells each, and then ends the process, unless another program
   * has said no: no event tells that (fact 16).
   */
  async endSession(window: Emitter, { cancelled = false } = {}): Promise<void> {
    window.happens('query-session-end', { reasons: ['shutdown'] });
    await new Promise(setImmediate);
    if (cancelled) return;
    window.emit('session-end', { reasons: ['shutdown'] });
    if (this.exits.length === 0 && !this.#facts.sessionEndWaits) this.killed = 'session-end';
  }
  /** The display or a bus of the system is gone: the process leaves with 0, unless it is given another status (fact 28). */
  loseSession(): void {
    this.#leave(0);
  }
  exit(status = 0): void {
    if (this.#ended === 'yes') return;
    // Of two in one end Electron takes the later.
    if (this.#ended === 'now') this.exits.pop();
    this.exits.push(status);
    this.#leave(status);
  }
  #ended: 'no' | 'now' | 'yes' = 'no';
  /** As Chromium's loop ends: no window is asked, and after `quit` there is no process (fact 28). */
  #leave(status: number): void {
    if (this.#ended !== 'no' || this.#facts.exitsTouchNothing) return;
    this.#ended = 'now';
    for (const window of this.windows) window.destroy();
    this.emit('quit', {}, status);
    this.#ended = 'yes';
  }
  /**
   * Whether the console runs again after its exit, and is watched again where it was: a supervisor knows its own
   * child only, and takes status 0 for an end that was wanted (fact 18).
   */
  runsAgain(supervised: boolean): boolean {
    const status = this.exits[0];
    if (!supervised) return this.relaunches.length > 0;
    if (this.relaunches.length > 0) return this.#facts.supervisorsSeeRelaunches;
    return status !== undefined && status !== 0;
  }
}
