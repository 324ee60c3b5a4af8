import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShopFacts } from '#contract/page.ts'
import { DRAWN_MAX, drawnOnce } from './error-pages.ts'
import { MERCHANT_SETTINGS } from '../../../proof/harness/test-merchants.ts'

const shopCalled = (shopName: string): ShopFacts => ({
  merchant: { setting: MERCHANT_SETTINGS.setting },
  receipt: { ...MERCHANT_SETTINGS.receipt, shopName },
})

test('an error page is drawn once for each path and language, and every answer has its own nonce', async () => {
  const drawn: string[] = []
  const draw = drawnOnce(async (path, locale, nonce) => {
    drawn.push(`${path} ${locale}`)
    return `<p>${path} ${locale}</p><script nonce="${nonce}"></script><style nonce="${nonce}"></style>`
  })
  const expected = (nonce: string): string =>
    `<p>/404 ja</p><script nonce="${nonce}"></script><style nonce="${nonce}"></style>`
  assert.equal(await draw('/404', 'ja', 'one', null), expected('one'))
  assert.equal(await draw('/404', 'ja', 'two', null), expected('two'))
  await draw('/404', 'ko', 'x', null)
  await draw('/500', 'ja', 'x', null)
  assert.deepEqual(drawn, ['/404 ja', '/404 ko', '/500 ja'])
})

test('every shop has its own error page, drawn anew when what it shows has changed, and no more are kept than a limit', async () => {
  const drawn: (string | undefined)[] = []
  const draw = drawnOnce(async (_path, _locale, _nonce, shop) => {
    drawn.push(shop?.receipt.shopName)
    return shop?.receipt.shopName ?? 'nobody'
  })
  const nameOn = (shop: ShopFacts | null): Promise<string> => draw('/404', 'ja', 'x', shop)
  for (const name of ['Tea', 'Books', 'Tea', 'Books']) assert.equal(await nameOn(shopCalled(name)), name)
  assert.equal(await nameOn(null), 'nobody')
  assert.deepEqual(drawn.splice(0), ['Tea', 'Books', undefined])
  for (let place = 3; place < DRAWN_MAX; place += 1) await nameOn(shopCalled(`Shop ${place}`))
  await nameOn(shopCalled('Tea'))
  assert.equal(drawn.splice(0).length, DRAWN_MAX - 3)
  await nameOn(shopCalled('one too many'))
  await nameOn(shopCalled('Tea'))
  assert.deepEqual(drawn, ['one too many', 'Tea'])
})

test('an error page that could not be drawn is drawn the next time', async () => {
  let tries = 0
  const draw = drawnOnce(async () => {
    tries += 1
    if (tries === 1) throw new Error('no memory')
    return 'page'
  })
  await assert.rejects(draw('/500', 'ja', 'x', null))
  assert.equal(await draw('/500', 'ja', 'x', null), 'page')
})
