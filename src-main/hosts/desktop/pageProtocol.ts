import type { CustomScheme, Session } from 'electron';
import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import type { PageFiles } from '../pages.ts';
import { isOwnUrl } from './guard.ts';

/** The page's scheme without the colon. */
export const pageScheme = desktopOrigin.slice(0, desktopOrigin.indexOf(':'));

/** What the scheme may do; must be registered before Electron's `ready`. */
export const pageSchemes: CustomScheme[] = [
  { scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
];

/** Serves the built page at `console://app/` with the browser host's headers. */
export function servePage(options: { readonly session: Session; readonly pages: PageFiles }): void {
  options.session.protocol.handle(pageScheme, async (request) => {
    if (!isOwnUrl(request.url, null)) return new Response(null, { status: 404 });
    const { pathname } = new URL(request.url);
    const { status, headers, body } = await options.pages.answer(request.method, pathname);
    return new Response(request.method === 'HEAD' ? null : body, { status, headers });
  });
}
