import type { Network } from '../../core/service/transport/network.ts';
import type { DesktopElectron } from './electron.ts';

/** The proxies of the system by Chromium, which reads PAC scripts and finds them by WPAD. Electron answers when it is ready. */
export const systemProxy =
  ({ app, session }: Pick<DesktopElectron, 'app' | 'session'>): NonNullable<Network['resolveProxy']> =>
  async (address) => {
    await app.whenReady();
    return session.defaultSession.resolveProxy(address);
  };
