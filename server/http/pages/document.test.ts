import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_LOCALES } from '#contract/locale.ts'
import type { InlinedData, Rendered } from '#contract/page.ts'
import { drawDocument, newNonce } from './document.ts'
import type { PageBuild } from '../page-build.ts'
import { PAGE_FACTS, OPEN_CHECKOUT } from '../../../proof/harness/test-merchants.ts'

const [FIRST_CSS, LATER_CSS] = ['body{margin:0}.form{margin:0}', '.receipt{margin:0}.menu{margin:0}']
const RULES = ['body', '.form', '.receipt', '.menu'].map((selector) => ({
  text: `${selector}{margin:0}`,
  selectors: [{ classes: selector.split('.').slice(1), languages: [] }],
}))

const buildWith = (rendered: Partial<Rendered> = {}): PageBuild => ({
  render: async () => ({
    html: '<form>drawn</form>',
    drawn: { classes: new Set(), languages: new Set() },
    title: 'Tea',
    theme: ':root{--brand:#2f6b4f}',
    failureNotice: '<div role="alert">not loaded</div>',
    ...rendered,
  }),
  entry: '/assets/main-1.js',
  preloads: (locale) => [`/assets/${locale}-1.js`],
  lazyParts: '/assets/lazy-1.js',
  integrity: Object.fromEntries(
    ['main', 'lazy', ...PAGE_LOCALES].map((name) => [`/assets/${name}-1.js`, `sha384-${name}`]),
  ),
  style: { first: FIRST_CSS, later: LATER_CSS, blocks: [{ condition: '', rules: RULES }] },
  watchdogScript: 'watchdog()',
  preHydrationScript: 'preHydration()',
  favicon: '/assets/favicon-1.svg',
  console: { entry: '', preloads: [], style: '', integrity: {} },
  assets: new Map(),
})

const inlinedWith = (more: Partial<InlinedData> = {}): InlinedData => ({
  checkout: OPEN_CHECKOUT,
  locale: 'ja',
  now: 1_794_711_600_000,
  ...PAGE_FACTS,
  footer: { aboutUrl: '/#about', privacyUrl: '/#privacy', badgeText: null },
  release: 'v1.0.0',
  ...more,
})

const draw = (inlined: InlinedData, build = buildWith(), nonce = 'NONCE', screen = 'creditcard'): Promise<string> =>
  drawDocument(build, { path: `/checkout/${screen}`, search: '' }, inlined, nonce)

/** What a browser takes for the JSON: everything up to the first end tag of a script. */
const readInlined = (html: string): unknown => {
  const [, after = ''] = html.split('<script type="application/json" id="inlined">')
  return JSON.parse(after.slice(0, after.search(/<\/script/i)))
}

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '</SCRIPT >',
  '<!--<script>',
  ']]>',
  '\u2028alert(1)\u2029',
  '"\\u003c/script>"',
  "'><img src=x onerror=alert(1)>",
]

for (const text of HOSTILE) {
  test(`a checkout whose subject is ${JSON.stringify(text)} is inlined as data and ends no element`, async () => {
    const inlined = inlinedWith({
      checkout: { ...OPEN_CHECKOUT, subject: text, remarks: text },
      footer: { aboutUrl: text, privacyUrl: '/', badgeText: text },
    })
    const html = await draw(inlined)
    assert.deepEqual(readInlined(html), { ...inlined, drawnPath: '/checkout/creditcard' })
    const usual = await draw(inlinedWith())
    assert.equal(html.match(/<\/?script/gi)?.length, usual.match(/<\/?script/gi)?.length)
    assert.doesNotMatch(html, /[\u2028\u2029]|<!--|<img/)
  })
}

test('a title is text: it ends no element and makes no entity', async () => {
  const html = await draw(inlinedWith(), buildWith({ title: '</title><script>alert(1)</script> & &lt;' }))
  assert.match(html, /<title>&lt;\/title&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &amp;lt;<\/title>/)
})

test('every script and style that runs carries the nonce, and the data does not', async () => {
  const html = await draw(inlinedWith())
  const tags = html.match(/<(?:script|style)\b[^>]*>/g) ?? []
  assert.ok(tags.length >= 5)
  for (const tag of tags) {
    if (tag.includes('application/json')) assert.equal(tag, '<script type="application/json" id="inlined">')
    else assert.match(tag, / nonce="NONCE"/)
  }
  assert.doesNotMatch(html, / style=| on[a-z]+=/)
})

test('a nonce is 144 random bits, fresh for every page', () => {
  const nonces = Array.from({ length: 1000 }, newNonce)
  assert.equal(new Set(nonces).size, 1000)
  for (const nonce of nonces) assert.match(nonce, /^[A-Za-z0-9+/]{24}$/)
})

test('the scripts of a page are named with the hash they must have', async () => {
  const html = await draw(inlinedWith({ locale: 'th' }))
  assert.match(html, /<html lang="th">/)
  assert.ok(
    html.includes('<link rel="modulepreload" href="/assets/th-1.js" nonce="NONCE" crossorigin integrity="sha384-th">'),
  )
  assert.ok(!html.includes('modulepreload" href="/assets/ja-1.js"'))
  assert.match(
    html,
    /<script type="module" nonce="NONCE" src="\/assets\/main-1\.js" crossorigin integrity="sha384-main">/,
  )
  const [, map = '{}'] = /<script type="importmap"[^>]*>(.*?)<\/script>/.exec(html) ?? []
  assert.deepEqual(JSON.parse(map), { integrity: buildWith().integrity })
})

test('the hash of the preview’s script stands in previews alone', async () => {
  const integrity = { ...buildWith().integrity, '/assets/preview-page-1.js': 'sha384-preview' }
  const build = { ...buildWith(), integrity }
  const hashesAt = async (path: string): Promise<unknown> => {
    const html = await drawDocument(build, { path, search: '' }, inlinedWith(), 'NONCE')
    return JSON.parse(/<script type="importmap"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? '{}')
  }
  assert.deepEqual(await hashesAt('/preview'), { integrity })
  assert.deepEqual(await hashesAt('/checkout/creditcard'), { integrity: buildWith().integrity })
})

test('the page is drawn into the document with the merchant’s colours in a style element', async () => {
  const html = await draw(inlinedWith({ checkout: null }))
  assert.match(html, /<div id="page"><form>drawn<\/form><\/div>/)
  assert.match(html, /<style nonce="NONCE">body\{margin:0\}:root\{--brand:#2f6b4f\}<\/style>/)
  assert.match(html, /<meta name="robots" content="noindex, nofollow">/)
  assert.deepEqual(readInlined(html), { ...inlinedWith({ checkout: null }), drawnPath: '/checkout/creditcard' })
})

test('the document says which screen was drawn, whatever its address is', async () => {
  const html = await drawDocument(buildWith(), { path: '/404', search: '' }, inlinedWith({ checkout: null }), 'NONCE')
  assert.deepEqual(readInlined(html), { ...inlinedWith({ checkout: null }), drawnPath: '/404' })
})

test('digits are grouped from the first paint on, and the watchdog stands before the script that it watches', async () => {
  const html = await draw(inlinedWith())
  const placeOf = (part: string): number => {
    assert.ok(html.includes(part), part)
    return html.indexOf(part)
  }
  assert.ok(placeOf('<script nonce="NONCE">preHydration()</script>') < placeOf('<form>drawn</form>'))
  assert.ok(placeOf('<form>drawn</form>') < placeOf('<script nonce="NONCE">watchdog()</script>'))
  assert.ok(placeOf('watchdog()') < placeOf('<script type="module"'))
  // The notice is in a template, where nobody sees it yet.
  assert.match(html, /<template id="failure"><div role="alert">not loaded<\/div><\/template>/)
})

test('all scripts are fetched from the head, behind the import map that holds their hashes', async () => {
  const html = await draw(inlinedWith())
  const preloads = [...html.matchAll(/<link rel="modulepreload" href="(.*?)"/g)]
  assert.deepEqual(
    preloads.map(([, href]) => href),
    ['/assets/main-1.js', '/assets/ja-1.js'],
  )
  assert.ok(html.indexOf('type="importmap"') < Number(preloads[0]?.index))
  assert.ok(Number(preloads.at(-1)?.index) < html.indexOf('</head>'))
})

test('the lazy parts are fetched at once by every screen that begins with them, and not by the card form', async () => {
  const preloadsLazy = (html: string): boolean => html.includes('rel="modulepreload" href="/assets/lazy-1.js"')
  assert.equal(preloadsLazy(await draw(inlinedWith())), false)
  assert.equal(preloadsLazy(await draw(inlinedWith({ checkout: { ...OPEN_CHECKOUT, paymentPending: true } }))), true)
  for (const screen of ['complete', 'error'])
    assert.equal(preloadsLazy(await draw(inlinedWith(), buildWith(), 'NONCE', screen)), true, screen)
})

/** The texts of the style elements before and behind what is drawn. */
const stylesOf = (html: string): string[][] =>
  html
    .split('<div id="page">')
    .map((part) => [...part.matchAll(/<style[^>]*>(.*?)<\/style>/g)].map(([, css = '']) => css))

test('the style of later screens comes behind the card form', async () => {
  assert.deepEqual(stylesOf(await draw(inlinedWith())), [[`${FIRST_CSS}:root{--brand:#2f6b4f}`], [LATER_CSS]])
})

test('every other screen begins with the style of what is drawn, whatever its HTML reads like; all of the style comes behind it', async () => {
  const paid = inlinedWith({ checkout: { ...OPEN_CHECKOUT, status: 'paid' } })
  const receipt = {
    html: '<p class="receipt">class="menu"</p>',
    drawn: { classes: new Set(['receipt']), languages: new Set<string>() },
  }
  assert.deepEqual(stylesOf(await draw(paid, buildWith(receipt), 'NONCE', 'complete')), [
    ['body{margin:0}.receipt{margin:0}:root{--brand:#2f6b4f}'],
    [`${FIRST_CSS}${LATER_CSS}:root{--brand:#2f6b4f}`],
  ])
})

test('the script that groups digits stands in documents that hold the card form, and in no other', async () => {
  const drawPreview = (html: string): Promise<string> =>
    drawDocument(buildWith({ html }), { path: '/preview', search: '' }, inlinedWith({ checkout: null }), 'NONCE')
  assert.match(await drawPreview('<form>drawn</form>'), /preHydration/)
  assert.doesNotMatch(await drawPreview('<p>drawn</p>'), /preHydration/)
})
