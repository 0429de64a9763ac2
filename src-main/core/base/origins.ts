/**
 * Whether a URL's host is this computer itself: localhost, 127.0.0.0/8 or ::1. The URL parser has
 * already turned forms such as 127.1 or 0x7f.1 into dotted numbers.
 */
export function isLoopbackHost(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

export const originOf = (url: string): string => new URL(url).origin;
export const hostOf = (url: string): string => new URL(url).host;
