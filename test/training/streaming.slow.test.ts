import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { formAround, formType } from './form.ts';

const program = fileURLToPath(new URL('./programs/service.ts', import.meta.url));
const megabyte = 1_048_576;

interface Told {
  readonly uploads: readonly { readonly bytes: number; readonly sha256: string }[];
  readonly mostMegabytes: number;
}

test('a large file passes through without being kept in memory', async () => {
  const child = fork(program, { execArgv: [] });
  try {
    const heard = async (): Promise<unknown> => ((await once(child, 'message')) as unknown[])[0];
    const { url, token } = (await heard()) as { url: string; token: string };
    const tell = async (): Promise<Told> => {
      child.send('tell');
      return (await heard()) as Told;
    };
    const hash = createHash('sha256');
    const send = async (name: string, megabytes: number): Promise<number> => {
      const { head, tail } = formAround({ name });
      const block = new Uint8Array(megabyte);
      const body = async function* () {
        yield head;
        for (let count = 0; count < megabytes; count += 1) {
          block.fill(count);
          if (megabytes > 1) hash.update(block);
          yield block.slice();
        }
        yield tail;
      };
      const answer = await fetch(`${url}/storage`, {
        method: 'POST',
        body: body() as unknown as ReadableStream,
        duplex: 'half',
        headers: { 'content-type': formType, authorization: `Bearer ${token}`, 'idempotency-key': name },
      } as RequestInit);
      return answer.status;
    };
    // What hashing and parsing need at all is there after a small one.
    expect(await send('small', 1)).toBe(201);
    const before = await tell();
    const size = 256;
    expect(await send('large', size)).toBe(201);
    const after = await tell();
    expect(after.uploads[1]).toMatchObject({ bytes: size * megabyte, sha256: hash.digest('hex') });
    const grown = after.mostMegabytes - before.mostMegabytes;
    process.stdout.write(
      `training upload of ${String(size)} MB: at most ${grown.toFixed(0)} MB more memory\n`,
    );
    // Half of the file: what lies uncollected between two collections is far less.
    expect(grown).toBeLessThan(size / 2);
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
});
