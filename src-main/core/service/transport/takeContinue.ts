import type { Socket } from 'node:net';
import { Pool, type Dispatcher } from 'undici';

/** undici takes this informational status, and each other one but 100 and 101. */
const processing = 102;

interface Parser {
  onHeadersComplete: (this: Parser, status: number, ...rest: readonly unknown[]) => number;
}

/**
 * An undici `factory` that shows each connection to `carry`, and whose connections take an unasked `100 Continue` as what it is: an informational answer before
 * the final one (RFC 9110, 15.2). undici closes the connection instead, and has no option for that. Its parser alone
 * knows where an answer begins, so its parser is given another informational status.
 */
export const takeContinue =
  (carry: (socket: Socket) => void = () => undefined) =>
  (origin: string | URL, options: object): Dispatcher => {
    const pool = new Pool(origin, options);
    pool.on('connect', (_, targets) => {
      const socket = ownNamed(targets.at(-1), 'socket') as Socket;
      carry(socket);
      const parser = ownNamed(socket, 'parser') as Parser;
      const complete = parser.onHeadersComplete;
      parser.onHeadersComplete = function (status, ...rest) {
        return complete.call(this, status === 100 ? processing : status, ...rest);
      };
    });
    return pool;
  };

/** undici names its inner fields by symbols that it does not export. */
function ownNamed(owner: unknown, name: string): unknown {
  const symbol = Object.getOwnPropertySymbols(owner).find(({ description }) => description === name);
  if (symbol === undefined) throw new TypeError(`undici has no ${name}`);
  return (owner as Readonly<Record<symbol, unknown>>)[symbol];
}
