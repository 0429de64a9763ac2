import { shallowRef, type Ref, type ShallowRef } from 'vue';
import {
  ok,
  type BundleFile,
  type DiagnosticsReport,
  type Failure,
  type SelfTestStep,
} from '../../../src-preload/contract/index.ts';
import { savePrepared } from '../../base/bridge/getFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { readPageFacts } from './pageFacts.ts';

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

/** What the diagnostics show, read when they are asked for and never by themselves. */
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
