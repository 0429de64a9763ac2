/** A file that is bad on purpose, in the form in which the scanned ones are written. */
export const seededName = (what: string): string => (what === 'bundle' ? 'seeded/bad.js' : 'seeded/bad.ts');

/** What the scanner must find in it. */
export const seededIds: readonly string[] = [
  'NODE_INTEGRATION_JS_CHECK',
  'CONTEXT_ISOLATION_JS_CHECK',
  'WEB_SECURITY_JS_CHECK',
  'SANDBOX_JS_CHECK',
  'OPEN_EXTERNAL_JS_CHECK',
];

export const seededText = `
import { BrowserWindow, shell } from 'electron';
export const open = (url) => {
  shell.openExternal(url);
  new BrowserWindow({ webPreferences: { nodeIntegration: true } });
  return new BrowserWindow({
    webPreferences: { contextIsolation: false, webSecurity: false, sandbox: false },
  });
};
`;
