import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { ReusableLinkAnswer } from '#contract/merchant/reusable-links.ts'
import { DAY_MS, MINUTE_MS } from '#contract/jst.ts'
import { closeMerchant, reopenMerchant } from '../../server/store/merchant/merchants.ts'
import { onBothDatabases, openSqliteInMemory } from '../harness/databases.ts'
import { statusAndCode } from '../harness/error-answers.ts'
import { openLinkShop, TEA, type LinkShop } from '../harness/link-shop.ts'
import { API_KEYS, TEA_MERCHANT } from '../harness/test-merchants.ts'

describe('a reusable link', () => {
  let shop: LinkShop
  before(async () => {
    shop = await openLinkShop(await openSqliteInMemory())
  })

  test('shows what is paid, creates nothing when it is opened, and opens a checkout of its own for each visitor', async () => {
    const { client, createLink, openPage, openedBy, read, countOf } = shop
    const { id, url } = await createLink({ amount: 1980, subject: '<b>Tea</b>', locale: 'ja_JP', reference: 'A' })
    assert.equal(url, `http://tea.localhost:3000/links/${id}`)
    for (let opened = 0; opened < 3; opened += 1) {
      const { statusCode, body, headers } = await openPage(id, { purpose: 'prefetch' })
      assert.equal(statusCode, 200)
      assert.match(body, /¥1,980/)
      assert.match(body, /&lt;b&gt;Tea&lt;\/b&gt;/)
      assert.match(body, /お支払いへ\u200B進む/)
      assert.doesNotMatch(body, /<script|<b>/)
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
      )
    }
    const [first, second] = [await openedBy(id), await openedBy(id)]
    assert.notEqual(first, second)
    assert.equal(await countOf(id), 0)
    for (const each of [first, second]) await client.server.startAttempt(each)
    const checkout = await read(first)
    assert.deepEqual(
      [checkout.amount, checkout.subject, checkout.locale, checkout.reference, checkout.linkId, checkout.mode],
      [1980, '<b>Tea</b>', 'ja_JP', 'A', id, 'test'],
    )
    // Counted from the minute in which the form was drawn.
    const until = Math.floor(client.clock.now() / MINUTE_MS) * MINUTE_MS + DAY_MS
    assert.equal(checkout.validUntil, new Date(until).toISOString())
    const { items } = await client.get<{ items: MerchantCheckoutAnswer[] }>(`/checkouts?linkId=${id}`)
    assert.deepEqual(new Set(items.map((each) => each.id)), new Set([first, second]))
  })

  test('opens one checkout for a form that is sent twice, and another one for another amount', async () => {
    const { client, createLink, openPage, openedBy, countOf } = shop
    const { id } = await createLink({ amountRange: { min: 100, max: 9000 } })
    const form = /name="form" value="([a-z2-7]{18})"/.exec((await openPage(id)).body)?.[1] ?? assert.fail()
    const first = await openedBy(id, { amount: '1,980', form })
    assert.equal(await openedBy(id, { amount: '１９８０', form }), first)
    const other = await openedBy(id, { amount: '1981', form })
    for (const each of [first, first, other]) await client.server.startAttempt(each)
    assert.equal(await countOf(id), 2)
  })

  test('takes an amount at both bounds, and says what is wrong beside the field with what was typed', async () => {
    const { client, createLink, press, openedBy } = shop
    const { id } = await createLink({ amountRange: { min: 100, max: 9000 } })
    for (const [typed, yen] of Object.entries({ '100': 100, '9,000円': 9000 })) {
      const opened = await client.server.readCheckout(await openedBy(id, { amount: typed }))
      assert.equal(opened.json<{ amount: number }>().amount, yen)
    }
    const wrong = {
      '99': 'Enter ¥100 JPY or more.',
      '9001': 'Enter ¥9,000 JPY or less.',
      '"><script>alert(1)</script>': 'Enter a whole amount in yen',
      '-500': 'Enter a whole amount in yen',
      '': 'Enter a whole amount in yen',
    }
    for (const [amount, words] of Object.entries(wrong)) {
      const { statusCode, body } = await press(id, { amount })
      assert.equal(statusCode, 422)
      assert.ok(body.includes(words), amount)
      assert.doesNotMatch(body, /<script/)
      if (/^\d+$/.test(amount)) assert.ok(body.includes(`value="${amount}"`), amount)
    }
  })

  test('has a fixed amount, whatever a form claims', async () => {
    const { client, createLink, openedBy } = shop
    const { id } = await createLink({ amount: 1980 })
    const opened = await client.server.readCheckout(await openedBy(id, { amount: '1' }))
    assert.equal(opened.json<{ amount: number }>().amount, 1980)
  })

  test('is shown first to whom the form of another site has sent', async () => {
    const { createLink, press } = shop
    const { id } = await createLink()
    for (const site of ['cross-site', 'same-site'])
      assert.equal((await press(id, {}, { 'sec-fetch-site': site })).statusCode, 200)
    assert.equal((await press(id, {}, { 'sec-fetch-site': 'same-origin' })).statusCode, 303)
  })

  test('is unknown on the host of another shop, and so is an id that is none', async () => {
    const { client, createLink, press } = shop
    const { id } = await createLink()
    for (const url of [`/links/${'a'.repeat(32)}`, '/links/x', '/links/%00']) {
      assert.equal((await client.server.app.inject({ url, headers: TEA })).statusCode, 404, url)
    }
    const books = { host: 'books.localhost:3000' }
    assert.equal((await client.server.app.inject({ url: `/links/${id}`, headers: books })).statusCode, 404)
    assert.equal((await press(id, {}, books)).statusCode, 404)
    assert.deepEqual(statusAndCode(await client.send(`/links/${id}`, { key: API_KEYS.books })), [404, 'link_not_found'])
  })

  test('is told as ended, switched off, or of a closed shop, and opens nothing then', async () => {
    const { client, createLink, readLink, change, openPage, press } = shop
    const { id } = await createLink({
      amount: 1980,
      validUntil: new Date(client.clock.now() + 1000).toISOString(),
    })
    const assertClosed = async (words: RegExp): Promise<void> => {
      for (const answer of [await openPage(id), await press(id)]) {
        assert.equal(answer.statusCode, 410)
        assert.match(answer.body, words)
        assert.doesNotMatch(answer.body, /<form/)
      }
    }
    assert.equal((await change(id, { enabled: false })).json<ReusableLinkAnswer>().status, 'disabled')
    await assertClosed(/cannot be paid right now/)
    assert.equal((await change(id, { enabled: true })).json<ReusableLinkAnswer>().status, 'open')
    client.clock.advance(1000)
    assert.equal((await readLink(id)).status, 'ended')
    await assertClosed(/This link has ended/)
    await change(id, { validUntil: null })
    await closeMerchant(client.server.deps.database, TEA_MERCHANT.id, client.clock.now())
    client.clock.advance(1000)
    await assertClosed(/takes no payments any more/)
    await reopenMerchant(client.server.deps.database, TEA_MERCHANT.id)
    client.clock.advance(1000)
    assert.equal((await openPage(id)).statusCode, 200)
  })

  test('that is switched off cannot be paid by who has opened it before', async () => {
    const { client, createLink, change, openedBy } = shop
    const { id } = await createLink()
    const checkout = await openedBy(id)
    const order = await client.server.startAttempt(checkout)
    await change(id, { enabled: false })
    const answer = await client.server.pay(checkout, order)
    assert.deepEqual([answer.statusCode, answer.json<{ status: string }>().status], [200, 'cancelled'])
    const { items } = await client.get<{ items: { what: string; to: string; by: string; why: string }[] }>(
      `/checkouts/${checkout}/timeline`,
    )
    const closing = items.find(({ what }) => what === 'checkout')
    assert.deepEqual([closing?.to, closing?.by, closing?.why], ['cancelled', 'merchant', 'link disabled'])
  })
})

describe('the limit of a reusable link', () => {
  onBothDatabases(({ name: engine, open }) => {
    describe(`on ${engine}`, () => {
      let shop: LinkShop
      before(async () => {
        shop = await openLinkShop(await open())
      })

      test('with one place is paid by one of many who pay at once, and the others are not charged', async () => {
        const { client, createLink, readLink, press, openedBy, read } = shop
        const { id } = await createLink({ amount: 1980, maxPayments: 1 })
        const checkouts: string[] = []
        for (let visitor = 0; visitor < 5; visitor += 1) checkouts.push(await openedBy(id))
        // Only opened: no place is taken.
        assert.equal((await readLink(id)).status, 'open')
        const orders: (readonly [string, string])[] = []
        for (const each of checkouts) orders.push([each, await client.server.startAttempt(each)])
        const answers = await Promise.all(orders.map(([checkout, order]) => client.server.pay(checkout, order)))
        const paid = answers.filter((answer) => answer.json<{ status?: string }>().status === 'paid')
        assert.equal(paid.length, 1)
        for (const answer of answers.filter((each) => !paid.includes(each)))
          assert.ok(
            answer.json<{ status?: string }>().status === 'cancelled' || statusAndCode(answer)[1] === 'order_over',
            answer.body,
          )
        const link = await readLink(id)
        assert.deepEqual([link.payments, link.status], [1, 'full'])
        assert.match((await press(id)).body, /No more payments are taken/)
        // Whoever still has the form is told before a card goes to the issuer.
        const [late = ''] = checkouts.filter((each) => !paid.some((answer) => answer.body.includes(each)))
        if ((await read(late)).status === 'open')
          assert.deepEqual(statusAndCode(await client.server.submitCard(late)), [404, 'checkout_closed'])
        assert.equal((await read(late)).status, 'cancelled')
      })

      test('gives its last place to the next one when the charge that held it is declined', async () => {
        const { client, createLink, readLink, openedBy, read } = shop
        const { id } = await createLink({ amount: 1980, maxPayments: 1 })
        const [first, second] = [await openedBy(id), await openedBy(id)]
        const [firstOrder, secondOrder] = [
          await client.server.startAttempt(first),
          await client.server.startAttempt(second),
        ]
        client.gateway.chargeOutcome = { outcome: 'unknown', why: 'silent' }
        assert.equal((await client.server.pay(first, firstOrder)).statusCode, 409)
        client.gateway.chargeOutcome = null
        assert.deepEqual(statusAndCode(await client.server.pay(second, secondOrder)), [409, 'order_over'])
        // The same order stays over, so that what was answered stays true.
        assert.deepEqual(statusAndCode(await client.server.pay(second, secondOrder)), [409, 'order_over'])
        assert.equal((await read(second)).status, 'open')
        client.gateway.inquire = async () => ({ outcome: 'declined', reason: 'x' })
        client.clock.advance(60_000)
        // A start asks the acquirer first, and waits for its answer.
        await client.server.startAttempt(first)
        const paid = await client.server.pay(second, await client.server.startAttempt(second))
        assert.equal(paid.json<{ status: string }>().status, 'paid')
        assert.equal((await readLink(id)).payments, 1)
      })

      test('counts a payment that is refunded, and takes more when its limit is raised', async () => {
        const { client, createLink, readLink, change, openedBy } = shop
        const { id } = await createLink({ amount: 1980, maxPayments: 1 })
        const checkout = await openedBy(id)
        await client.server.pay(checkout, await client.server.startAttempt(checkout))
        assert.equal((await client.refund(checkout, { refundId: 'r1' })).statusCode, 201)
        assert.equal((await readLink(id)).status, 'full')
        assert.equal((await change(id, { maxPayments: 2 })).json<ReusableLinkAnswer>().status, 'open')
        await openedBy(id)
      })

      test('is made once for each Idempotency-Key, and a checkout of the same key is another request', async () => {
        const { client, createLink } = shop
        const headers = { 'idempotency-key': `ceremony-${engine}` }
        const first = await createLink({ amount: 3000 }, headers)
        const again = await client.send('/links', { method: 'POST', payload: { amount: 3000 }, headers })
        assert.deepEqual([again.statusCode, again.headers['idempotent-replayed']], [201, 'true'])
        assert.equal(again.json<ReusableLinkAnswer>().id, first.id)
        const checkout = await client.send('/checkouts', { method: 'POST', payload: { amount: 3000 }, headers })
        assert.deepEqual(statusAndCode(checkout), [422, 'idempotency_key_reused'])
      })

      test('is listed with the newest first, page by page, and drawn as a QR code', async () => {
        const { client, createLink } = shop
        client.clock.advance(1000)
        const { id } = await createLink({ amount: 77 })
        client.clock.advance(1000)
        const { id: newer } = await createLink({ amount: 78 })
        const links = await client.all<ReusableLinkAnswer>('/links', 2)
        assert.deepEqual(
          links.slice(0, 2).map((link) => link.id),
          [newer, id],
        )
        const { statusCode, headers, body } = await client.send(`/links/${id}/qr.svg`)
        assert.deepEqual([statusCode, headers['content-type']], [200, 'image/svg+xml'])
        assert.match(body, /<svg /)
      })
    })
  })
})
