import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import jsQR from 'jsqr'
import { Check } from 'typebox/value'
import { DAY_MS } from '#contract/jst.ts'
import { CheckoutListAnswer } from '#contract/merchant/checkout-lists.ts'
import { ReceiptAnswer } from '#contract/merchant/checkouts.ts'
import { TimelineAnswer } from '#contract/merchant/timeline.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { onBothDatabases } from '../../../../proof/harness/databases.ts'
import { assertInvalidField, statusAndCode } from '../../../../proof/harness/error-answers.ts'
import { openMerchantClient, type MerchantClient } from '../../../../proof/harness/merchant-client.ts'
import { API_KEYS } from '../../../../proof/harness/test-merchants.ts'
import { EXAMINED_MAX } from '../../../store/checkout/checkout-list.ts'
import { mailsOfCheckout } from '../../../store/outbox/mails.ts'

type Line = Readonly<Record<string, string>>
type Answer = MerchantCheckoutAnswer

const UNKNOWN = { outcome: 'unknown', why: 'no answer in time' } as const

/** An SVG of rings of straight steps, as pixels, eight for each module: dark is what lies inside an odd number of rings. */
const pixelsOf = (svg: string): { readonly data: Uint8ClampedArray; readonly size: number } => {
  const [left = 0, top = 0, modules = 0] = (/viewBox="([-\d]+) ([-\d]+) (\d+)/.exec(svg) ?? []).slice(1).map(Number)
  const dark = Array.from({ length: modules }, () => Array.from({ length: modules }, () => false))
  const rings = (/<path d="([^"]+)"/.exec(svg)?.[1] ?? '').split('Z').filter((ring) => ring !== '')
  for (const ring of rings) {
    const points = [...ring.matchAll(/[ML](\d+) (\d+)/g)].map(
      ([, x, y]) => [Number(x) - left, Number(y) - top] as const,
    )
    for (const [place, [x, y]] of points.entries()) {
      const [, before] = points.at(place - 1) ?? assert.fail()
      for (const row of dark.slice(Math.min(y, before), Math.max(y, before)))
        for (let column = x; column < modules; column += 1) row[column] = row[column] !== true
    }
  }
  const scale = 8
  const size = modules * scale
  const data = new Uint8ClampedArray(size * size * 4).fill(255)
  for (let place = 0; place < size * size; place += 1)
    if (dark[Math.floor(place / size / scale)]?.[Math.floor((place % size) / scale)] === true)
      data.fill(0, place * 4, place * 4 + 3)
  return { data, size }
}

describe('lists of checkouts, and what a merchant does with one', () => {
  onBothDatabases(({ open }) => {
    const openClient = async (): Promise<MerchantClient> => openMerchantClient(await open())
    let shared: Promise<MerchantClient> | undefined
    /** For tests that look at what they have made themselves, and at no list of all. */
    const sharedClient = (): Promise<MerchantClient> => (shared ??= openClient())
    const idsOf = async ({ all }: MerchantClient, query: string, limit = 100): Promise<string[]> =>
      (await all<Answer>(`/checkouts${query}`, limit)).map(({ id }) => id)

    test('a list is newest first, and each of its items reads as the checkout itself', async () => {
      const client = await openClient()
      const created: Answer[] = []
      for (let place = 0; place < 5; place += 1) {
        created.push(await client.create({ reference: `A-${place}`, subject: 'Tea', metadata: { n: String(place) } }))
        // Two in one millisecond are told apart by their ids.
        if (place % 2 === 0) client.clock.advance(1)
      }
      const page = await client.get<{ items: Answer[]; after: string | null }>('/checkouts')
      assert.ok(Check(CheckoutListAnswer, page))
      assert.equal(page.after, null)
      const order = created.toSorted((a, b) => (b.createdAt + b.id < a.createdAt + a.id ? -1 : 1))
      assert.deepEqual(page.items, order)
      assert.deepEqual(
        await idsOf(client, '', 2),
        order.map(({ id }) => id),
      )
    })

    test('each filter finds exactly the checkouts that it names, alone and together with others', async () => {
      const client = await openClient()
      const start = client.clock.now()
      const later = (ms: number): string => new Date(start + ms).toISOString()
      const open1 = await client.create({ reference: 'A' })
      client.clock.advance(1000)
      const paid = await client.createPaid({ reference: 'A', amount: 300 }, { email: 'hana@example.com' })
      client.clock.advance(1000)
      const partly = await client.createPaid({ amount: 500 }, { number: '4111111111111111' })
      await client.refund(partly.id, { refundId: 'r1', amount: 100 })
      client.clock.advance(1000)
      const refunded = await client.createPaid({ reference: 'B' })
      await client.refund(refunded.id, { refundId: 'r1' })
      client.clock.advance(1000)
      const cancelled = await client.create()
      await client.send(`/checkouts/${cancelled.id}/cancel`, { method: 'POST' })
      client.clock.advance(1000)
      const short = await client.create({ validUntil: later(5500) })
      client.clock.advance(1000)
      client.gateway.chargeOutcome = UNKNOWN
      const doubtful = await client.create({ reference: 'A' })
      const order = await client.server.startAttempt(doubtful.id)
      await client.server.pay(doubtful.id, order)
      client.gateway.chargeOutcome = null

      const names = new Map(
        Object.entries({ open1, paid, partly, refunded, cancelled, short, doubtful }).map(([name, { id }]) => [
          id,
          name,
        ]),
      )
      const found = async (query: string): Promise<string> =>
        (await idsOf(client, `?${query.replace('&limit=1', '')}`, query.includes('limit=1') ? 1 : 100))
          .map((id) => names.get(id))
          .join(' ')
      const expected: Readonly<Record<string, string>> = {
        'status=open': 'doubtful open1',
        'status=paid': 'partly paid',
        'status=refunded': 'refunded',
        'status=cancelled': 'cancelled',
        'status=expired': 'short',
        'status=failed': '',
        'pending=true': 'doubtful',
        'pending=false': 'short cancelled refunded partly paid open1',
        'pending=true&status=open': 'doubtful',
        'pending=true&status=paid': '',
        'pending=true&reference=A': 'doubtful',
        'pending=true&reference=B': '',
        'pending=false&status=open': 'open1',
        'reference=A': 'doubtful paid open1',
        'reference=a': '',
        'reference=A&status=paid': 'paid',
        'reference=A&pending=false': 'paid open1',
        'email=hana@example.com': 'paid',
        'email=taro@example.com': 'refunded partly',
        'email=taro@example.com&status=refunded': 'refunded',
        'email=taro@example.com&status=open': '',
        'lastFour=4242': 'refunded paid',
        'lastFour=1111': 'partly',
        'lastFour=4242&reference=B': 'refunded',
        [`transactionId=${paid.transactionId}`]: 'paid',
        [`transactionId=${paid.transactionId}&lastFour=1111`]: '',
        [`createdFrom=${paid.createdAt}`]: 'doubtful short cancelled refunded partly paid',
        [`createdTo=${paid.createdAt}`]: 'paid open1',
        [`createdFrom=${paid.createdAt}&createdTo=${partly.createdAt}`]: 'partly paid',
        [`paidFrom=${partly.paidAt}`]: 'refunded partly',
        [`paidTo=${partly.paidAt}`]: 'partly paid',
        [`paidFrom=${partly.paidAt}&paidTo=${partly.paidAt}`]: 'partly',
        [`paidFrom=${paid.paidAt}&status=refunded`]: 'refunded',
        [`paidFrom=${later(DAY_MS)}`]: '',
        'createdFrom=2026-11-15&createdTo=2026-11-15': 'doubtful short cancelled refunded partly paid open1',
        'createdTo=2026-11-14': '',
        'amountFrom=301': 'doubtful short cancelled refunded partly open1',
        'amountTo=500': 'partly paid',
        'amountFrom=300&amountTo=300': 'paid',
        'amountFrom=1980&amountTo=1980&status=paid': '',
        'amountFrom=500&amountTo=300': '',
        'cardBrand=visa': 'refunded partly paid',
        'cardBrand=jcb': '',
        'cardBrand=visa&status=open': '',
        'search=A': 'doubtful paid open1',
        'search=A&status=paid': 'paid',
        'search=A&reference=B': '',
        'search=%EF%BF%A5%EF%BC%93%EF%BC%90%EF%BC%90': 'paid',
        'search=1,980': 'doubtful short cancelled refunded open1',
        'search=1,980&amountTo=500': '',
        'search=Hana@example.com': 'paid',
        'search=4242': 'refunded paid',
        'search=4242&limit=1': 'refunded paid',
        [`search=${paid.transactionId}`]: 'paid',
        [`search=${partly.id}`]: 'partly',
        [`search=${order}`]: 'doubtful',
        [`search=${encodeURIComponent(`${open1.url}?from=mail`)}`]: 'open1',
        'search=%20': '',
        'search=order-unknown': '',
      }
      const actual: Record<string, string> = {}
      for (const query of Object.keys(expected)) actual[query] = await found(query)
      assert.deepEqual(actual, expected)
      const [item] = await client.all<Answer>('/checkouts?lastFour=1111')
      assert.deepEqual(
        [item?.refundedAmount, item?.status, item?.shopper],
        [100, 'paid', { email: 'taro@example.com', locale: 'ja_JP' }],
      )
    })

    test('what has expired by now is found as expired and not as open, though no worker has stored it', async () => {
      const client = await openClient()
      const { id } = await client.create({ validUntil: new Date(client.clock.now() + 1000).toISOString() })
      assert.deepEqual(await idsOf(client, '?status=open'), [id])
      client.clock.advance(1001)
      assert.deepEqual([await idsOf(client, '?status=open'), await idsOf(client, '?status=expired')], [[], [id]])
      assert.equal((await client.get<Answer>(`/checkouts/${id}`)).status, 'expired')
    })

    test('however many have expired at once, none is listed as open, but for one whose money moves', async () => {
      const client = await openClient()
      client.gateway.chargeOutcome = UNKNOWN
      const body = { validUntil: new Date(client.clock.now() + 1000).toISOString() }
      const doubtful = await client.create(body)
      await client.server.pay(doubtful.id, await client.server.startAttempt(doubtful.id))
      for (let place = 0; place < 120; place += 1) await client.create(body)
      client.clock.advance(1001)
      assert.deepEqual(await idsOf(client, '?status=open'), [doubtful.id])
      assert.deepEqual(await idsOf(client, '?status=open&pending=false'), [])
      const all = await client.all<Answer>('/checkouts', 100)
      assert.deepEqual(
        all.filter(({ status }) => status !== 'expired').map(({ id }) => id),
        [doubtful.id],
      )
      assert.equal(all.length, 121)
    })

    test('paging while others insert and pay loses none and doubles none', async () => {
      const client = await openClient()
      const before: string[] = []
      for (let place = 0; place < 60; place += 1) {
        before.push((await client.create({ reference: place % 3 === 0 ? 'third' : 'other' })).id)
        if (place % 4 === 0) client.clock.advance(1)
      }
      client.clock.advance(1)
      for (const query of ['?', '?reference=third&', '?pending=false&reference=other&']) {
        const wanted = await idsOf(client, query.slice(0, -1))
        const seen: string[] = []
        let after: string | null = null
        do {
          const path: string = `/checkouts${query}limit=7${after === null ? '' : `&after=${after}`}`
          const [page] = await Promise.all([
            client.get<{ items: Answer[]; after: string | null }>(path),
            client.create({ reference: 'third' }),
            client.createPaid({ reference: 'other' }),
          ])
          seen.push(...page.items.map(({ id }) => id))
          after = page.after
          client.clock.advance(1)
        } while (after !== null)
        assert.equal(new Set(seen).size, seen.length)
        assert.deepEqual(
          seen.filter((id) => wanted.includes(id)),
          wanted,
        )
      }
      assert.equal(before.length, 60)
    })

    test('filters that hardly ever match give short pages, and all there is in the end', async () => {
      const client = await openClient()
      const { database } = client.server.deps
      const rare = await client.create({ reference: 'same' })
      await client.send(`/checkouts/${rare.id}/cancel`, { method: 'POST' })
      client.clock.advance(10_000)
      const template = await client.create({ reference: 'same' })
      const columns = Object.keys((await database.rows('SELECT * FROM checkouts WHERE id = $1', template.id))[0] ?? {})
      const copied = columns.map((name) =>
        name === 'id' ? `'copy' || n` : name === 'created_at' ? 'created_at - n' : name,
      )
      for (let n = 1; n <= EXAMINED_MAX + 5; n += 1)
        await database.rows(
          `INSERT INTO checkouts (${columns.join()}) SELECT ${copied.join().replaceAll(/\bn\b/g, String(n))} FROM checkouts WHERE id = $1`,
          template.id,
        )
      const query = '/checkouts?reference=same&status=cancelled'
      const first = await client.get<{ items: Answer[]; after: string | null }>(query)
      assert.deepEqual(first.items, [])
      assert.notEqual(first.after, null)
      assert.deepEqual(await idsOf(client, '?reference=same&status=cancelled'), [rare.id])
    })

    test('a wrong filter, a foreign cursor and a misspelt name are refused by name', async () => {
      const { send, create, get } = await openClient()
      const { id } = await create()
      await create()
      const { after } = await get<{ after: string | null }>('/checkouts?limit=1')
      for (const path of [`/checkouts/${id}/timeline`, `/checkouts/${id}/refunds`, '/refunds'])
        assertInvalidField(await send(`${path}?after=${after}`), 'after')
      const wrong: readonly (readonly [string, string])[] = [
        ['limit', 'limit=0'],
        ['limit', 'limit=101'],
        ['limit', 'limit=x'],
        ['limit', 'limit=1&limit=2'],
        ['after', 'after=x'],
        ['status', 'status=done'],
        ['pending', 'pending=1'],
        ['lastFour', 'lastFour=42424'],
        ['reference', `reference=${'x'.repeat(101)}`],
        ['reference', 'reference=%00'],
        ['email', 'email=%00'],
        ['transactionId', 'transactionId=%00'],
        ['createdFrom', 'createdFrom=yesterday'],
        ['paidTo', 'paidTo=2026-02-30'],
        ['stauts', 'stauts=open'],
        ['search', 'search='],
        ['search', 'search=%00'],
        ['search', `search=${'x'.repeat(301)}`],
        ['amountFrom', 'amountFrom=0'],
        ['amountTo', 'amountTo=1,980'],
        ['cardBrand', 'cardBrand=suica'],
      ]
      for (const [field, query] of wrong) assertInvalidField(await send(`/checkouts?${query}`), field)
    })

    test('a paid checkout tells who paid, how the card caller was authenticated, and what was agreed to', async () => {
      const client = await sharedClient()
      const taxes = [
        { rate: 10, amount: 1100 },
        { rate: 8, amount: 880 },
      ]
      const paid = await client.createPaid({ reference: 'A-1', subject: 'Tea', taxes })
      assert.deepEqual(
        [paid.reference, paid.taxes, paid.shopper],
        ['A-1', taxes, { email: 'taro@example.com', locale: 'ja_JP' }],
      )
      assert.deepEqual(paid.authentication, { challenged: false, exemption: 'not_enrolled' })
      assert.deepEqual(paid.consent?.at, paid.createdAt)
      assert.equal(paid.doubt, undefined)
    })

    test('a charge in doubt tells since when, and when the acquirer is asked next; it cannot be cancelled', async () => {
      const client = await openClient()
      client.gateway.chargeOutcome = UNKNOWN
      const { id } = await client.create()
      const order = await client.server.startAttempt(id)
      await client.server.pay(id, order)
      const { doubt, shopper, paymentPending } = await client.get<Answer>(`/checkouts/${id}`)
      assert.deepEqual([paymentPending, shopper?.email], [true, 'taro@example.com'])
      assert.ok(doubt !== undefined && doubt.since < doubt.nextInquiryAt, JSON.stringify(doubt))
      const refused = await client.send(`/checkouts/${id}/cancel`, { method: 'POST' })
      assert.deepEqual(statusAndCode(refused), [409, 'payment_in_progress'])
    })

    test('cancel closes an open checkout, is told the same when it is repeated, and leaves a paid one paid', async () => {
      const client = await sharedClient()
      const { id } = await client.create()
      const cancelled = await client.send(`/checkouts/${id}/cancel`, { method: 'POST' })
      assert.deepEqual([cancelled.statusCode, cancelled.json<Answer>().status], [200, 'cancelled'])
      const again = await client.send(`/checkouts/${id}/cancel`, { method: 'POST', payload: {} })
      assert.deepEqual([again.statusCode, again.json()], [200, cancelled.json()])
      const paid = await client.createPaid()
      const late = await client.send(`/checkouts/${paid.id}/cancel`, { method: 'POST' })
      assert.deepEqual([late.statusCode, late.json<Answer>().status], [200, 'paid'])
    })

    test('the timeline tells every change, creation and who made it included, newest first', async () => {
      const client = await sharedClient()
      const { id } = await client.createPaid()
      await client.refund(id, { refundId: 'r-1', amount: 5 })
      const page = await client.get<{ items: Line[]; after: string | null }>(`/checkouts/${id}/timeline`)
      assert.ok(Check(TimelineAnswer, page))
      const told = page.items.map(({ what, from = '', to, by, why }) => [what, from, to, by, why].join(' '))
      assert.deepEqual(told, [
        'refund requested refunded merchant refunded',
        'refund  requested merchant refund',
        'checkout open paid shopper charged',
        'attempt charging charged shopper charged',
        'attempt started charging shopper pay',
        ...told.slice(5, -1),
        'checkout  open merchant create',
      ])
      assert.equal(page.items[0]?.['id'], 'r-1')
      assert.deepEqual(await client.all(`/checkouts/${id}/timeline`, 1), page.items)
      const cancelled = await client.create()
      await client.send(`/checkouts/${cancelled.id}/cancel`, { method: 'POST' })
      const [newest] = await client.all<Line>(`/checkouts/${cancelled.id}/timeline`)
      assert.deepEqual([newest?.['to'], newest?.['by']], ['cancelled', 'merchant'])
    })

    test('the QR code of a checkout leads to its link', async () => {
      const client = await sharedClient()
      const { id, url } = await client.create()
      const answer = await client.send(`/checkouts/${id}/qr.svg`)
      assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'image/svg+xml'])
      const { data, size } = pixelsOf(answer.body)
      assert.equal(jsQR(data, size, size)?.data, url)
    })

    test('{CHECKOUT_ID} in a link is the id of the checkout', async () => {
      const client = await sharedClient()
      const { id, links } = await client.create({
        links: {
          cancelUrl: 'https://shop.example.com/cart',
          redirectUrl: 'https://shop.example.com/thanks?id={CHECKOUT_ID}',
        },
      })
      assert.deepEqual(links, {
        cancelUrl: 'https://shop.example.com/cart',
        redirectUrl: `https://shop.example.com/thanks?id=${id}`,
      })
    })

    test('the receipt of a paid checkout is sent again, once a minute at most, and of one that is not paid it is refused', async () => {
      const client = await openClient()
      const { id } = await client.createPaid({})
      const send = () => client.send(`/checkouts/${id}/receipt`, { method: 'POST' })
      const [first, second] = [await send(), await send()]
      assert.equal(first.statusCode, 200)
      assert.ok(Check(ReceiptAnswer, first.json()))
      assert.deepEqual(second.json(), first.json())
      const mails = async (): Promise<string[]> => {
        const ref = { merchantId: 'tea-id', checkoutId: id }
        return (await mailsOfCheckout(client.server.deps.database, ref)).map(({ kind }) => kind).toSorted()
      }
      assert.deepEqual(await mails(), ['receipt', 'reissue'])
      client.server.clock.advance(60_000)
      await send()
      assert.deepEqual(await mails(), ['receipt', 'reissue', 'reissue'])
      const open = await client.create({})
      const refused = await client.send(`/checkouts/${open.id}/receipt`, { method: 'POST' })
      assert.deepEqual(statusAndCode(refused), [422, 'no_receipt'])
    })

    test('what belongs to another merchant or to another mode is the same 404 everywhere, and in no list', async () => {
      const client = await openClient()
      const { id } = await client.createPaid({ reference: 'secret' })
      await client.refund(id, { refundId: 'r1', amount: 5 })
      const calls: readonly (readonly [string, object])[] = [
        ['', {}],
        ['/timeline', {}],
        ['/cancel', { method: 'POST' }],
        ['/receipt', { method: 'POST' }],
        ['/refunds', {}],
        ['/refunds', { method: 'POST', payload: { refundId: 'r9', amount: 1 } }],
        ['/refunds/r1', {}],
        ['/qr.svg', {}],
      ]
      const answersOf = async (checkoutId: string, key: string): Promise<string[]> => {
        const answers: string[] = []
        for (const [path, more] of calls) {
          const { statusCode, body } = await client.send(`/checkouts/${checkoutId}${path}`, { ...more, key })
          answers.push(`${statusCode} ${body}`)
        }
        return answers
      }
      const lists = async (key: string): Promise<number[]> =>
        Promise.all(
          ['/checkouts', '/checkouts?reference=secret', '/checkouts?status=paid', '/refunds'].map(
            async (path) => (await client.get<{ items: unknown[] }>(path, key)).items.length,
          ),
        )
      const unknown = await answersOf('a'.repeat(32), API_KEYS.tea)
      assert.equal(new Set(unknown).size, 1)
      assert.match(unknown[0] ?? '', /^404 .*checkout_not_found/)
      assert.deepEqual(await answersOf(id, API_KEYS.books), unknown)
      assert.deepEqual(
        [await lists(API_KEYS.books), await lists(API_KEYS.tea)],
        [
          [0, 0, 0, 0],
          [1, 1, 1, 1],
        ],
      )
      const { database } = client.server.deps
      for (const table of ['attempts', 'ledger_lines', 'refunds'])
        await database.rows(`UPDATE ${table} SET mode = 'live'`)
      await database.rows("UPDATE checkouts SET mode = 'live'")
      assert.deepEqual(await answersOf(id, API_KEYS.tea), unknown)
      assert.deepEqual(await lists(API_KEYS.tea), [0, 0, 0, 0])
      const rows = await database.rows("SELECT state FROM refunds WHERE refund_id = 'r9'")
      assert.deepEqual(rows, [])
    })
  })
})
