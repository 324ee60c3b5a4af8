import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import type { Notifications } from '#contract/notification-settings.ts'
import type { AcquirerDispute, ChargeOutcome, RefundOutcome } from '#payment/ports.ts'
import { UNREGISTERED } from '#payment/mail-permission.ts'
import { NOTIFICATION_CAPS } from '#payment/notification-mails.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { registerMailAddress } from '../../operations/mail-addresses.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Database } from '../../store/engine/database.ts'
import { integer } from '../../store/engine/columns.ts'
import { fanOut } from '../../store/outbox/fan-out.ts'
import { removeRegistration } from '../../store/outbox/mail-addresses.ts'
import { findMailsDue } from '../../store/outbox/mail-claims.ts'
import { changeSettings } from '../../store/merchant/merchants.ts'
import { insertRows } from '../../store/engine/write.ts'
import { readDisputes } from '../read-disputes.ts'
import { workOnce } from '../worker.ts'
import type { Letter, Mailer } from './mailer.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const CONTACT = 'shop@example.com'
const SHOPPER = 'taro@example.com'

describe('a shop is told of its payments', () => {
  onBothDatabases(({ open, name }) => {
    let shop: MerchantClient
    let deps: Dependencies
    let database: Database
    let letters: Letter[]
    let chargeOutcome: ChargeOutcome | null
    let inquiry: 'pending' | 'charged'
    let refundOutcome: RefundOutcome | null
    /** Not the sandbox's: it asks for permission. */
    const mailer: Mailer = {
      isSandbox: false,
      send: async (letter) => {
        letters.push(letter)
        return { outcome: 'sent', answer: '250' }
      },
    }
    beforeEach(async () => {
      shop = await openMerchantClient(await open(), {
        inquire: async () =>
          inquiry === 'pending'
            ? { outcome: 'pending' }
            : { outcome: 'charged', transactionId: 'txn_late', approvedAt: shop.clock.now(), amountYen: 1980 },
        refund: async ({ amountYen }) =>
          refundOutcome ?? { outcome: 'refunded', amountYen, refundedAt: shop.clock.now() },
      })
      ;[inquiry, refundOutcome, chargeOutcome, letters] = ['pending', null, null, []]
      ;({ deps } = shop.server)
      ;({ database } = deps)
      shop.gateway.chargeOutcome = chargeOutcome
      // At the beginning of an hour, so that a test stays within it; of a day in Japan.
      const now = shop.clock.now() + 9 * HOUR_MS
      shop.clock.advance(DAY_MS - (now % DAY_MS))
    })

    const register = (address: string) => registerMailAddress(deps, { merchantId: 'tea-id', address })
    const choose = (notifications: Partial<Notifications>, merchantId = 'tea-id'): Promise<unknown> =>
      database.transact((sql) =>
        changeSettings(sql, merchantId, (settings) => ({
          ...settings,
          notifications: { ...settings.notifications, ...notifications },
        })),
      )
    const work = async (workers = 1): Promise<void> => {
      const workOne = async (): Promise<void> => {
        while ((await fanOut(database, shop.clock.now())) > 0);
        await workOnce(deps, mailer)
      }
      await Promise.all(Array.from({ length: workers }, workOne))
    }
    /** Neither a shopper's receipt nor the mail that asks the shopper of a test. */
    const toShop = (): Letter[] =>
      letters.filter(({ senderName, recipient }) => senderName === 'localhost' && recipient !== SHOPPER)
    const subjects = (): string[] => toShop().map(({ subject }) => subject)
    const addWebhook = async (): Promise<string> => {
      const made = await shop.send('/webhooks', { method: 'POST', payload: { url: 'https://shop.example.com/hook' } })
      return made.json<{ id: string }>().id
    }
    /** Events like one that there is, of another mode and more of them. */
    const copyEvents = async (count: number, mode: 'test' | 'live', name: string): Promise<void> => {
      const [row] = await database.rows(`SELECT data FROM events WHERE type = 'checkout.paid' LIMIT 1`)
      const [data, now] = [String(row?.['data']), shop.clock.now()]
      const rows = Array.from({ length: count }, (_none, at) => {
        const id = `evt_${name}${String(at).padStart(4, '0')}`
        return ['tea-id', id, mode, 'checkout.paid', id, 1, data, now]
      })
      const columns = ['merchant_id', 'id', 'mode', 'type', 'checkout_id', 'sequence', 'data', 'created_at']
      await database.writeAll(insertRows('events', columns, rows))
    }

    test('when a payment is disputed and when the dispute is over, with the time until which it can be answered', async () => {
      await register(CONTACT)
      await choose({ paid: false, locale: 'en_US' })
      const { id } = await shop.createPaid({ reference: 'A-9' })
      const [row] = await database.rows('SELECT order_code FROM attempts WHERE checkout_id = $1', id)
      const now = shop.clock.now()
      const dispute: AcquirerDispute = {
        disputeId: 'dp_1',
        orderCode: String(row?.['order_code']),
        status: 'open',
        amountYen: 1980,
        reason: 'fraudulent',
        respondBy: Date.parse('2026-12-24T09:00:00+09:00'),
        openedAt: now,
        movements: [{ kind: 'chargeback', movementId: 'txn_1', amountYen: 1980, movedAt: now }],
      }
      for (const status of ['open', 'open', 'lost', 'lost'] as const) {
        shop.gateway.disputes = async () => ({ outcome: 'page', disputes: [{ ...dispute, status }], after: null })
        await readDisputes(deps)
        await work()
        shop.clock.advance(MINUTE_MS)
      }
      assert.deepEqual(
        subjects().map((subject) => subject.split(' · ').slice(0, 2).join()),
        ['[Test] Payment disputed: ¥1,980 JPY,A-9', '[Test] Dispute lost: ¥1,980 JPY,A-9'],
      )
      const [opened] = toShop()
      assert.match(opened?.text ?? '', /Answer by: Dec 24, 2026, 09:00/)
      assert.match(opened?.text ?? '', /fraudulent/)
      assert.doesNotMatch(opened?.text ?? '', /4242|visa/i)
    })

    test('not while it has a webhook of the same mode, unless it has chosen so; again while that is disabled', async () => {
      await register(CONTACT)
      const webhook = await addWebhook()
      await shop.createPaid()
      await work()
      assert.deepEqual(toShop(), [])
      await choose({ paid: true })
      await shop.createPaid()
      await work()
      assert.equal(toShop().length, 1)
      await choose({ paid: null })
      await shop.send(`/webhooks/${webhook}`, { method: 'PATCH', payload: { enabled: false } })
      await shop.createPaid()
      await work()
      assert.equal(toShop().length, 2)
      // A webhook of tests tells of no live payment.
      await shop.send(`/webhooks/${webhook}`, { method: 'PATCH', payload: { enabled: true } })
      await copyEvents(1, 'live', 'live')
      await work()
      assert.equal(toShop().length, 3)
      assert.doesNotMatch(subjects()[2] ?? '', /Test|テスト/)
    })

    test('that a payment is in doubt: after ten minutes and not before, and not where the doubt has ended by then', async () => {
      await register(CONTACT)
      await choose({ paid: false, locale: 'en_US' })
      const doubt = async (reference: string): Promise<void> => {
        shop.gateway.chargeOutcome = { outcome: 'unknown', why: 'timeout' }
        const { id } = await shop.create({ reference })
        await shop.server.pay(id, await shop.server.startAttempt(id))
      }
      await doubt('A-1')
      shop.clock.advance(10 * MINUTE_MS - 1)
      await work()
      assert.deepEqual(subjects(), [])
      shop.clock.advance(1)
      await work()
      await work()
      assert.deepEqual(subjects(), ['[Test] Payment not confirmed: ¥1,980 JPY · A-1 · Aoyama Tea'])
      await doubt('A-2')
      await work()
      inquiry = 'charged'
      shop.clock.advance(10 * MINUTE_MS)
      await work()
      await work()
      assert.equal(subjects().length, 1)
      const left = await database.rows(`SELECT state FROM mails WHERE kind = 'shop_payment_in_doubt'`)
      assert.deepEqual(
        left.map((row) => row['state']),
        ['sent'],
        'nobody is alarmed by a mail that was not needed',
      )
    })

    test('once for each event: two that fan out at once, a crash before the commit, and events that are fanned out again', async () => {
      await register(CONTACT)
      await shop.createPaid()
      const dying: Database = {
        ...database,
        transact: (run) =>
          database.transact(async (sql) => {
            await run(sql)
            throw new Error('killed before the commit')
          }),
      }
      await assert.rejects(fanOut(dying, shop.clock.now()), /killed/)
      const count = async (table: string): Promise<number> =>
        integer((await database.rows(`SELECT COUNT(*) AS n FROM ${table}`))[0] ?? {}, 'n')
      assert.equal(await count('notification_hours'), 0)
      await Promise.all([fanOut(database, shop.clock.now()), fanOut(database, shop.clock.now())])
      await work()
      assert.equal(toShop().length, 1)
      // As after a restore from a backup that was taken before the fan-out.
      await database.rows('UPDATE events SET fanned_out_at = NULL')
      await work()
      assert.equal(toShop().length, 1)
    })

    test('a process that dies between the mail server’s answer and its record sends it again under the same Message-ID', async () => {
      await register(CONTACT)
      await shop.createPaid()
      await fanOut(database, shop.clock.now())
      const dying: Mailer = {
        isSandbox: false,
        send: async (letter) => {
          letters.push(letter)
          throw new Error('killed')
        },
      }
      await workOnce(deps, dying)
      shop.clock.advance(5 * MINUTE_MS)
      await work()
      const ids = toShop().map(({ messageId }) => messageId)
      assert.equal(ids.length, 2)
      assert.equal(new Set(ids).size, 1)
    })

    test('so many in a day one by one; then by the hour alone, until the next day in Japan', async () => {
      await choose({ locale: 'en_US' })
      await shop.createPaid()
      await work()
      await register(CONTACT)
      const { hour, day } = NOTIFICATION_CAPS.live
      const oneByOne = (): number => subjects().filter((subject) => subject.startsWith('Paid')).length
      const summedUp = (): number => subjects().filter((subject) => subject.startsWith('More')).length
      for (let each = 0; each < day / hour + 2; each += 1) {
        await copyEvents(hour, 'live', `h${each}-`)
        await work()
        shop.clock.advance(HOUR_MS + MINUTE_MS)
      }
      await work()
      assert.deepEqual([oneByOne(), summedUp()], [day, 2])
      shop.clock.advance(DAY_MS)
      await copyEvents(1, 'live', 'next')
      await work()
      assert.deepEqual([oneByOne(), summedUp()], [day + 1, 2])
    })

    test('counts of hours are forgotten after three days, and nothing else is', async () => {
      await register(CONTACT)
      await shop.createPaid()
      await work()
      const hours = async (): Promise<number> => (await database.rows('SELECT hour FROM notification_hours')).length
      shop.clock.advance(3 * DAY_MS - HOUR_MS)
      await work()
      assert.equal(await hours(), 1)
      shop.clock.advance(2 * HOUR_MS)
      await work()
      assert.equal(await hours(), 0)
    })

    // One engine shows the rest: it asks the same statements again.
    if (name === 'PostgreSQL') return

    test('at its registered contact address, where it has chosen nothing and has no webhook', async () => {
      await shop.createPaid({ reference: 'A-1', subject: 'Sencha' })
      await work()
      assert.deepEqual(toShop(), [], 'the address is not registered, and nobody has asked for mails')
      await register(CONTACT)
      await shop.createPaid({ reference: 'A-2', subject: 'Sencha' })
      await work()
      const [letter, ...more] = toShop()
      assert.equal(
        letter?.subject,
        '【テスト】¥1,980のお支払いがありました / [Test] Paid: ¥1,980 JPY · A-2 · Aoyama Tea',
        'in Japanese and English, where no language was chosen',
      )
      assert.deepEqual([letter.recipient, letter.replyTo, more.length], [CONTACT, null, 0])
      assert.match(letter.text, /A-2/)
      assert.doesNotMatch(letter.text + letter.html, /taro@/)
    })

    test('of nothing that it does not want, and of a refund of a part and of the rest each once', async () => {
      await register(CONTACT)
      await choose({ paid: false, locale: 'en_US' })
      const { id } = await shop.createPaid({ reference: 'A-1' })
      await shop.refund(id, { refundId: 'r1', amount: 480 })
      await work()
      await shop.refund(id, { refundId: 'r2' })
      await work()
      await work()
      assert.deepEqual(subjects(), [
        '[Test] Refunded: ¥480 JPY · A-1 · Aoyama Tea',
        '[Test] Refunded: ¥1,500 JPY · A-1 · Aoyama Tea',
      ])
      assert.match(toShop()[1]?.text ?? '', /Refunded so far: ¥1,980 JPY/)
    })

    test('that a refund was refused', async () => {
      await register(CONTACT)
      await choose({ paid: false, locale: 'en_US' })
      const { id } = await shop.createPaid({ reference: 'A-1' })
      refundOutcome = { outcome: 'refused', reason: 'card closed' }
      await shop.refund(id, { refundId: 'r1', amount: 480 })
      await work()
      assert.deepEqual(subjects(), ['[Test] Refund refused: ¥480 JPY · A-1 · Aoyama Tea'])
    })

    test('never at the address of a shopper: it is taken from the settings alone', async () => {
      await register(CONTACT)
      await register(SHOPPER)
      const lettersTo = (): string[] =>
        letters.map(({ recipient, senderName }) => `${recipient} from ${senderName}`).toSorted()
      // A shopper who types the shop's address gets a receipt there, and the shop its mail.
      await shop.createPaid({ metadata: { email: SHOPPER } }, { email: CONTACT })
      await work()
      assert.deepEqual(lettersTo(), [`${CONTACT} from Aoyama Tea`, `${CONTACT} from localhost`])
      letters = []
      await choose({ address: 'orders@example.com' })
      await register('orders@example.com')
      await shop.createPaid({ reference: SHOPPER, subject: SHOPPER }, { email: SHOPPER })
      await work()
      assert.deepEqual(lettersTo(), ['orders@example.com from localhost', `${SHOPPER} from Aoyama Tea`])
    })

    test('of no other merchant’s payments', async () => {
      await register(CONTACT)
      await choose({ paid: true, address: CONTACT }, 'books-id')
      await shop.createPaid()
      await work()
      assert.equal(toShop().length, 1)
      const merchants = await database.rows('SELECT DISTINCT merchant_id FROM mails')
      assert.deepEqual(
        merchants.map((row) => row['merchant_id']),
        ['tea-id'],
      )
    })

    test('at an address that it has chosen only once that has confirmed: one neutral mail asks, and then what was held back is sent', async () => {
      await choose({ paid: true, address: 'orders@example.com', locale: 'ja_JP' })
      await shop.createPaid({ reference: 'A-1' })
      await shop.createPaid({ reference: 'A-2' })
      await work()
      await work()
      assert.deepEqual(subjects(), ['メールアドレスの確認'])
      const states = await database.rows(`SELECT state, answer FROM mails WHERE kind = 'shop_paid'`)
      assert.deepEqual(
        states.map((row) => [row['state'], row['answer']]),
        [1, 2].map(() => ['refused', UNREGISTERED]),
      )
      assert.match(shop.server.logLines.join(), /a shop was not told/)
      assert.doesNotMatch(shop.server.logLines.join(), /orders@/)
      await register('orders@example.com')
      await work()
      assert.equal(subjects().filter((subject) => subject.includes('お支払いがありました')).length, 2)
    })

    for (const mode of ['live', 'test'] as const)
      test(`in ${mode} mode so many in an hour one by one: the last of them says that the rest is summed up, and after the hour one mail does, however many workers there are`, async () => {
        await choose({ locale: 'en_US' })
        const { hour: cap } = NOTIFICATION_CAPS[mode]
        await shop.createPaid({ reference: 'A-1' })
        await work(3)
        await register(CONTACT)
        await copyEvents(cap, mode, 'a')
        await work(3)
        assert.equal(toShop().length, cap)
        // They are sent several at a time, and written in the order of the events.
        const mails = await database.rows(`SELECT facts FROM mails WHERE kind = 'shop_paid' ORDER BY id`)
        const isLast = mails.map((row) => String(row['facts']).includes('"isLastOfHour":true'))
        assert.deepEqual(isLast, [...Array<boolean>(cap - 1).fill(false), true])
        assert.equal(toShop().filter(({ text }) => text.includes('If more of these follow')).length, 1)
        await copyEvents(130, mode, 'b')
        await work(3)
        assert.equal(toShop().length, cap, 'and not one more')
        shop.clock.advance(HOUR_MS + MINUTE_MS)
        await work(3)
        await work(3)
        const test = mode === 'test' ? '[Test] ' : ''
        assert.deepEqual(subjects().slice(cap), [`${test}More payments: 130 (¥257,400 JPY) · Aoyama Tea`])
        // In the next hour one by one again.
        await copyEvents(1, mode, 'c')
        await work(3)
        assert.equal(toShop().length, cap + 2)
      })

    test('what was held is not told where the shop has turned these mails off meanwhile, nor where its address was removed', async () => {
      await shop.createPaid()
      await work()
      const { hour } = NOTIFICATION_CAPS.live
      for (const [name, turnOff] of [
        ['a', () => removeRegistration(database, { merchantId: 'tea-id', address: CONTACT }, shop.clock.now())],
        ['b', () => choose({ paid: false })],
      ] as const) {
        await register(CONTACT)
        await copyEvents(hour + 1, 'live', name)
        await work()
        const told = toShop().length
        await turnOff()
        shop.clock.advance(HOUR_MS + MINUTE_MS)
        await work()
        assert.equal(toShop().length, told, name)
        assert.deepEqual(await database.rows('SELECT held FROM notification_hours WHERE held > 0'), [])
      }
    })

    test('and its mails keep no shopper from a receipt: of what is due, every second one is the shop’s', async () => {
      await register(CONTACT)
      const { hour } = NOTIFICATION_CAPS.live
      await shop.createPaid()
      await copyEvents(hour, 'live', 'a')
      await fanOut(database, shop.clock.now())
      shop.clock.advance(1)
      await shop.createPaid()
      const due = await findMailsDue(database, shop.clock.now(), 4)
      assert.deepEqual([due.length, due.filter(({ isToShopper }) => isToShopper).length], [4, 2])
    })
  })
})
