import type { UpdatesState } from '../../../../src-preload/contract/index.ts';
import type { Policy } from '../policy/index.ts';
import type { UpdateHost } from './updateHost.ts';

/** Whether a console can be updated from here, and from which server; the reason that weighs most where not. */
export function offerOf(
  host: Pick<UpdateHost, 'offered' | 'trust'> | null,
  policy: Pick<Policy, 'kiosk' | 'updates'>,
): { readonly offered: UpdatesState['offered']; readonly server: string | null } {
  if (host === null) return { offered: 'browser', server: null };
  if (host.offered !== 'yes') return { offered: host.offered, server: null };
  if (host.trust.keys.length === 0) return { offered: 'unsigned', server: null };
  if (!policy.updates.allowed) return { offered: policy.kiosk === 'off' ? 'policy' : 'kiosk', server: null };
  return { offered: 'yes', server: policy.updates.server ?? host.trust.server };
}
