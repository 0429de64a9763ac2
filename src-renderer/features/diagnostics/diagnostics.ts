import { shallowRef, type Ref, type ShallowRef } from 'vue';
import {
  ok,
  type BundleFile,
  type DiagnosticsReport,
  type Failure,
  type PageFacts,
  type SelfTestStep,
} from '../../../src-preload/contract/index.ts';
import { savePrepared } from '../../base/bridge/getFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { useBridge } from '../../base/stores/bridge.ts';

export interface Bundle {
  readonly exportId: string;
  readonly fileName: string;
  readonly files: readonly BundleFile[];
}

const notSaved = pageFailure('bridge-lost', 'failures.bundleNotSaved', 'failures.bundleNotSavedRemedy');

export interface Diagnostics {
  readonly report: Readonly<ShallowRef<DiagnosticsReport | null>>;
  readonly reading: Readonly<Ref<boolean>>;
  readonly steps: Readonly<ShallowRef<readonly SelfTestStep[] | null>>;
  readonly testing: Readonly<Ref<boolean>>;
  readonly bundle: Readonly<ShallowRef<Bundle | null>>;
  readonly making: Readonly<Ref<boolean>>;
  /** The name under which the bundle was saved; null while it is not. */
  readonly saved: Readonly<ShallowRef<string | null>>;
  readonly failure: Readonly<ShallowRef<Failure | null>>;
  read(): Promise<void>;
  test(): Promise<void>;
  make(): Promise<void>;
  save(): Promise<void>;
  /** Takes the list of the bundle away. */
  put(): void;
}

/** What the diagnostics show, read only when they are asked for. */
export function useDiagnostics(): Diagnostics {
  const bridge = useBridge();
  const { verbs } = bridge;
  const report = shallowRef<DiagnosticsReport | null>(null);
  const steps = shallowRef<readonly SelfTestStep[] | null>(null);
  const bundle = shallowRef<Bundle | null>(null);
  const saved = shallowRef<string | null>(null);
  const { failure, busy: reading, alone: readAlone } = useCommand();
  const { busy: testing, alone: testAlone } = useCommand(failure);
  const { busy: making, alone: makeAlone } = useCommand(failure);

  async function read(): Promise<void> {
    const result = await readAlone(() => verbs.readDiagnostics({ page: readPageFacts() }));
    if (result?.ok === true) report.value = result.value;
  }

  async function test(): Promise<void> {
    const result = await testAlone(() => verbs.runSelfTest({ page: readPageFacts() }));
    if (result?.ok !== true) return;
    steps.value = result.value.steps;
    // The test has asked the service, which the other parts tell of.
    await read();
  }

  async function make(): Promise<void> {
    const result = await makeAlone(() => {
      saved.value = null;
      return verbs.prepareBundle({ page: readPageFacts() });
    });
    if (result?.ok === true) bundle.value = result.value;
  }

  async function save(): Promise<void> {
    const made = bundle.value;
    if (made === null) return;
    const result = await makeAlone(() => savePrepared(bridge, Promise.resolve(ok(made)), notSaved));
    if (result === null) return;
    if (result.ok) saved.value = made.fileName;
    else bundle.value = null;
  }

  return {
    report,
    reading,
    steps,
    testing,
    bundle,
    making,
    saved,
    failure,
    read,
    test,
    make,
    save,
    put: () => {
      bundle.value = null;
    },
  };
}

/** What this page knows of the browser that shows it, for the diagnostics. */
const readPageFacts = (): PageFacts => ({
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
  // eslint-disable-next-line words/literal-text -- part of a report for support, which is English.
  return `WebGL 2, ${typeof renderer === 'string' ? renderer : 'unknown'}`.slice(0, 256);
}
