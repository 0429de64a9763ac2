import type { Clock, Documents, Logger } from '../../core/base/ports.ts';
import { recover, startRecovery, type RecoveryEvent, type StopReason } from './machine.ts';
import { decodeRemembered, encodeRemembered, recoveryFile } from './remembered.ts';

/** EX_TEMPFAIL of sysexits.h: a service manager that restarts on failure starts the console again. */
export const relaunchStatus = 75;

/** What a host can do for a console in trouble. None of it may throw. */
export interface RecoveryActions {
  /** Ends a page that hangs, so that it can be loaded again. */
  endPage(): void;
  reloadPage(): void;
  /** Ends the process so that the console is started anew. */
  relaunch(): void;
  /** Shows the page that says what to do. */
  stop(): void;
}

export interface Recovery {
  note(event: RecoveryEvent): void;
  /** Nothing is done any more; what is being written down still is. */
  close(): void;
}

/** A relaunch does not wait longer for its note to reach the disk. */
const noteWithinMs = 2_000;

/** Drives the recovery machine (machine.ts) for a host. */
export async function createRecovery(options: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly documents: Pick<Documents, 'read' | 'write'>;
  readonly actions: RecoveryActions;
}): Promise<Recovery> {
  const { clock, logger, documents, actions } = options;
  const text = await documents.read(recoveryFile).catch(() => null);
  let state = startRecovery(decodeRemembered(text, clock.wallNow()));
  let cancelReload = (): void => undefined;
  let closed = false;

  const remember = (): Promise<void> =>
    documents.write(recoveryFile, encodeRemembered(state.remembered)).catch((error: unknown) => {
      logger.warn('recovery-not-noted', { error: error instanceof Error ? error.message : 'unknown' });
    });

  // The start that found this has said so (readRecoveryAdvice); the next one has nothing of it to say.
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
    // A disk that hangs must not keep the console from coming back.
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
          cancelReload = clock.schedule(step.afterMs, () => actions.reloadPage());
          return;
        case 'relaunch':
          cancelReload();
          relaunch(step.reason);
          return;
        case 'stop':
          cancelReload();
          logger.error('recovery-stopped', { reason: step.reason });
          actions.stop();
          return;
      }
    },
    close: () => {
      closed = true;
      cancelReload();
    },
  };
}
