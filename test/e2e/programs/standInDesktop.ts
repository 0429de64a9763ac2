/**
 * The built desktop application on the fake of `electron`: its pages are those of a browser that the parent process
 * owns. Takes the application's own arguments, and ends as it ends.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { FakeElectron } from '../../hosts/desktop/fake/electron.ts';
import { pageScheme } from '../../../src-main/hosts/desktop/pageProtocol.ts';
import { otherBuildVariable, withTrust, type OtherBuild } from '../standIn/otherBuild.ts';
import { serveScheme } from '../standIn/schemeServer.ts';
import { shareInstance } from '../standIn/singleInstance.ts';
import { say, tieWindows } from '../standIn/windows.ts';

// Unfriendly in everything but the key store, which somebody unlocked when they signed in to their desktop.
const fake = new FakeElectron({ keyStoreAnswers: true });
fake.app.isPackaged = true;
fake.app.version = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
// Where the operator of these tests saves whatever a dialog asks about.
fake.savesIn = join(homedir(), 'saved');
mkdirSync(fake.savesIn, { recursive: true });
const instance = shareInstance(fake.app);
const windows = tieWindows(fake);
const { origin } = await serveScheme({
  handler: () => fake.pageSession.schemes.get(pageScheme),
  onPage: windows.onPage,
});
fake.app.exit = (status = 0) => {
  fake.app.emit('quit', {}, status);
  void instance.handedOver().then(() => process.exit(status));
};
// Whoever owns the pages is gone.
process.on('disconnect', () => process.exit(1));
say({ kind: 'serves', origin });

const electron = fake.asElectron();
const key = 'field-console electron stand-in';
Object.assign(globalThis, { [Symbol.for(key)]: electron });
const address = 'stand-in:electron';
const program = pathToFileURL(resolve('out/main/desktop.js')).href;
const otherBuild = JSON.parse(process.env[otherBuildVariable] ?? 'null') as OtherBuild | null;
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url: address, format: 'module', shortCircuit: true } : next(name, context),
  load: (url, context, next) => {
    if (url === program && otherBuild !== null) {
      const source = withTrust(readFileSync(new URL(program), 'utf8'), otherBuild.trust);
      return { format: 'module', source, shortCircuit: true };
    }
    if (url !== address) return next(url, context);
    const source = `const electron = globalThis[Symbol.for('${key}')];
export default electron;
export const { ${Object.keys(electron).join(', ')} } = electron;`;
    return { format: 'module', source, shortCircuit: true };
  },
});
// As in the packed application: what stands beside the program, and no program in front of the arguments.
Object.defineProperty(process, 'resourcesPath', {
  value: otherBuild?.resources ?? resolve('out'),
  configurable: true,
});
process.argv = [process.execPath, ...process.argv.slice(2)];
await import(program);
