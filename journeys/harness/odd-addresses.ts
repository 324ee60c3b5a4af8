/** Odd addresses: what people, crawlers and mail programs make of a link. */

const NAMES = [
  ...[
    'foo',
    'robots.txt',
    'favicon.ico',
    'sitemap.xml',
    'index.html',
    'index.php',
    'wp-login.php',
    '.env',
    '.git/config',
  ],
  ...['apple-touch-icon.png', 'ads.txt', 'humans.txt', 'manifest.json', 'service-worker.js', 'sw.js', 'security.txt'],
  ...[
    'creditcard',
    'complete',
    'error',
    '404',
    '500',
    'preview',
    'Preview',
    'PREVIEW',
    '400',
    '403',
    '503',
    '0',
    'null',
  ],
  ...['undefined', 'NaN', 'constructor', '__proto__', 'toString', 'hasOwnProperty', '%20', '%E3%81%82', 'お茶', 'café'],
  ...[
    'a b',
    'a+b',
    "a'b",
    '%22',
    '%3Cscript%3E',
    '~',
    '!',
    '$',
    '(',
    ')',
    '*',
    ',',
    ';',
    '=',
    '@',
    ':',
    '-',
    '_',
    '.well-known',
  ],
  ...[
    'api',
    'api/v1',
    'api/v2/x',
    'admin',
    'login',
    'cart',
    'checkout',
    'pay',
    'en',
    'ja',
    'en-US',
    '3ds',
    'healthz/',
    'csp-report',
  ],
]

const SCREEN_PATHS = ['creditcard', 'complete', 'error']

/** Each begins with a slash. `openId` is a checkout that can be paid, `paidId` one that was. */
export const oddAddresses = (openId: string, paidId: string): string[] => {
  const capitals = openId.toUpperCase()
  const ids = [
    openId,
    paidId,
    capitals,
    openId.slice(1),
    `${openId}a`,
    'a'.repeat(32),
    `%${openId.charCodeAt(0).toString(16)}${openId.slice(1)}`,
  ]
  const below = ids.flatMap((id) => [
    ...['', '/', '//', '/invoice', '/Creditcard', '/404', '/500', '/preview'].map((path) => `/${id}${path}`),
    ...SCREEN_PATHS.flatMap((screen) => ['', '/', '//', '/x'].map((end) => `/${id}/${screen}${end}`)),
  ])
  const queries = ['', '?', '?mode=test', '?locale=ko', '?a=%', '?utm_source=mail&x=1#top', '#foo'].flatMap((query) => [
    `/foo${query}`,
    `/${openId}/creditcard/${query}`,
    `/500/${query}`,
  ])
  return [
    ...new Set([
      ...NAMES.flatMap((name) => [`/${name}`]),
      ...below,
      ...queries,
      '/404/',
      '/preview/',
      '/500//',
      '/a/b/c',
    ]),
  ]
}
