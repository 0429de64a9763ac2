import type { App, CommandLine, GPUFeatureStatus, RelaunchOptions } from 'electron';
import { Emitter } from './emitter.ts';

type AppPart =
  | 'disableHardwareAcceleration'
  | 'enableSandbox'
  | 'exit'
  | 'getGPUFeatureStatus'
  | 'getLocale'
  | 'isPackaged'
  | 'quit'
  | 'relaunch'
  | 'requestSingleInstanceLock'
  | 'setAsDefaultProtocolClient'
  | 'setName'
  | 'setPath'
  | 'whenReady';

type Line = Pick<CommandLine, 'appendSwitch' | 'hasSwitch' | 'removeSwitch'>;

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
  #readyName: string | null = null;
  /** The steps that were taken before the name was set; null while it never was. */
  stepsBeforeName: number | null = null;
  readonly dock = undefined;
  isFirst = true;
  quits = 0;
  readonly steps: string[] = [];
  readonly exits: number[] = [];
  readonly paths = new Map<string, string>();
  readonly lockData: unknown[] = [];
  readonly switches = new Set<string>();
  readonly protocols: unknown[][] = [];
  readonly relaunches: RelaunchOptions[] = [];
  readonly commandLine: Line = {
    // Once Electron is ready Chromium reads no switch any more (fact 4).
    appendSwitch: (name) => {
      this.steps.push(`switch ${name}`);
      this.switches.add(name);
    },
    hasSwitch: (name) => this.switches.has(name),
    removeSwitch: (name) => void this.switches.delete(name),
  };
  /** The application's windows, which `quit` closes. */
  readonly windows: readonly { close(): void; isDestroyed(): boolean }[];

  constructor(windows: readonly { close(): void; isDestroyed(): boolean }[]) {
    super();
    this.windows = windows;
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
  /** The name that Chromium took for its keys: what is set after `ready` changes nothing (fact 21). */
  get keyName(): string {
    return this.#readyName ?? this.name;
  }
  setPath(name: string, path: string): void {
    this.paths.set(name, path);
  }
  requestSingleInstanceLock(data?: object): boolean {
    this.steps.push('lock');
    this.lockData.push(data);
    return this.isFirst;
  }
  whenReady(): Promise<void> {
    this.steps.push('ready');
    this.#readyName ??= this.name;
    return Promise.resolve();
  }
  setAsDefaultProtocolClient(...given: [protocol: string, path?: string, args?: string[]]): boolean {
    this.protocols.push(given);
    return true;
  }
  getLocale(): string {
    return 'de-AT';
  }
  getGPUFeatureStatus(): GPUFeatureStatus {
    return graphics;
  }
  quit(): void {
    this.quits += 1;
    if (this.happens('before-quit')) return;
    for (const window of this.windows) window.close();
    if (this.windows.some((window) => !window.isDestroyed())) return;
    if (!this.happens('will-quit')) this.exit(0);
  }
  exit(status = 0): void {
    this.exits.push(status);
  }
}
