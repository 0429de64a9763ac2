/** Composition list of the desktop host. */
import { app, dialog, shell } from 'electron';
import * as electron from 'electron';
import { randomUUID } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import updateKeys from '../build/update-keys.json' with { type: 'json' };
import packageJson from '../package.json' with { type: 'json' };
import { systemAtRest, type MessageValues } from '../src-preload/contract/index.ts';
import { createClock } from './adapters/clock.ts';
import { createRandom } from './adapters/crypto.ts';
import { hasLiveOwner } from './adapters/ownerLock.ts';
import { createServiceManager, isSupervised } from './adapters/systemd.ts';
import { createNetwork } from './adapters/network.ts';
import { createFolderSource } from './adapters/updates/folderSource.ts';
import { createPrivateFolder, privateFolderOf } from './adapters/updates/privateFolder.ts';
import { createServerSource } from './adapters/updates/serverSource.ts';
import { dataFolderOf, exitStatus, moveFormerData, openApp, type RunningApp } from './cli/app.ts';
import { policyOfStart } from './cli/policy.ts';
import { noDeviceSecret } from './core/base/ports.ts';
import type { UpdateHost } from './core/features/updates/updateHost.ts';
import type { Network } from './core/service/transport/network.ts';
import { parseArguments, usage, type StartOptions } from './hosts/arguments.ts';
import { launchFileName } from './hosts/browser/launchFile.ts';
import { isLink, readDesktopArguments, refusal, unsandboxed } from './hosts/desktop/arguments.ts';
import { askBeforeClosing } from './hosts/desktop/askBeforeClosing.ts';
import type { ShownDesktop } from './hosts/desktop/attachment.ts';
import { createBoundLogger, type BoundLogger } from './hosts/desktop/boundLogger.ts';
import { watchForBreakdown, type Breakdown } from './hosts/desktop/breakdown.ts';
import { createDesktopControl } from './hosts/desktop/control.ts';
import { keepCrashDumps, type CrashDumps } from './hosts/desktop/crashDumps.ts';
import { createDevelopmentPages } from './hosts/desktop/developmentPages.ts';
import { watchDialogs } from './hosts/desktop/dialogs.ts';
import { openExternal } from './hosts/desktop/external.ts';
import { drawWith } from './hosts/desktop/graphics.ts';
import { prepareDesktop, type DesktopStart } from './hosts/desktop/host.ts';
import { createPaperPress, type PaperPress } from './hosts/desktop/paperPress.ts';
import { passingFolder } from './hosts/desktop/passingFolder.ts';
import { openProfileFolder } from './hosts/desktop/profileFolder.ts';
import { readRecoveryAdvice, recoverWindow } from './hosts/desktop/recovery.ts';
import { endRefused, withoutSandbox, type Starter } from './hosts/desktop/refusedStart.ts';
import { createSaver } from './hosts/desktop/saving.ts';
import { runSelfTest } from './hosts/desktop/selfTest/selfTest.ts';
import { nameApplication } from './hosts/desktop/settings/applicationName.ts';
import { settingsAttachments } from './hosts/desktop/settings/index.ts';
import { openKeyStore } from './hosts/desktop/settings/keyStore.ts';
import { createSettingsControl } from './hosts/desktop/settings/loginItem.ts';
import type { SecondWindows } from './hosts/desktop/settings/secondWindows.ts';
import { knowsPlaces, placeOptions, readWindowPlace } from './hosts/desktop/settings/windowPlaces.ts';
import { systemProxy } from './hosts/desktop/systemProxy.ts';
import { trackSystem, type TrackedSystem } from './hosts/desktop/systemState.ts';
import { createUpdateHost, isCopiedFolder } from './hosts/desktop/updates/index.ts';
import { createUtilityFork } from './hosts/desktop/utilityProgram.ts';
import { createWords, storedLanguage, type DesktopText } from './hosts/desktop/words.ts';
import { openPageFiles } from './hosts/pages.ts';

/** How long the page with instructions stays before a service manager may start the console again, milliseconds. */
const stoppedForMs = 10 * 60_000;

const { version } = packageJson;
const { platform } = process;
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

/** The open system dialogs of this process. */
const dialogs = watchDialogs();
/** What the system draws of this process, in the page's language. */
const words = createWords(app);

interface Parts {
  readonly desktop: DesktopStart;
  readonly start: StartOptions;
  /** Listeners for a thread of the console that failed repeatedly. */
  readonly threadListeners: Set<() => void>;
  /** Opens a second window, while there is a first. */
  readonly secondWindows: { current: SecondWindows | null };
  readonly log: BoundLogger;
  readonly press: PaperPress;
  readonly breakdown: Breakdown;
  readonly system: TrackedSystem;
  readonly crashDumps: CrashDumps;
}

async function openDesktop(parts: Parts): Promise<void> {
  const { start, threadListeners, secondWindows, log, press, system, crashDumps } = parts;
  // `openApp` reads the policy again, and reports one that is not usable.
  const chosen = await policyOfStart({ start, platform });
  const kiosk = chosen.ok && chosen.policy.kiosk !== 'off';
  const network = createNetwork(systemProxy(electron));
  const running = await openApp({
    host: 'desktop',
    version,
    start,
    openExternal: (url) => openExternal(shell, url),
    control: createDesktopControl({
      electron,
      platform,
      versions: process.versions,
      desktop: {
        ...createSettingsControl({
          app,
          platform,
          env: process.env,
          home: homedir(),
          execPath: process.execPath,
          kiosk: kiosk || start.selfTest,
          logger: log.logger,
        }),
        saveAs: createSaver({ electron, dialogs, makeSuffix: randomUUID }),
        printPdf: press.print,
      },
      updates: updatesOf(start, network),
      system,
      crashDumps,
      workerLost: () => {
        for (const listener of [...threadListeners]) listener();
      },
      openWindow: (show) => secondWindows.current?.open(show),
    }),
    fork: createUtilityFork(electron),
    network,
    deviceSecret: (dataDir, policy) => {
      if (start.selfTest) return noDeviceSecret;
      return openKeyStore({
        app,
        safeStorage: electron.safeStorage,
        platform,
        dataDir,
        policy,
        random: createRandom(),
        logger: log.logger,
        clock: createClock(),
        onState: (keyStore) => system.change({ keyStore }),
      });
    },
  });
  if (running.kind === 'open') {
    log.begin(running.ports.logger);
    // Now that the data folder is this process's own. The window does not wait for it: a locked key store
    // answers when its prompt is answered, which may be never.
    void running.ports.deviceSecret.read();
    await show(parts, running);
    return;
  }
  say(running.sentence);
  if (start.selfTest) {
    app.exit(exitStatus.failed);
    return;
  }
  await app.whenReady();
  if (running.kind === 'owned' && running.owner?.host === 'browser' && start.open) {
    await shell.openPath(join(running.dataDir, launchFileName));
  } else {
    // After a double click there is no terminal for the sentence.
    dialog.showErrorBox('Field Console', running.sentence);
  }
  app.exit(exitStatus[running.kind]);
}

async function show(
  { desktop, start, threadListeners, secondWindows, log, press, breakdown, system }: Parts,
  running: RunningApp,
): Promise<void> {
  const { policy, ports } = running;
  const { clock, documents } = ports;
  const { logger } = log;
  running.app.watch('preferences', ({ language }) => words.use(language));
  await app.whenReady();
  const kiosk = policy.kiosk !== 'off';
  const place = kiosk || start.selfTest ? null : await readWindowPlace(documents, electron.screen);
  const manager = createServiceManager({ environment: process.env, clock, logger });
  const supervised = manager.listens || start.supervised;
  let closing: Promise<void> | null = null;
  // Called at the application's end, at a relaunch, and after a breakdown.
  const close = (): Promise<void> => {
    closing ??= running.close();
    manager.stopping();
    log.end();
    return closing;
  };
  const onStopped = (): void => void clock.schedule(stoppedForMs, () => manager.fallSilent());
  let shown: ShownDesktop | null = null;
  breakdown.attach({
    close,
    showStopped: () => {
      // The administrator's code could no longer leave a kiosk that is closed.
      if (kiosk || shown === null || shown.window.isDestroyed()) return false;
      shown.load('/stopped.html');
      onStopped();
      return true;
    },
  });
  const recover = recoverWindow({
    documents,
    supervised,
    relaunch: relaunchOptions(),
    close,
    onWorkerLost: (listener) => {
      threadListeners.add(listener);
      return () => void threadListeners.delete(listener);
    },
    onRetryGraphics: system.onRetryGraphics,
    onRestart: system.onRestart,
    onStopped,
  });
  const onSecondWindows = (windows: SecondWindows | null): void => {
    secondWindows.current = windows;
  };
  const server = developmentServer();
  // As a constant of the build here too, so that no build but development's holds those pages.
  const developed = import.meta.env.DEV && server !== null ? createDevelopmentPages(server) : null;
  shown = await desktop.run({
    console: running.app,
    close,
    clock,
    logger,
    pages: developed ?? (await openPageFiles({ root: join(import.meta.dirname, '../renderer') })),
    paper: press.answer,
    preload: join(import.meta.dirname, '../preload/index.cjs'),
    hotReload: developed?.socket ?? null,
    platform,
    process,
    supervised,
    sleep: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
    dialogs,
    words,
    policy,
    // On macOS and Linux the system knows them by the application's own files.
    tiesLinks: platform === 'win32' && isCopiedFolder(process.resourcesPath),
    knowsPlaces: knowsPlaces(app.commandLine.getSwitchValue('ozone-platform')),
    bounds: placeOptions(place),
    selfTest: start.selfTest,
    attachments: start.selfTest
      ? []
      : [
          recover,
          ...(kiosk ? [] : [askBeforeClosing(dialogs)]),
          ...settingsAttachments({ kiosk, documents, onSecondWindows }),
        ],
  });
  // Marks each start in the log. `npm run first-light` waits for it.
  logger.info('console-open', { version });
  manager.ready();
  if (!start.selfTest) return;
  // On Windows the standard output of a program with windows is not visible.
  const note = (entry: object): void => {
    if (start.selfTestReport !== null) appendFileSync(start.selfTestReport, `${JSON.stringify(entry)}\n`);
  };
  if (start.selfTestReport !== null) writeFileSync(start.selfTestReport, '');
  const report = await runSelfTest(shown, version, process.versions, note);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  note(report);
  await close();
  app.exit(report.passed ? exitStatus.done : exitStatus.failed);
}

/** Set when the running program is in an AppImage, whose mount ends with this process. */
const appImage = (): string | undefined => process.env['APPIMAGE'] || undefined;

/** The arguments of this process, without links and files, which are opened only once. */
const startArguments = (): string[] => process.argv.slice(1).filter((argument) => !isLink(argument));

function relaunchOptions(): electron.RelaunchOptions {
  const args = startArguments();
  const execPath = appImage();
  return execPath === undefined ? { args } : { args, execPath };
}

function updatesOf(start: StartOptions, network: Network): UpdateHost {
  const dataDir = dataFolderOf(start);
  const clock = createClock();
  return createUpdateHost({
    electron,
    dialogs,
    words,
    platform,
    arch: process.arch,
    resources: process.resourcesPath,
    appImage: appImage(),
    startArguments: startArguments(),
    trust: updateKeys,
    folder: createPrivateFolder(dataDir),
    folderPath: privateFolderOf(dataDir),
    server: (address) => createServerSource({ address, clock, network }),
    folderSource: createFolderSource,
  });
}

/** A start that takes the lock describes itself a moment later, milliseconds. */
const describeWithinMs = 2_000;

function begin(start: StartOptions, link: string | null): void {
  const broke = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    // A self-test has no operator to close a box.
    refuse('boxes.notStarted', { reason }, exitStatus.failed, !start.selfTest);
  };
  try {
    const dataDir = dataFolderOf(start);
    words.use(storedLanguage(dataDir));
    const clock = createClock();
    const log = createBoundLogger();
    const breakdown = watchForBreakdown({
      process,
      app,
      clock,
      logger: log.logger,
      dataDir: start.selfTest ? null : dataDir,
      supervised: isSupervised(process.env) || start.supervised,
      relaunch: relaunchOptions(),
      say,
      tellStopped: () => dialog.showErrorBox('Field Console', words.text('boxes.stopped')),
    });
    const advice = readRecoveryAdvice(dataDir, clock.wallNow());
    drawWith(app, advice);
    const profileFolder = openProfileFolder(dataDir, () => passingFolder('profile', clock.wallNow()));
    const crashDumps = keepCrashDumps({ app, crashReporter: electron.crashReporter, dataDir });
    const desktop = prepareDesktop({ electron, profileFolder, opened: { file: start.opened, link } });
    if (desktop.first) {
      const secondWindows = { current: null };
      const threadListeners = new Set<() => void>();
      const { gpuOffSince, brokeAt } = advice;
      const system = trackSystem({ ...systemAtRest, gpuOffSince, brokeAt });
      const press = createPaperPress({ electron, clock, logger: log.logger, makeId: randomUUID });
      const parts = { desktop, start, threadListeners, secondWindows, log, press, breakdown, system };
      openDesktop({ ...parts, crashDumps }).catch(broke);
      return;
    }
    const handOver = (): void => {
      // What was handed over is seen in that window; a box for each opened file would be in the way.
      refuse('boxes.owned', {}, exitStatus.owned, start.opened === null && link === null);
    };
    // Electron does not say why it has no lock: another start, a folder that cannot be written, one in use elsewhere.
    if (hasLiveOwner(dataDir)) handOver();
    else
      clock.schedule(describeWithinMs, () => {
        if (hasLiveOwner(dataDir)) handOver();
        else refuse('boxes.notLocked', { folder: profileFolder }, exitStatus.failed);
      });
  } catch (error) {
    broke(error);
  }
}

const starter: Starter = {
  platform,
  environment: process.env,
  terminal: process.stderr.isTTY,
  // Needed before the arguments are read: it decides where their refusal is shown.
  supervised: isSupervised(process.env) || process.argv.includes('--supervised'),
};

/** Ends a start. Where a person started it without a terminal, a box shows the reason, unless `box` is false. */
function refuse(id: DesktopText, values: MessageValues, status: number, box = true): void {
  say(words.english(id, values));
  if (!box) {
    app.exit(status);
    return;
  }
  void endRefused({
    electron,
    starter,
    sentence: () => words.text(id, values),
    status,
    makeFolder: () => passingFolder('refused', createClock().wallNow()),
  });
}

/** A self-test uses no stored data: training, in a folder that is removed with the process. */
function forSelfTest(start: StartOptions): StartOptions {
  return {
    ...start,
    named: [],
    opened: null,
    dataDir: passingFolder('self-test', createClock().wallNow()),
    training: true,
  };
}

/** Address of the page server of `npm run dev`; null in every other build. */
const developmentServer = (): string | null =>
  !import.meta.env.DEV || app.isPackaged ? null : (process.env['ELECTRON_RENDERER_URL'] ?? null);

/** Development uses a separate data folder. */
function forDevelopment(start: StartOptions): StartOptions {
  if (developmentServer() === null || start.dataDir !== null) return start;
  return { ...start, dataDir: join(dataFolderOf(start), 'development') };
}

function main(): void {
  nameApplication(app, developmentServer() === null ? 'shipped' : 'development', platform);
  // The program that started the console may have closed the pipe; that is no reason to end.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const given = readDesktopArguments({
    argv: process.argv,
    packaged: app.isPackaged,
    driven: inspectorUrl() !== undefined,
    platform,
    // The environment (ELECTRON_DISABLE_SANDBOX) takes it away without an argument.
    unsandboxed: app.commandLine.hasSwitch(unsandboxed),
  });
  if (withoutSandbox(given.refused, starter)) {
    refuse('boxes.noSandbox', {}, exitStatus.refused);
    return;
  }
  if (given.refused.length > 0) {
    // Removed first, so that nothing listens in the moment before the program ends.
    for (const name of given.refused) app.commandLine.removeSwitch(name);
    say(refusal(given.refused));
    app.exit(exitStatus.refused);
    return;
  }
  const parsed = parseArguments({
    argv: given.own,
    environment: process.env,
    workingFolder: process.cwd(),
  });
  switch (parsed.kind) {
    case 'version':
      process.stdout.write(`${version}\n`);
      app.exit(exitStatus.done);
      break;
    case 'help':
      process.stdout.write(usage);
      app.exit(exitStatus.done);
      break;
    case 'check':
      say('The browser host checks a deployment: npm run serve -- --check --deployment FILE.');
      app.exit(exitStatus.refused);
      break;
    case 'refused':
      say(`${parsed.sentence}\n\n${usage}`);
      app.exit(exitStatus.refused);
      break;
    case 'run':
      if (parsed.options.selfTest) begin(forSelfTest(parsed.options), null);
      else {
        const start = forDevelopment(parsed.options);
        moveFormerData(start);
        begin(start, given.link);
      }
      break;
  }
}

main();
