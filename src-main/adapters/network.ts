import { networkInterfaces } from 'node:os';

/** The addresses of the computer's networks. Empty where the system does not tell them. */
export function networkAddresses(): string {
  try {
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const own = all.filter(({ internal }) => !internal).map(({ address }) => address);
    return own.sort().join(' ');
  } catch {
    return '';
  }
}
