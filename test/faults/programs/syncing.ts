/**
 * A console that syncs until it is killed: the real core on the real adapters, whose storage says on
 * standard output what it was asked to keep once it has answered that it is kept.
 *
 *   ["loaded", ids]            what the vault held at the start
 *   ["stored", ids, removed]   acknowledged as stored
 *   ["open"]                   signed in, the vault open and read
 *
 * Deployment file and data folder are arguments; the credentials come as the first line of standard
 * input.
 */
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { CacheStore } from '../../../src-main/core/vault/storage.ts';
import { ask } from '../../support/console.ts';
import { openNodeConsole } from '../../support/nodeConsole.ts';
import { cheapHasher } from '../../support/ports.ts';

type Line = readonly [kind: 'loaded' | 'stored' | 'open', ...rest: readonly (readonly string[])[]];
const say = (line: Line): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const observed = (store: CacheStore): CacheStore => ({
  async load(take) {
    const ids: string[] = [];
    const loaded = await store.load((json) => {
      const entries = JSON.parse(Buffer.from(json).toString('utf8')) as readonly (readonly [id: string])[];
      for (const [id] of entries) ids.push(id);
      return take(json);
    });
    say(['loaded', ids]);
    return loaded;
  },
  async write(change) {
    await store.write(change);
    say(['stored', change.upserts.ids, change.removals]);
  },
  document: (name) => store.document(name),
  count: () => store.count(),
  renew: (keys) => store.renew(keys),
  close: () => store.close(),
});

const [dataDir = '', deployment = ''] = process.argv.slice(2);
const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string];
const credentials = JSON.parse(line) as { readonly username: string; readonly password: string };

const { console } = await openNodeConsole({
  dataDir,
  deployment,
  logLevel: 'debug',
  change: ({ vaults }) => ({
    // Hundreds of starts: the shipped cost of a password is proven elsewhere.
    hasher: cheapHasher,
    vaults: new Proxy(vaults, {
      get(target, name) {
        if (name !== 'openCache') {
          const member: unknown = Reflect.get(target, name);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        }
        return async (options: Parameters<typeof target.openCache>[0]) => {
          const opened = await target.openCache(options);
          return { ...opened, store: observed(opened.store) };
        };
      },
    }),
  }),
});
await ask(console, 'signIn', credentials);
say(['open']);
