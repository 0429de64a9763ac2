import { expect, it } from 'vitest';
import { createEvents } from '../../../src-main/core/base/events.ts';
import { Scope } from '../../../src-main/core/base/scope.ts';
import { createTestPorts } from '../../support/ports.ts';

interface Above {
  readonly wake: number;
}
interface Below extends Above {
  readonly line: string;
}

/** An account in a deployment, and what was heard in both, in order. */
function lifetimes() {
  const ports = createTestPorts();
  const [deploymentScope, scope] = [new Scope(ports), new Scope(ports)];
  const deployment = createEvents<Above, Above>(deploymentScope);
  const stored = { loaded: false };
  const account = createEvents<Above, Below>(scope, deployment, () => stored.loaded);
  const heard: string[] = [];
  deployment.on('wake', (value) => heard.push(`deployment ${String(value)}`));
  account.on('wake', (value) => heard.push(`list ${String(value)}`), 'at-once');
  account.on('wake', (value) => heard.push(`stored ${String(value)}`));
  account.on('line', (value) => heard.push(value));
  return { deployment, account, scope, stored, heard };
}

it('tells the lifetime below first, and before the stored data are loaded only who asks for it', () => {
  const { deployment, stored, heard } = lifetimes();
  deployment.emit('wake', 1);
  expect(heard).toEqual(['list 1', 'deployment 1']);
  stored.loaded = true;
  deployment.emit('wake', 2);
  expect(heard.slice(2)).toEqual(['list 2', 'stored 2', 'deployment 2']);
});

it('what a lifetime emits itself is heard in it alone, loaded or not', () => {
  const { account, heard } = lifetimes();
  account.emit('line', 'early');
  account.emit('wake', 3);
  expect(heard).toEqual(['early', 'list 3', 'stored 3']);
});

it('at the end hears nothing from above, and its own events until what was made later has ended', async () => {
  const { deployment, account, scope, stored, heard } = lifetimes();
  stored.loaded = true;
  scope.onEnd(() => {
    account.emit('line', 'first step');
  });
  scope.defer(() => {
    account.emit('line', 'second step');
  });
  const ended = scope[Symbol.asyncDispose]();
  deployment.emit('wake', 4);
  await ended;
  account.emit('line', 'after the end');
  expect(heard).toEqual(['first step', 'second step', 'deployment 4']);
});
