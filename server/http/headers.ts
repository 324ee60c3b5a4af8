/** Security headers: Content-Security-Policy, HSTS and the rest. */
import type { Hsts } from '../config/config.ts'
import { connectionAllowlist } from './connection-allowlist.ts'
import { bridgeOrigin, consoleOrigin, merchantOrigin } from '../origins.ts'

/** What every answer carries, whatever it is. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'x-xss-protection': '0',
}

const TWO_YEARS = 'max-age=63072000'

const hstsValue: Record<Hsts, string> = {
  host: TWO_YEARS,
  subdomains: `${TWO_YEARS}; includeSubDomains`,
  preload: `${TWO_YEARS}; includeSubDomains; preload`,
}

/** HSTS: a browser ignores it over plain http, and on localhost it would lock a developer out. */
export const transportHeaders = (base: URL, hsts: Hsts): Readonly<Record<string, string>> =>
  base.protocol === 'https:' ? { 'strict-transport-security': hstsValue[hsts] } : {}

export const API_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** For files whose name changes with their content. */
const ASSET_CACHING = 'public, max-age=31536000, immutable'

export const ASSET_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': ASSET_CACHING,
}

/** A picture that a merchant has uploaded: opened by itself, it is a page without any right, whatever is in it. */
export const PICTURE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cache-control': ASSET_CACHING,
}

const staticPagePolicy = (style: string, forms: string): string[] => [
  "default-src 'none'",
  `style-src '${style}'`,
  `form-action ${forms}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

/** A page that runs nothing. `style` is the hash of the one style in it; `forms`: where a form of it may be sent. */
export const staticPageHeaders = (style: string, forms = "'none'"): Readonly<Record<string, string>> => ({
  'content-security-policy': staticPagePolicy(style, forms).join('; '),
})

/** The page of a reusable link: it shows the shop's logo, and its one form goes to its own address. */
export const linkPageHeaders = (style: string): Readonly<Record<string, string>> => ({
  'content-security-policy': [...staticPagePolicy(style, "'self'"), "img-src 'self'"].join('; '),
})

/** The reference page: it runs the one script whose hash this is, which can fetch nothing and make nothing else run. */
export const referencePageHeaders = (style: string, script: string): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    ...staticPagePolicy(style, "'none'"),
    `script-src '${script}'`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
})

const DENIED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'microphone',
  'midi',
  'serial',
  'usb',
]

interface Reach {
  readonly images: string
  readonly calls: string
  readonly frames: string
  /** Permissions besides those that every page is denied. */
  readonly features: readonly string[]
  /** Who may show it in a frame. */
  readonly framedBy: string
}

/** For SPC and for a bank that asks for a passkey in its frame. */
const paymentFeatures = (origins: string): string[] => [
  `publickey-credentials-get=(${origins})`,
  `payment=(${origins})`,
]

const drawnPageHeaders = (nonce: string, reach: Reach): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${reach.images}`,
    "font-src 'self'",
    `connect-src ${reach.calls}`,
    `frame-src ${reach.frames}`,
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${reach.framedBy}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    'report-to csp',
    'report-uri /csp-report',
  ].join('; '),
  'integrity-policy': 'blocked-destinations=(script), endpoints=(csp)',
  'reporting-endpoints': 'csp="/csp-report"',
  'permissions-policy': [...DENIED_FEATURES.map((feature) => `${feature}=()`), ...reach.features].join(', '),
  'cache-control': 'no-store',
})

/** Headers of a page that takes a card. `nonce` is fresh for every answer; `linked` is every address that the page leads to. */
export const documentHeaders = (
  nonce: string,
  base: URL,
  linked: readonly string[],
): Readonly<Record<string, string>> => ({
  ...drawnPageHeaders(nonce, {
    images: "'self'",
    calls: "'self'",
    frames: bridgeOrigin(base),
    features: paymentFeatures(`self "${bridgeOrigin(base)}"`),
    framedBy: "'none'",
  }),
  // With `same-origin` a bank's window.open below this page gets no handle, and the bank says that popups are blocked.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  ...connectionAllowlist(base, linked),
})

/**
 * Headers of the preview: it shows anybody's pictures that come over https, so nothing that is typed or read there can leave it.
 * The console alone shows it in a frame; whoever sends these also takes X-Frame-Options away, which can name no other origin.
 */
export const previewHeaders = (nonce: string, base: URL): Readonly<Record<string, string>> =>
  drawnPageHeaders(nonce, {
    images: "'self' https: data:",
    calls: "'none'",
    frames: "'none'",
    features: paymentFeatures(''),
    framedBy: consoleOrigin(base),
  })

/** Headers of the console: it shows previews of every shop in frames, and makes and asks for passkeys. */
export const consoleHeaders = (nonce: string, base: URL): Readonly<Record<string, string>> => {
  const shops = merchantOrigin(base, '*')
  return drawnPageHeaders(nonce, {
    images: "'self' data: blob:",
    calls: "'self'",
    frames: shops,
    features: ['publickey-credentials-get=(self)', 'publickey-credentials-create=(self)', 'payment=()'],
    framedBy: "'none'",
  })
}
