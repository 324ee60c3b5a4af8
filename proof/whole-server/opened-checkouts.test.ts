import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { purgeOld } from '../../server/background/purge-old.ts'
import { workOnce } from '../../server/background/worker.ts'
import { STORED_PER_NETWORK } from '../../server/http/limits/link-limits.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { newForm, openedIdOf, randomId } from '../../server/ids.ts'
import { cancelUnstored } from '../../server/operations/reusable-links/opened-checkouts.ts'
import { restoreWrite } from '../../server/store/backup/restore-marker.ts'
import { integer } from '../../server/store/engine/columns.ts'
import { closeMerchant, reopenMerchant } from '../../server/store/merchant/merchants.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { statusAndCode } from '../harness/error-answers.ts'
import { openLinkShop, TEA, type LinkShop } from '../harness/link-shop.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import { CARD } from '../harness/test-server.ts'

const formIn = (html: string): string => /name="form" value="([^"]+)"/.exec(html)?.[1] ?? assert.fail('no form')

describe('a checkout that a reusable link has opened', () => {
  onBothDatabases(({ name, open }) => {
    let shop: LinkShop
    before(async () => {
      shop = await openLinkShop(await open(), { build: await readPageBuild() })
    })

    const tables = ['checkouts', 'attempts', 'changes', 'events', 'mails', 'deliveries'] as const
    const rowCounts = async (): Promise<number[]> => {
      const counts: number[] = []
      for (const table of tables) {
        const [row = {}] = await shop.client.server.deps.database.rows(`SELECT COUNT(*) AS n FROM ${table}`)
        counts.push(integer(row, 'n'))
      }
      return counts
    }
    const readStatus = async (id: string): Promise<unknown> => {
      const answer = await shop.client.server.readCheckout(id)
      return answer.statusCode === 200 ? answer.json<{ status: string }>().status : answer.statusCode
    }
    const leadsTo = async (path: string): Promise<unknown> =>
      (await shop.client.server.app.inject({ url: path, headers: TEA })).headers.location
    const formAt = (minutes: number): string =>
      newForm(shop.client.clock.now() + minutes * MINUTE_MS, 'abcdefghijkl'.padEnd(32, 'm'))
    const assertRefused = async (
      sent: ReturnType<LinkShop['press']>,
      answer: readonly [number, string],
    ): Promise<void> => {
      assert.deepEqual(statusAndCode(await sent), answer)
    }
    const assertNotPaid = (id: string, answer: readonly [number, string]): Promise<void> =>
      assertRefused(shop.client.server.submitCard(id), answer)

    test('is read and drawn without a row, and a day later nobody is told of it', async () => {
      const { client, createLink, openedBy } = shop
      const { id } = await createLink({ amount: 1980 })
      const stored = await rowCounts()
      const opened: string[] = []
      for (let visitor = 0; visitor < 10; visitor += 1) opened.push(await openedBy(id))
      for (const each of opened) {
        assert.equal(await readStatus(each), 'open')
        assert.equal(await leadsTo(`/${each}`), `/${each}/creditcard`)
        assert.equal((await client.send(`/checkouts/${each}`)).statusCode, 404)
      }
      client.clock.advance(DAY_MS + MINUTE_MS)
      await workOnce(client.server.deps)
      assert.deepEqual(await rowCounts(), stored)
    })

    const cancel = (id: string) => shop.client.server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${id}` })
    const cancelledAs = async (id: string): Promise<unknown> => (await cancel(id)).json<{ status: string }>().status
    const cancelledRows = async (): Promise<number> => {
      const [row = {}] = await shop.client.server.deps.database.rows('SELECT COUNT(*) AS n FROM cancelled_openings')
      return integer(row, 'n')
    }

    test('once cancelled cannot be paid, also by another tab, and nobody is told of it', async () => {
      const { client, createLink, openedBy } = shop
      const { id } = await createLink({ amount: 1980 })
      const opened = await openedBy(id)
      const stored = await rowCounts()
      assert.equal(await cancelledAs(opened), 'cancelled')
      await assertNotPaid(opened, [404, 'checkout_closed'])
      assert.deepEqual([await readStatus(opened), await cancelledAs(opened)], ['cancelled', 'cancelled'])
      assert.equal(await leadsTo(`/${opened}`), `/links/${id}`)
      assert.deepEqual(await rowCounts(), stored)
      client.clock.advance(DAY_MS + 2 * HOUR_MS)
      assert.equal(await readStatus(opened), 'cancelled')
      await purgeOld(client.server.deps)
      assert.deepEqual([await rowCounts(), await cancelledRows()], [stored, 0])
      assert.equal(await readStatus(opened), 'expired')
    })

    test('is either cancelled or begun where a cancel and a first card come at once, and then cancelled with its attempt', async () => {
      const { client, createLink, openedBy } = shop
      const { id } = await createLink({ amount: 1980 })
      for (let round = 0; round < 8; round += 1) {
        const opened = await openedBy(id)
        const [card, cancelled] = await Promise.all([client.server.submitCard(opened), cancel(opened)])
        assert.equal(cancelled.json<{ status: string }>().status, 'cancelled')
        assert.equal(await readStatus(opened), 'cancelled')
        if (card.statusCode === 200) {
          const { orderCode } = card.json<{ orderCode: string }>()
          const paid = await client.server.pay(opened, orderCode)
          assert.notEqual(paid.json<{ status?: string }>().status, 'paid', paid.body)
        }
        await assertNotPaid(opened, [404, 'checkout_closed'])
      }
    })

    test('whose first card came before its cancel is cancelled as every stored one', async () => {
      const { client, createLink, openedBy, read } = shop
      const { id } = await createLink({ amount: 1980 })
      const opened = await openedBy(id)
      let isFirst = true
      const { deps } = client.server
      const database: typeof deps.database = {
        ...deps.database,
        rows: async (text, ...values) => {
          const found = await deps.database.rows(text, ...values)
          // The card comes after the cancel has looked for a row, and before it looks for the link.
          if (isFirst && text.includes('cancelled_openings')) {
            isFirst = false
            await client.server.startAttempt(opened)
          }
          return found
        },
      }
      const reading = await cancelUnstored({ ...deps, database }, TEA_MERCHANT, opened, () => true)
      assert.equal('checkout' in reading && reading.checkout.state.status, 'cancelled')
      assert.equal((await read(opened)).status, 'cancelled')
      await assertNotPaid(opened, [404, 'checkout_closed'])
    })

    test('is not told as cancelled where it has expired, or where a stranger has cancelled thousands of its link', async () => {
      const { client, createLink } = shop
      const { id } = await createLink({ amount: 1980 })
      assert.equal(await cancelledAs(openedIdOf(id, 1980, formAt(-25 * 60))), 'expired')
      client.clock.advance(DAY_MS)
      const before = await cancelledRows()
      const said: unknown[] = []
      for (let stranger = 0; stranger < 40; stranger += 1)
        said.push(await cancelledAs(openedIdOf(id, 1980, newForm(client.clock.now(), randomId()))))
      assert.deepEqual([said[0], said.at(-1)], ['cancelled', 'open'])
      assert.equal((await cancelledRows()) - before, STORED_PER_NETWORK.burst)
      const left = openedIdOf(id, 1980, newForm(client.clock.now(), randomId()))
      assert.equal(await cancelledAs(left), 'open')
      assert.notEqual(await client.server.startAttempt(left), '', 'nobody was told that it is cancelled')
    })

    test('is opened by no form of many hours ago: what it opens could be paid for minutes only', async () => {
      const { createLink, press } = shop
      const { id } = await createLink({ amount: 1980 })
      assert.equal((await press(id, { form: formAt(-20 * 60) })).statusCode, 303)
      const old = await press(id, { form: formAt(-20 * 60 - 1) })
      assert.equal(old.statusCode, 200)
      const fresh = formIn(old.body)
      assert.equal((await press(id, { form: fresh })).headers.location, `/${openedIdOf(id, 1980, fresh)}`)
    })

    test('is stored by its first card, with one attempt, and paid once', async () => {
      const { client, createLink, readLink, openedBy, read, countOf } = shop
      const { id } = await createLink({ amount: 1980, maxPayments: 1 })
      const opened = await openedBy(id)
      const { validUntil } = (await client.server.readCheckout(opened)).json<{ validUntil: string }>()
      client.clock.advance(3_600_000)
      const order = await client.server.startAttempt(opened)
      const checkout = await read(opened)
      assert.deepEqual([checkout.validUntil, checkout.linkId], [validUntil, id])
      assert.equal(checkout.createdAt, new Date(client.clock.now()).toISOString())
      assert.equal((await client.server.pay(opened, order)).json<MerchantCheckoutAnswer>().status, 'paid')
      assert.deepEqual([await countOf(id), await client.server.countAttempts(opened)], [1, 1])
      assert.equal((await readLink(id)).payments, 1)
      assert.equal(await readStatus(opened), 'paid')
    })

    test('is one checkout where two cards are sent at once', async () => {
      const { client, createLink, openedBy, countOf } = shop
      const { id } = await createLink({ amount: 1980 })
      const opened = await openedBy(id)
      const answers = await Promise.all([client.server.submitCard(opened), client.server.submitCard(opened)])
      // The later one has given up the earlier one, which may learn of it at once.
      for (const { statusCode, body } of answers) assert.ok(statusCode === 200 || statusCode === 409, body)
      assert.ok(answers.some(({ statusCode }) => statusCode === 200))
      assert.deepEqual([await countOf(id), await client.server.countAttempts(opened)], [1, 2])
    })

    test('is not stored where its first card is refused', async () => {
      const { client, createLink, openedBy, countOf, change } = shop
      const { id } = await createLink({ amount: 1980 })
      const opened = await openedBy(id)
      assert.equal((await client.server.submitCard(opened, { number: '4000000000000002' })).statusCode, 400)
      assert.equal((await client.server.submitCard(opened, { expiryYear: 2020 })).statusCode, 400)
      await change(id, { enabled: false })
      await assertNotPaid(opened, [404, 'checkout_closed'])
      assert.equal(await countOf(id), 0)
    })

    test('is not stored where its first card is refused by the limits on card testing, under the lock', async () => {
      const { network, ...limits } = CARD_TESTING_LIMITS.test
      const one = { ...limits, network: { ...network, waitFromPerThreeHours: 1 } }
      const { client, createLink, openedBy, countOf } = await openLinkShop(await open(), {
        cardTestingLimits: { ...CARD_TESTING_LIMITS, test: one },
      })
      const { id } = await createLink({ amount: 1980 })
      await client.server.startAttempt(await openedBy(id))
      await assertRefused(client.server.submitCard(await openedBy(id)), [429, 'too_many_attempts'])
      assert.equal(await countOf(id), 1)
    })

    test('past its day reads as expired, and its address opens the link anew', async () => {
      const { client, createLink } = shop
      const { id } = await createLink({ amount: 1980 })
      const opened = openedIdOf(id, 1980, formAt(0))
      const { validUntil } = (await client.server.readCheckout(opened)).json<{ validUntil: string }>()
      client.clock.advance(Date.parse(validUntil) - client.clock.now())
      assert.equal(await readStatus(opened), 'open')
      client.clock.advance(1)
      assert.equal(await readStatus(opened), 'expired')
      assert.equal(await leadsTo(`/${opened}/creditcard`), `/links/${id}`)
      await assertNotPaid(opened, [404, 'checkout_closed'])
    })

    test('leads to its link, which says why, once that is ended, full, switched off, or its shop has closed', async () => {
      const { client, createLink, change, openedBy } = shop
      const { clock, server } = client
      const { id } = await createLink({ amount: 1980, maxPayments: 1, validUntil: new Date(clock.now() + 60_000) })
      const [opened, other] = [await openedBy(id), await openedBy(id)]
      const assertOver = async (status: string): Promise<void> => {
        assert.equal(await readStatus(opened), status)
        assert.equal(await leadsTo(`/${opened}`), `/links/${id}`)
        await assertNotPaid(opened, [404, 'checkout_closed'])
      }
      await change(id, { enabled: false })
      await assertOver('cancelled')
      await change(id, { enabled: true })
      clock.advance(60_001)
      await assertOver('expired')
      await change(id, { validUntil: null })
      assert.equal(await readStatus(opened), 'open')
      await server.pay(other, await server.startAttempt(other))
      await assertOver('cancelled')
      await change(id, { maxPayments: 2 })
      await closeMerchant(server.deps.database, TEA_MERCHANT.id, clock.now())
      clock.advance(1000)
      assert.equal(await leadsTo(`/${opened}`), `/links/${id}`)
      await reopenMerchant(server.deps.database, TEA_MERCHANT.id)
      clock.advance(1000)
      assert.equal(await leadsTo(`/${opened}`), `/${opened}/creditcard`)
    })

    test('is unknown with an amount that its link does not take, from the future, and at another shop', async () => {
      const { createLink, client, countOf } = shop
      const { id } = await createLink({ amountRange: { min: 100, max: 9_999_999 } })
      for (const [yen, status] of [
        [99, 404],
        [100, 'open'],
        [9_999_999, 'open'],
        [10_000_000, 404],
      ] as const)
        assert.equal(await readStatus(openedIdOf(id, yen, formAt(0))), status, String(yen))
      assert.equal(await readStatus(openedIdOf(id, 100, formAt(10))), 'open')
      const ahead = openedIdOf(id, 100, formAt(11))
      assert.equal(await readStatus(ahead), 404)
      await assertNotPaid(ahead, [404, 'checkout_not_found'])
      const elsewhere = await client.server.sendRequest({
        url: `/api/v1/checkouts/${openedIdOf(id, 100, formAt(0))}`,
        merchant: 'books',
      })
      assert.equal(elsewhere.statusCode, 404)
      assert.equal(await countOf(id), 0)
    })

    test('after the minute of a restore is payable, and one from before it is not: it may have been paid', async () => {
      const { client, createLink } = shop
      const { id } = await createLink({ amount: 1980 })
      client.clock.advance(MINUTE_MS)
      const [earlier, later] = [formAt(0), formAt(1)].map((form) => openedIdOf(id, 1980, form))
      const now = client.clock.now()
      await client.server.deps.database.writeAll([restoreWrite({ restoredAt: now, takenAt: now - 1 })])
      assert.equal(await readStatus(earlier ?? ''), 404)
      assert.equal(await leadsTo(`/${earlier}`), '/404')
      await assertNotPaid(earlier ?? '', [404, 'checkout_not_found'])
      assert.equal(await readStatus(later ?? ''), 'open')
      client.clock.advance(MINUTE_MS)
    })

    test('after a restore is opened by a form that was drawn after it, and one from before it shows the link again', async () => {
      const { client, createLink, openPage, press } = shop
      const { id } = await createLink({ amount: 1980 })
      client.clock.advance(MINUTE_MS)
      const before = formIn((await openPage(id)).body)
      const now = client.clock.now()
      await client.server.deps.database.writeAll([restoreWrite({ restoredAt: now, takenAt: now - 1 })])
      const pressed = await press(id, { form: before })
      assert.equal(pressed.statusCode, 200, 'asked again: it may have been paid')
      for (const { body } of [pressed, await openPage(id)]) {
        const opened = String((await press(id, { form: formIn(body) })).headers.location).slice(1)
        assert.equal(await readStatus(opened), 'open')
        assert.equal(await leadsTo(`/${opened}`), `/${opened}/creditcard`)
      }
      client.clock.advance(MINUTE_MS)
    })

    test('is found in a database of any language: in Estonian y comes after z, in Danish aa', async () => {
      const { client, createLink, openedBy } = shop
      const { database } = client.server.deps
      for (const [language, tail] of [
        ['et-x-icu', 'yw'],
        ['da-x-icu', 'aa'],
      ] as const) {
        if (name === 'PostgreSQL')
          await database.rows(`ALTER TABLE reusable_links ALTER COLUMN id TYPE TEXT COLLATE "${language}"`)
        const { id } = await createLink({ amount: 1980 })
        const late = `${id.slice(0, 9)}${tail}${id.slice(11)}`
        await database.rows('UPDATE reusable_links SET id = $1 WHERE id = $2', late, id)
        assert.equal(await readStatus(await openedBy(late)), 'open', language)
      }
    })

    test('waits with its first card while its network has had too many stored, and stores nothing meanwhile', async () => {
      const { client, createLink, openedBy, countOf } = shop
      const { id } = await createLink({ amount: 1980 })
      client.clock.advance(DAY_MS)
      const send = async () => client.server.submitCard(await openedBy(id), CARD)
      for (let card = 0; card < STORED_PER_NETWORK.burst; card += 1) assert.equal((await send()).statusCode, 200)
      const refused = await send()
      assert.deepEqual(statusAndCode(refused), [429, 'too_many_attempts'])
      assert.equal(refused.headers['retry-after'], '2')
      assert.equal(await countOf(id), STORED_PER_NETWORK.burst)
      // What is stored already goes on.
      const ready = await openedBy(id)
      client.clock.advance(2000)
      const order = await client.server.startAttempt(ready)
      assert.equal((await client.server.submitCard(ready)).statusCode, 200)
      assert.notEqual(order, '')
    })
  })
})
