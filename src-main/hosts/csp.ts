import { randomBytes } from 'node:crypto';

/**
 * The page's security headers, one source for both hosts: a difference between them could be a gap that tests of one
 * host do not find.
 */

/**
 * The content security policy. Scripts and workers come only from the page's own origin; `nonce` allows the style
 * elements that interface components insert. No text becomes markup or a script: only the page's own policy
 * (src-renderer/trustedTypes.ts) and Vue's are allowed.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `worker-src 'self'`,
    `connect-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `media-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `object-src 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types default vue`,
  ].join('; ');
}

/** A nonce for one answer: 144 random bits. */
export const freshNonce = (): string => randomBytes(18).toString('base64url');

const refusedFeatures = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];

/** The headers of every answer of a page's origin. */
export function securityHeaders(nonce: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(nonce),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': refusedFeatures.map((feature) => `${feature}=()`).join(', '),
    'x-frame-options': 'DENY',
    'x-dns-prefetch-control': 'off',
  };
}
