import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ChangeSettingsBody } from '#contract/merchant/settings.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/** Settings on the page: what a merchant changes is what the next shopper sees. */
describe('the page of a shop whose settings were changed', () => {
  let server: TestServer
  before(async () => {
    server = await openTestServer({ gateway: fakeGateway(), build: await readPageBuild() })
  })

  const change = async (payload: ChangeSettingsBody): Promise<void> => {
    const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}`, 'if-match': '*' }
    const answer = await server.app.inject({ method: 'PATCH', url: '/merchant/v1/settings', headers, payload })
    assert.equal(answer.statusCode, 200, answer.body)
  }
  const draw = async (checkoutId: string, acceptLanguage = 'ko'): Promise<string> => {
    const headers = { host: 'tea.localhost:3000', 'accept-language': acceptLanguage }
    return (await server.app.inject({ url: `/${checkoutId}/creditcard`, headers })).body
  }
  /** Places of brand logos, by name. */
  const brandsIn = (html: string): string[] =>
    [...html.matchAll(/<svg [^>]*aria-label="(Visa|Mastercard|JCB|American Express|Diners Club|Discover)"/g)].map(
      ([, name = '']) => name,
    )
  const shellClasses = (html: string): number =>
    (/<div class="([^"]*)"><main/.exec(html)?.[1] ?? assert.fail()).trim().split(/\s+/).length
  const languageOf = (html: string): string | undefined => /<html[^>]* lang="([^"]*)"/.exec(html)?.[1]

  test('shows name, facts, colour and font a second later, also on a link that was sent before', async () => {
    const id = await server.createCheckout()
    const before = await draw(id)
    assert.ok(before.includes('Aoyama Tea') && before.includes('--brand:#2f6b4f'))
    await change({
      shopName: '神田 <b>書店</b>',
      shopAddress: '千代田区神田0-0',
      shopPhoneNumber: '03-9999-9999',
      shopEmail: 'books@example.com',
      shopUrl: null,
      colorCode: '#aa0011',
      fontType: 'serif',
    })
    server.clock.advance(1000)
    const after = await draw(id)
    for (const text of [
      '神田 &lt;b&gt;書店&lt;/b&gt;',
      '千代田区神田0-0',
      'tel:0399999999',
      'mailto:books@example.com',
    ])
      assert.ok(after.includes(text), text)
    assert.ok(after.includes('--brand:#aa0011'))
    assert.ok(
      !after.includes('Aoyama Tea') && !after.includes('#2f6b4f') && !after.includes('https://shop.example.com'),
    )
    assert.equal(shellClasses(after), shellClasses(before) + 1)
  })

  test('shows brands and language of the settings on new links, and those of old links as before', async () => {
    const old = await server.createCheckout()
    const before = await draw(old)
    assert.deepEqual([brandsIn(before).length, languageOf(before)], [6, 'ko'])
    await change({ acceptedCardBrands: ['jcb', 'visa'], locale: 'th_TH' })
    server.clock.advance(1000)
    const fresh = await draw(await server.createCheckout())
    assert.deepEqual([brandsIn(fresh), languageOf(fresh)], [['Visa', 'JCB'], 'th'])
    const again = await draw(old)
    assert.deepEqual([brandsIn(again).length, languageOf(again)], [6, 'ko'])
    const own = await draw(await server.createCheckout({ locale: 'ja_JP', acceptedCardBrands: ['amex'] }))
    assert.deepEqual([brandsIn(own), languageOf(own)], [['American Express'], 'ja'])
  })
})
