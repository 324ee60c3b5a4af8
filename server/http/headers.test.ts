import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HSTS } from '../config/config.ts'
import {
  API_HEADERS,
  ASSET_HEADERS,
  COMMON_HEADERS,
  consoleHeaders,
  documentHeaders,
  previewHeaders,
  transportHeaders,
} from './headers.ts'

const LOCAL = new URL('http://localhost:3000')
const PUBLIC = new URL('https://pay.example.com')

const policy = (bridge: string): string =>
  "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'self' 'nonce-abc'; img-src 'self'; " +
  `font-src 'self'; connect-src 'self'; frame-src ${bridge}; form-action 'none'; base-uri 'none'; object-src 'none'; ` +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-to csp; " +
  'report-uri /csp-report'

const features = (bridge: string): string =>
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), serial=(), ' +
  `usb=(), publickey-credentials-get=(self "${bridge}"), payment=(self "${bridge}")`

const bridges: readonly (readonly [URL, string])[] = [
  [LOCAL, 'http://3ds.localhost:3000'],
  [PUBLIC, 'https://3ds.pay.example.com'],
]
for (const [base, bridge] of bridges) {
  test(`the card page under ${base.origin} lets in its own scripts and frames one host, and nothing else`, () => {
    assert.deepEqual(documentHeaders('abc', base, ['https://shop.example.com/cart']), {
      'content-security-policy': policy(bridge),
      'integrity-policy': 'blocked-destinations=(script), endpoints=(csp)',
      'reporting-endpoints': 'csp="/csp-report"',
      'permissions-policy': features(bridge),
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'connection-allowlist': `(response-origin "${bridge}" "https://shop.example.com" "mailto:*" "tel:*");redirects=allow`,
    })
  })
}

test('the preview shows pictures of its own host, over https and inline, calls nobody, frames nothing and is framed by the console alone', () => {
  assert.deepEqual(previewHeaders('abc', LOCAL), {
    'content-security-policy':
      "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'self' 'nonce-abc'; " +
      "img-src 'self' https: data:; font-src 'self'; connect-src 'none'; frame-src 'none'; form-action 'none'; " +
      "base-uri 'none'; object-src 'none'; frame-ancestors http://console.localhost:3000; require-trusted-types-for 'script'; " +
      "trusted-types 'none'; report-to csp; report-uri /csp-report",
    'integrity-policy': 'blocked-destinations=(script), endpoints=(csp)',
    'reporting-endpoints': 'csp="/csp-report"',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), ' +
      'serial=(), usb=(), publickey-credentials-get=(), payment=()',
    'cache-control': 'no-store',
  })
})

test('the console calls its own host alone, frames and shows the shops below its base, makes passkeys, and is framed by nobody', () => {
  assert.deepEqual(consoleHeaders('abc', PUBLIC), {
    'content-security-policy':
      "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'self' 'nonce-abc'; " +
      "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
      "frame-src https://*.pay.example.com; form-action 'none'; base-uri 'none'; object-src 'none'; " +
      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-to csp; " +
      'report-uri /csp-report',
    'integrity-policy': 'blocked-destinations=(script), endpoints=(csp)',
    'reporting-endpoints': 'csp="/csp-report"',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), ' +
      'serial=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self), payment=()',
    'cache-control': 'no-store',
  })
})

test('no policy of ours lets an inline script or any other origin’s script run', () => {
  for (const headers of [documentHeaders('abc', LOCAL, []), API_HEADERS, ASSET_HEADERS]) {
    const [scripts] = (headers['content-security-policy'] ?? '').split('; ').filter((part) => /^script-src/.test(part))
    assert.ok(scripts === undefined || scripts === "script-src 'nonce-abc' 'strict-dynamic'", String(scripts))
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'/)
    assert.doesNotMatch(headers['content-security-policy'] ?? '', /unsafe-eval|\*|https:(?!\/\/3ds)/)
  }
})

test('over https an answer has Strict-Transport-Security as configured; over http it has none', () => {
  const over = (base: URL) => HSTS.map((hsts) => transportHeaders(base, hsts)['strict-transport-security'])
  assert.deepEqual(over(PUBLIC), [
    'max-age=63072000',
    'max-age=63072000; includeSubDomains',
    'max-age=63072000; includeSubDomains; preload',
  ])
  assert.deepEqual(over(LOCAL), [undefined, undefined, undefined])
})

test('every answer carries the same plain protections', () => {
  assert.deepEqual(COMMON_HEADERS, {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow',
    'x-xss-protection': '0',
  })
  assert.deepEqual(API_HEADERS, {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  })
  assert.equal(ASSET_HEADERS['cache-control'], 'public, max-age=31536000, immutable')
})
