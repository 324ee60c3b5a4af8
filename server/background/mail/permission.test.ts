import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { endpointMail } from '#payment/endpoint-mail.ts'
import type { MailFacts } from '#contract/mail-facts.ts'
import { MAIL_CAPS, UNREGISTERED } from '#payment/mail-permission.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { CARD } from '../../../proof/harness/test-server.ts'
import { registerMailAddress } from '../../operations/mail-addresses.ts'
import type { MailOutcome } from '../../store/outbox/mail-claims.ts'
import { endpointMailWrite, mailsOfCheckout, mailsWrite, type ListedMail } from '../../store/outbox/mails.ts'
import { wholeTimeline } from '../../store/checkout/timeline.ts'
import { workOnce } from '../worker.ts'
import type { Letter, Mailer } from './mailer.ts'

const STRANGER = 'stranger@example.org'
const SENT = { outcome: 'sent', answer: '250' } as const

describe('a mail that leaves the machine', () => {
  onBothDatabases(({ open, name }) => {
    let shop: MerchantClient
    let letters: Letter[]
    let answer: MailOutcome
    const mailer: Mailer = {
      isSandbox: false,
      send: async (letter) => {
        letters.push(letter)
        return answer
      },
    }
    beforeEach(async () => {
      shop = await openMerchantClient(await open())
      letters = []
      answer = SENT
    })
    const work = () => workOnce(shop.server.deps, mailer)
    const register = (address: string) => registerMailAddress(shop.server.deps, { merchantId: 'tea-id', address })
    const refOf = (checkoutId: string) => ({ merchantId: 'tea-id', checkoutId })
    const mailsOf = (checkoutId: string): Promise<ListedMail[]> =>
      mailsOfCheckout(shop.server.deps.database, refOf(checkoutId))
    const recipients = () => letters.map(({ recipient }) => recipient)
    const alarms = () => shop.server.logLines.filter((line) => line.includes('mails of a merchant are kept back'))
    /** The token in the link of a confirmation. */
    const linkIn = ({ text }: Letter): string =>
      /http:\/\/tea\.localhost:3000(\/mail-address\/[a-z2-7]{32})\?locale=/.exec(text)?.[1] ?? assert.fail(text)
    const press = (path: string, host = 'tea.localhost:3000') =>
      shop.server.app.inject({
        method: 'POST',
        url: path,
        headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
      })
    /** Mails of live payments about one checkout, as many as wanted: no acquirer of this release takes real money. */
    const writeLive = async (
      kind: 'receipt' | 'reissue' | 'refund',
      count: number,
      email: (at: number) => string = () => STRANGER,
    ): Promise<string> => {
      const { id: checkoutId } = await shop.create()
      const facts: MailFacts = {
        kind: 'receipt',
        mode: 'live',
        amountYen: 1980,
        subject: null,
        card: { brand: 'visa', lastFour: '4242' },
        transactionId: 'txn_1',
        paidAt: 0,
        invoice: null,
      }
      const mails = Array.from({ length: count }, (_none, at) => ({
        ...refOf(checkoutId),
        kind,
        about: `x${at}`,
        receipt: { email: email(at), locale: 'ja_JP' as const },
        facts,
      }))
      await shop.server.deps.database.writeAll(mailsWrite(mails, shop.clock.now()))
      return checkoutId
    }
    const statesOf = async (checkoutId: string, kind: string): Promise<Record<string, number>> => {
      const states: Record<string, number> = {}
      for (const mail of await mailsOf(checkoutId))
        if (mail.kind === kind) states[mail.state] = (states[mail.state] ?? 0) + 1
      return states
    }

    test('is held back until its address has confirmed: opening the link is not enough, the button is', async () => {
      const { id } = await shop.createPaid({}, { email: 'Dev@Example.com' })
      await work()
      await work()
      const path = linkIn(letters[0] ?? assert.fail())
      for (const method of ['GET', 'HEAD'] as const)
        await shop.server.app.inject({ method, url: path, headers: { host: 'tea.localhost:3000' } })
      await work()
      assert.equal(letters.length, 1)
      assert.equal((await press(path, 'books.localhost:3000')).statusCode, 404)
      assert.equal((await press(path)).statusCode, 200)
      await work()
      assert.deepEqual(recipients(), ['Dev@Example.com', 'Dev@Example.com'])
      assert.equal(letters[1]?.subject, '【テスト】Aoyama Teaのお支払い明細（¥1,980）')
      assert.equal((await mailsOf(id))[0]?.state, 'sent')
      await shop.createPaid({}, { email: 'dev@example.com' })
      await work()
      assert.equal(letters.length, 3)
      // A second press sends nothing again.
      await press(path)
      await work()
      assert.equal(letters.length, 3)
      const lines = await wholeTimeline(shop.server.deps.database, refOf(id))
      assert.deepEqual(
        lines.filter(({ subject }) => subject === 'mail').map(({ from, to, by, why }) => [from, to, by, why]),
        [
          ['waiting', 'refused', 'worker', UNREGISTERED],
          ['refused', 'waiting', 'shopper', 'the address was confirmed'],
          ['waiting', 'sent', 'worker', '250'],
        ],
      )
    })

    test('goes to an address that the operator registered, and what was held back of it goes then', async () => {
      await shop.createPaid({}, { email: STRANGER })
      await work()
      assert.deepEqual(await register(STRANGER.toUpperCase()), { isNew: true, mails: 1 })
      assert.deepEqual(await register(STRANGER), { isNew: false, mails: 0 })
      await work()
      const receipts = letters.filter(({ subject }) => subject.includes('お支払い明細'))
      assert.equal(receipts.length, 1)
    })

    test('asks ten strangers a day for one merchant, raises one alarm, and asks the others on another day', async () => {
      const cap = MAIL_CAPS.confirmation.fromMerchant ?? assert.fail()
      const strangers = Array.from({ length: cap + 2 }, (_none, at) => `s${at}@example.org`)
      for (const email of strangers) await shop.createPaid({}, { email })
      await work()
      await work()
      assert.deepEqual([letters.length, alarms().length], [cap, 1])
      shop.clock.advance(DAY_MS)
      for (const email of [...recipients(), strangers.find((each) => !recipients().includes(each)) ?? assert.fail()])
        await shop.createPaid({}, { email })
      await work()
      await work()
      assert.equal(letters.length, cap + 1)
    })

    test('that a key asks for again goes ten times a day to one reader, however the address is written', async () => {
      const { toOneFromMerchant } = MAIL_CAPS.on_request
      const id = await writeLive('reissue', toOneFromMerchant + 2, (at) =>
        at % 2 === 0 ? STRANGER : STRANGER.toUpperCase(),
      )
      await work()
      assert.deepEqual(await statesOf(id, 'reissue'), { sent: toOneFromMerchant, refused: 2 })
      assert.equal(alarms().length, 1)
      assert.match(
        (await mailsOf(id)).find(({ state }) => state === 'refused')?.answer ?? '',
        /^cap: 10 mails a day of the class on_request to one address from one merchant$/,
      )
    })

    test('is counted once however often the mail server puts it off', async () => {
      const { toOneFromMerchant } = MAIL_CAPS.on_request
      const id = await writeLive('reissue', toOneFromMerchant)
      answer = { outcome: 'later', answer: '451' }
      await work()
      answer = SENT
      shop.clock.advance(66_000)
      await work()
      assert.deepEqual(await statesOf(id, 'reissue'), { sent: toOneFromMerchant })
      assert.equal(alarms().length, 0)
    })

    test('from an address that has not confirmed leaves nothing of it behind after 90 days, and no count after two', async () => {
      await shop.createPaid({}, { email: STRANGER })
      await register('dev@example.com')
      await work()
      const rows = (table: string) => shop.server.deps.database.rows(`SELECT * FROM ${table}`)
      assert.equal((await rows('mail_addresses')).length, 2)
      assert.ok((await rows('mail_counts')).length > 0)
      shop.clock.advance(2 * DAY_MS)
      await work()
      assert.deepEqual(await rows('mail_counts'), [])
      shop.clock.advance(89 * DAY_MS)
      await work()
      assert.deepEqual(
        (await rows('mail_addresses')).map(({ address }) => address),
        ['dev@example.com'],
      )
    })

    // One engine shows the rest: it asks the same statements again.
    if (name === 'PostgreSQL') return

    test('of 25 test payments with a stranger’s address none reaches the stranger: one neutral mail asks, ever', async () => {
      for (let paid = 0; paid < 25; paid += 1) await shop.createPaid({ subject: 'BUY NOW' }, { email: STRANGER })
      await work()
      await work()
      shop.clock.advance(DAY_MS)
      await shop.createPaid({ subject: 'BUY NOW' }, { email: STRANGER.toUpperCase() })
      await work()
      await work()
      assert.deepEqual(recipients(), [STRANGER])
      const [asked] = letters
      assert.deepEqual([asked?.senderName, asked?.replyTo], ['localhost', null])
      assert.doesNotMatch(`${asked?.subject}${asked?.text}${asked?.html}`, /BUY NOW|Aoyama|shop\.example/)
      assert.match(asked?.text ?? '', /tea\.localhost:3000/)
    })

    test('a refund, a receipt sent again and a second merchant’s key do not reach the stranger either', async () => {
      const { id } = await shop.createPaid({}, { email: STRANGER })
      await shop.refund(id, { refundId: 'r1', amount: 1 })
      await shop.send(`/checkouts/${id}/receipt`, { method: 'POST' })
      await work()
      await work()
      assert.equal(letters.filter(({ subject }) => !/メールアドレスの確認/.test(subject)).length, 0)
      assert.deepEqual(
        (await mailsOf(id)).map(({ state, answer: why }) => [state, why]),
        [
          ['refused', UNREGISTERED],
          ['refused', UNREGISTERED],
          ['refused', UNREGISTERED],
        ],
      )
    })

    test('its merchant and operator read in the timeline and the log why it was not sent, and not to whom', async () => {
      const { id } = await shop.createPaid({}, { email: STRANGER })
      await work()
      const line = (await wholeTimeline(shop.server.deps.database, refOf(id))).at(-1)
      assert.deepEqual([line?.subject, line?.to, line?.why], ['mail', 'refused', UNREGISTERED])
      assert.match(shop.server.logLines.join(), /the address is not registered: .*a mail of a test was not sent/)
      assert.doesNotMatch(shop.server.logLines.join(), /stranger@/)
    })

    test('is not sent for a link that has ended, nor for the one of a try before', async () => {
      await shop.createPaid({}, { email: STRANGER })
      answer = { outcome: 'later', answer: '451' }
      await work()
      await work()
      answer = SENT
      shop.clock.advance(66_000)
      await work()
      const [first, second] = letters.map(linkIn)
      assert.notEqual(first, second)
      assert.equal((await press(first ?? '')).statusCode, 404)
      shop.clock.advance(3 * DAY_MS - 1)
      assert.equal((await press(second ?? '')).statusCode, 200)
      shop.clock.advance(1)
      assert.equal((await press(second ?? '')).statusCode, 404)
    })

    test('goes to a live shopper at the address that was typed, as ever', async () => {
      const id = await writeLive('receipt', 1)
      await work()
      assert.deepEqual(recipients(), [STRANGER])
      assert.equal((await mailsOf(id))[0]?.state, 'sent')
    })

    test('of a live shop that takes test cards alone is marked as that of a test, and goes where those of tests go', async () => {
      const { deps } = shop.server
      const gateways = { ...deps.gateways, takenCards: async () => 'test' as const }
      const id = await writeLive('receipt', 2, (at) => ['taro@example.com', STRANGER][at] ?? '')
      await register('taro@example.com')
      await workOnce({ ...deps, gateways }, mailer)
      assert.deepEqual(recipients(), ['taro@example.com'])
      assert.match(letters[0]?.subject ?? '', /^【テスト】/)
      assert.ok(letters[0]?.text.includes('これはテストです。'))
      assert.deepEqual(await statesOf(id, 'receipt'), { sent: 1, refused: 1 })
    })

    test('about an endpoint goes to a registered address alone, in live mode too, and asks in two languages', async () => {
      const news = {
        notice: {
          merchantId: 'tea-id',
          endpointId: `we_${'a'.repeat(32)}`,
          kind: 'failing',
          failingSince: 1,
          lastAnswer: { status: 500 },
        },
        endpoint: { mode: 'live', url: 'https://shop.example.com/hook' },
      } as const
      const mail = endpointMail(news, { recipient: STRANGER, locale: null })
      await shop.server.deps.database.writeAll(endpointMailWrite(mail, shop.clock.now()))
      await work()
      await work()
      assert.deepEqual(
        letters.map(({ subject }) => subject),
        ['メールアドレスの確認 / Confirm your email address'],
      )
      assert.match(shop.server.logLines.join(), /the address is not registered: .*a mail was refused/)
      assert.equal((await press(linkIn(letters[0] ?? assert.fail()))).statusCode, 200)
      await work()
      assert.match(letters[1]?.subject ?? '', /Webhooks for Aoyama Tea are failing/)
    })

    test('of a test is refused beyond 50 a day from one merchant, with the reason, and is sent the day after', async () => {
      const cap = MAIL_CAPS.test.fromMerchant ?? assert.fail()
      await register(CARD.email)
      const paid: string[] = []
      for (let at = 0; at <= cap; at += 1) paid.push((await shop.createPaid()).id)
      await work()
      assert.deepEqual([letters.length, alarms().length], [cap, 1])
      const [refused, ...more] = (await Promise.all(paid.map(mailsOf))).flat().filter(({ state }) => state !== 'sent')
      assert.deepEqual([refused?.state, more.length], ['refused', 0])
      assert.match(refused?.answer ?? '', /^cap: 50 mails a day of the class test from one merchant$/)
      shop.clock.advance(DAY_MS)
      await shop.createPaid()
      await work()
      assert.equal(letters.length, cap + 1)
    })

    test('of money waits beyond its cap for the next day in Japan, and is not lost', async () => {
      const { toOneFromMerchant } = MAIL_CAPS.refund
      const id = await writeLive('refund', toOneFromMerchant + 3)
      await work()
      assert.deepEqual(await statesOf(id, 'refund'), { sent: toOneFromMerchant, waiting: 3 })
      shop.clock.advance(60_000)
      await work()
      assert.deepEqual(await statesOf(id, 'refund'), { sent: toOneFromMerchant, waiting: 3 })
      // It is noon in Japan; an hour after midnight all that waited have come back.
      shop.clock.advance(DAY_MS / 2 + 3_600_000)
      await work()
      assert.deepEqual(await statesOf(id, 'refund'), { sent: toOneFromMerchant + 3 })
    })

    test('is nobody’s concern in the sandbox, whose mailbox takes all', async () => {
      for (let paid = 0; paid < 3; paid += 1) await shop.createPaid({}, { email: STRANGER })
      await workOnce(shop.server.deps, { ...mailer, isSandbox: true })
      assert.deepEqual(recipients(), [STRANGER, STRANGER, STRANGER])
    })
  })
})
