/** Node's inspector in the application's main process: the shipped application refuses it, its copy has it. */
import type * as Electron from 'electron';
import { z } from 'zod';

/** The main process of a running application, as steps drive it from outside. */
export interface MainProcess {
  /**
   * Runs a function there and resolves to what it returns, which has to be JSON. The function knows nothing around it.
   *
   * @throws Error with the message of what it throws, or when the process has ended.
   */
  evaluate<A, R>(
    run: (electron: typeof Electron, argument: A) => R | Promise<R>,
    argument: A,
  ): Promise<Awaited<R>>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
}

export type Connected = MainProcess & { close(): void };

const answerSchema = z.object({
  id: z.number(),
  error: z.object({ message: z.string() }).optional(),
  result: z
    .object({
      result: z.object({ value: z.unknown().optional() }).optional(),
      exceptionDetails: z
        .object({ text: z.string(), exception: z.object({ description: z.string() }).partial().optional() })
        .optional(),
    })
    .optional(),
});
const waitsForUs = z.object({ method: z.literal('NodeRuntime.waitingForDisconnect') });
type Answer = z.infer<typeof answerSchema>;

/** The address that a process with `--inspect` wrote to its standard error; null while there is none. */
export const inspectorIn = (stderr: string): string | null =>
  /^Debugger listening on (ws:\S+)/m.exec(stderr)?.[1] ?? null;

/** @param address of the inspector, as `inspectorIn` reads it */
export async function connect(address: string): Promise<Connected> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  const { promise: ended, resolve: sayEnded } = Promise.withResolvers<void>();
  let [last, over] = [0, false];
  socket.addEventListener('message', ({ data }) => {
    const message: unknown = JSON.parse(String(data));
    const answer = answerSchema.safeParse(message);
    if (!answer.success) {
      // Of its events one counts: a process at its end waits until its debugger has gone.
      if (waitsForUs.safeParse(message).success) socket.close();
      return;
    }
    waiting.get(answer.data.id)?.resolve(answer.data);
    waiting.delete(answer.data.id);
  });
  const end = (): void => {
    over = true;
    sayEnded();
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  };
  socket.addEventListener('close', end);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('The inspector takes no connection.')));
  });
  const waits = { method: 'NodeRuntime.notifyWhenWaitingForDisconnect', params: { enabled: true } };
  socket.send(JSON.stringify({ id: 0, ...waits }));
  return {
    ended,
    evaluate: async (run, argument) => {
      if (over) throw gone();
      last += 1;
      const id = last;
      const answered = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }));
      const params = {
        // Only the command line of the inspector has `require`.
        expression: `(${run.toString()})(require('electron'), ${JSON.stringify(argument)})`,
        includeCommandLineAPI: true,
        awaitPromise: true,
        returnByValue: true,
      };
      socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
      const { error, result } = await answered;
      const thrown = result?.exceptionDetails;
      if (error || thrown)
        throw new Error(messageOf(thrown?.exception?.description ?? thrown?.text ?? error?.message ?? ''));
      return result?.result?.value as never;
    },
    close: () => socket.close(),
  };
}

const gone = (): Error => new Error('The application has ended.');
/** Of a description with its stack. */
const messageOf = (description: string): string =>
  (description.split('\n')[0] ?? '').replace(/^(?:Uncaught )?(?:\w*Error: )/, '');
