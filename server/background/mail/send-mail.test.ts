import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { MAIL_LIFETIME_MS } from '#payment/mail-retries.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import type { MailOutcome } from '../../store/outbox/mail-claims.ts'
import { mailsOfCheckout } from '../../store/outbox/mails.ts'
import { wholeTimeline } from '../../store/checkout/timeline.ts'
import { workOnce } from '../worker.ts'
import type { Letter, Mailer } from './mailer.ts'
import { messageIdOf } from './send-mail.ts'

const LATER = { outcome: 'later', answer: '451' } as const
const SENT = { outcome: 'sent', answer: '250' } as const

/** A mail server that answers as it is told. */
const scriptedMailer = () => {
  const letters: Letter[] = []
  const script: { answer: MailOutcome } = { answer: SENT }
  const mailer: Mailer = {
    isSandbox: true,
    send: async (letter) => {
      letters.push(letter)
      return script.answer
    },
  }
  return { mailer, letters, script }
}

describe('the worker sends mails', () => {
  onBothDatabases(({ open }) => {
    let server: TestServer
    let outside: ReturnType<typeof scriptedMailer>
    let checkoutId: string
    beforeEach(async () => {
      server = await openTestServer({ gateway: fakeGateway(), database: await open(), clock: virtualClock() })
      outside = scriptedMailer()
      checkoutId = await server.createCheckout({ subject: 'Sencha' })
      await server.pay(checkoutId, await server.startAttempt(checkoutId))
    })
    const work = () => workOnce(server.deps, outside.mailer)
    const mails = () => mailsOfCheckout(server.deps.database, { merchantId: 'tea-id', checkoutId })

    test('a payment is followed by one receipt in the shopper’s language, from the shop, and by no second one', async () => {
      await work()
      await work()
      const [letter, ...more] = outside.letters
      assert.deepEqual(
        [letter?.recipient, letter?.senderName, letter?.replyTo, more.length],
        ['taro@example.com', 'Aoyama Tea', 'shop@example.com', 0],
      )
      assert.equal(letter?.subject, '【テスト】Aoyama Teaのお支払い明細（¥1,980）')
      assert.ok(letter.text.includes(`http://tea.localhost:3000/${checkoutId}`))
      assert.equal((await mails())[0]?.state, 'sent')
    })

    test('the Message-ID is the row’s own on every try and tells no checkout', async () => {
      outside.script.answer = LATER
      await work()
      server.clock.advance(66_000)
      await work()
      const ids = outside.letters.map(({ messageId }) => messageId)
      assert.deepEqual(ids, [ids[0], ids[0]])
      assert.equal(ids[0], messageIdOf({ merchantId: 'tea-id', mailId: `${checkoutId}.receipt` }))
      assert.doesNotMatch(ids[0] ?? '', new RegExp(checkoutId))
      assert.notEqual(ids[0], messageIdOf({ merchantId: 'tea-id', mailId: `${checkoutId}.refund.1` }))
    })

    test('a mail that is put off is tried again when it is due, not before', async () => {
      outside.script.answer = LATER
      await work()
      server.clock.advance(59_999)
      await work()
      assert.equal(outside.letters.length, 1)
      outside.script.answer = SENT
      server.clock.advance(6_001)
      await work()
      assert.deepEqual([outside.letters.length, (await mails())[0]?.state], [2, 'sent'])
    })

    test('a mail that was refused ends, and is told in the log without its recipient', async () => {
      outside.script.answer = { outcome: 'refused', answer: '550 5.1.1' }
      await work()
      server.clock.advance(MAIL_LIFETIME_MS)
      await work()
      const [mail] = await mails()
      assert.deepEqual([outside.letters.length, mail?.state, mail?.answer], [1, 'refused', '550 5.1.1'])
      const timeline = await wholeTimeline(server.deps.database, { merchantId: 'tea-id', checkoutId })
      const { subject, id, from, to, by, why } = timeline.at(-1) ?? assert.fail()
      assert.deepEqual(
        [subject, id, from, to, by, why],
        ['mail', 'receipt', 'waiting', 'refused', 'worker', '550 5.1.1'],
      )
      const told = server.logLines.filter((line) => line.includes('a mail was refused'))
      assert.equal(told.length, 1)
      assert.doesNotMatch(server.logLines.join(''), /taro@example\.com/)
    })

    test('a server that was away for longer than 72 hours sends no old news', async () => {
      server.clock.advance(MAIL_LIFETIME_MS + 10 * 60_000)
      await work()
      assert.deepEqual([outside.letters.length, (await mails())[0]?.state], [0, 'given_up'])
    })

    test('a mailer that breaks loses no mail: it is due again when the lease has ended', async () => {
      const broken: Mailer = { isSandbox: true, send: () => Promise.reject(new Error('broken')) }
      await workOnce(server.deps, broken)
      assert.equal((await mails())[0]?.state, 'sending')
      server.clock.advance(5 * 60_000)
      await work()
      assert.deepEqual([outside.letters.length, (await mails())[0]?.state], [1, 'sent'])
    })

    test('without a mailer mails stay where they are', async () => {
      await workOnce(server.deps)
      assert.deepEqual([(await mails())[0]?.state, (await mails())[0]?.tries], ['waiting', 0])
    })
  })
})
