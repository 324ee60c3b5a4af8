import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { gatewayNotConfigured } from '../../server/gateways/not-configured.ts'
import { readPageBuild, type PageBuild } from '../../server/http/page-build.ts'
import { OPEN_CHECKOUT, PAGE_FACTS } from '../harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/** Bytes as they are sent, compressed by brotli: what a shopper on a slow network waits for. */
const FIRST_SCRIPT_AND_WORDS_MAX = 76_000
const DOCUMENT_MAX = 10_000
/** Fetched while the browser is idle, and not before the form is alive. */
const LAZY_PARTS_MAX = 7750
const PREVIEW_MAX = 2800
/** Of the card form; the document of every screen also holds the rest. */
const FIRST_STYLE_MAX = 3200
const LATER_STYLE_MAX = 1350
const PICTURES_MAX = 5000
/** What the console loads before its first screen. */
const CONSOLE_FIRST_SCRIPT_MAX = 200_000
/** The hash of every screen's script stands in it. */
const CONSOLE_DOCUMENT_MAX = 8000

const NOW = 1_794_711_600_000

describe('the page stays light', () => {
  let server: TestServer
  let build: PageBuild
  before(async () => {
    build = await readPageBuild()
    server = await openTestServer({ gateway: gatewayNotConfigured, build })
  })

  const bytesOf = (address: string): number => {
    const bytes = build.assets.get(address)?.compressed.br?.length
    assert.ok(bytes !== undefined, `${address} is not compressed`)
    return bytes
  }
  const named = (file: string): string => {
    const [part, kind = ''] = file.split('.')
    const found = [...build.assets.keys()].find(
      (address) => address.startsWith(`/assets/${part}-`) && address.endsWith(kind),
    )
    assert.ok(found !== undefined, file)
    return found
  }

  for (const locale of PAGE_LOCALES) {
    test(`${locale}: the scripts that Pay waits for are at most ${FIRST_SCRIPT_AND_WORDS_MAX} bytes`, () => {
      const bytes = [build.entry, ...build.preloads(locale)].reduce((sum, address) => sum + bytesOf(address), 0)
      assert.ok(bytes <= FIRST_SCRIPT_AND_WORDS_MAX, `${bytes} bytes`)
    })

    test(`${locale}: the documents of the card form and the other screens are at most ${DOCUMENT_MAX} bytes`, async () => {
      const id = await server.createCheckout({ subject: '煎茶「山霧」詰め合わせ / Sencha gift box', remarks: 'A-1024' })
      for (const path of [`/${id}/creditcard`, '/404', '/500', '/preview?screen=complete']) {
        const url = `${path}${path.includes('?') ? '&' : '?'}locale=${locale}`
        const headers = { host: 'tea.localhost:3000', 'accept-encoding': 'br', 'accept-language': locale }
        const { rawPayload } = await server.app.inject({ url, headers })
        assert.ok(rawPayload.length <= DOCUMENT_MAX, `${path}: ${rawPayload.length} bytes`)
      }
    })
  }

  const budgets = {
    'lazy-parts.js': LAZY_PARTS_MAX,
    'preview-page.js': PREVIEW_MAX,
    'main.css': FIRST_STYLE_MAX,
    'lazy-parts.css': LATER_STYLE_MAX,
    'pictures.svg': PICTURES_MAX,
  }
  for (const [file, max] of Object.entries(budgets)) {
    test(`${file} is at most ${max} bytes`, () => {
      assert.ok(bytesOf(named(file)) <= max, `${bytesOf(named(file))} bytes`)
    })
  }

  test(`the console: the scripts of its first screen are at most ${CONSOLE_FIRST_SCRIPT_MAX} bytes, its document ${CONSOLE_DOCUMENT_MAX}`, async () => {
    const { entry, preloads } = build.console
    const scripts = [entry, ...preloads].reduce((sum, address) => sum + bytesOf(address), 0)
    assert.ok(scripts <= CONSOLE_FIRST_SCRIPT_MAX, `${scripts} bytes`)
    const headers = { host: 'console.localhost:3000', 'accept-encoding': 'br' }
    const { rawPayload } = await server.app.inject({ url: '/', headers })
    assert.ok(rawPayload.length <= CONSOLE_DOCUMENT_MAX, `${rawPayload.length} bytes`)
  })

  test('what stands behind the form of a phone is laid out when the page is alive; behind a payment in doubt, at once', async () => {
    const [, later = ''] = /\[data-live\]\) \.([\w-]+) :is\(/.exec(build.style.first) ?? assert.fail('no such rule')
    const draw = async (paymentPending: boolean): Promise<string> => {
      const inlined = { ...PAGE_FACTS, locale: 'ja', now: NOW, checkout: { ...OPEN_CHECKOUT, paymentPending } } as const
      return (await build.render({ path: `/${OPEN_CHECKOUT.id}/creditcard`, search: '' }, inlined)).html
    }
    const isLaidOutLater = (html: string): boolean => new RegExp(`class="[^"]*\\b${later}\\b`).test(html)
    assert.deepEqual([isLaidOutLater(await draw(false)), isLaidOutLater(await draw(true))], [true, false])
  })

  test('the first script is compiled beside the page while it arrives: the hint for that is its first line', () => {
    const script = build.assets.get(build.entry)?.bytes.toString('utf8') ?? ''
    assert.ok(script.startsWith('//# allFunctionsCalledOnLoad\n'), script.slice(0, 80))
  })
})
