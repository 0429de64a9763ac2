import { existsSync } from 'node:fs';
import { systemBrowser } from '../support/chromium.ts';

/** What has to be there, and in which of Debian's packages it is. */
const needed = {
  '/usr/bin/orca': 'orca',
  '/usr/lib/speech-dispatcher-modules/sd_dummy': 'speech-dispatcher',
  '/usr/bin/dbus-run-session': 'dbus-daemon',
  '/usr/bin/xvfb-run': 'xvfb',
};

/** Why no screen reader can be heard on this machine; null where one can. */
export function noScreenReader(): string | null {
  const missing = Object.entries(needed).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
  if (systemBrowser() === undefined) missing.push('chromium');
  return missing.length === 0 ? null : `no ${missing.join(', ')}`;
}
