import { textOf } from '../../core/base/errors.ts';
import type { Clock, Documents, Logger } from '../../core/base/ports.ts';
import { Timer } from '../../core/base/timer.ts';
import { recover, startRecovery, type RecoveryEvent, type StopReason } from './machine.ts';
import { decodeRemembered, encodeRemembered, recoveryFile } from './remembered.ts';

/** EX_TEMPFAIL of sysexits.h: a service manager that restarts on failure starts the console again. */
export const relaunchStatus = 75;

/** A host's functions for a console in trouble. None of them may throw. */
export interface RecoveryActions {
  /** Kills a page that hangs, so that it can be loaded again. */
  endPage(): void;
  reloadPage(): void;
  /** Ends the process so that the console is started again. */
  relaunch(): void;
  /** Shows the page with instructions. */
  stop(): void;
}

export interface Recovery {
  note(event: RecoveryEvent): void;
  /** Nothing happens afterwards, but a running write continues. */
  close(): void;
}

/** How long a relaunch waits for its note to reach the disk. */
const noteWithinMs = 2_000;

/** Runs the recovery machine (machine.ts) for a host. */
export async function createRecovery(options: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly documents: Pick<Documents, 'read' | 'write'>;
  readonly actions: RecoveryActions;
}): Promise<Recovery> {
  const { clock, logger, documents, actions } = options;
  const text = await documents.read(recoveryFile).catch(() => null);
  let state = startRecovery(decodeRemembered(text, clock.wallNow()));
  const reloading = new Timer(clock, () => actions.reloadPage());
  let closed = false;

  const remember = (): Promise<void> =>
    documents.write(recoveryFile, encodeRemembered(state.remembered)).catch((error: unknown) => {
      logger.warn('recovery-not-noted', { error: textOf(error) });
    });

  // The start that found this has reported it (readRecoveryAdvice); the next one must not report it again.
  if (state.remembered.brokeAt !== null) {
    state = { ...state, remembered: { ...state.remembered, brokeAt: null } };
    void remember();
  }

  const relaunch = (reason: StopReason): void => {
    logger.error('recovery-relaunch', { reason, within: state.remembered.relaunches.length });
    let gone = false;
    const go = (): void => {
      if (gone) return;
      gone = true;
      cancel();
      if (!closed) actions.relaunch();
    };
    // A disk that hangs must not keep the console from restarting.
    const cancel = clock.schedule(noteWithinMs, go);
    void remember().then(go);
  };

  return {
    note: (event) => {
      if (closed) return;
      const before = state.remembered;
      const next = recover(state, event, { elapsed: clock.elapsed(), wall: clock.wallNow() });
      state = next.state;
      const { step } = next;
      switch (step.kind) {
        case 'none':
          if (state.remembered !== before) void remember();
          return;
        case 'reload':
          logger.warn('recovery-reload', { reason: event.kind, afterMs: step.afterMs });
          if (step.hard) actions.endPage();
          reloading.set(step.afterMs);
          return;
        case 'relaunch':
          reloading.stop();
          relaunch(step.reason);
          return;
        case 'stop':
          reloading.stop();
          logger.error('recovery-stopped', { reason: step.reason });
          actions.stop();
          return;
      }
    },
    close: () => {
      closed = true;
      reloading.stop();
    },
  };
}
