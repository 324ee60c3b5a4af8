import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { withoutLineBreaks } from '#contract/line-breaks.ts'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import { RETENTION } from '#payment/retention.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import type { Dependencies } from '../../dependencies.ts'
import { findUntoldNotices } from '../../store/outbox/endpoint-notices.ts'
import type { MailOutcome } from '../../store/outbox/mail-claims.ts'
import { changeSettings } from '../../store/merchant/merchants.ts'
import { sendWebhooksOnce } from '../webhooks/webhook-worker.ts'
import { workOnce } from '../worker.ts'
import type { Letter, Mailer } from './mailer.ts'
import { queueEndpointMail } from './queue-endpoint-mail.ts'

const QUARTER_MS = 6 * 3_600_000
const URL_WITH_SECRETS = 'https://shop.example.com/hooks/kaikei?token=geheim'

const answered = (status: number): WebhookAnswer => ({ outcome: 'answered', status, retryAfter: null, body: '' })

describe('a shop is told by mail that its endpoint fails', () => {
  onBothDatabases(({ open, name }) => {
    let shop: MerchantClient
    let deps: Dependencies
    let answer: WebhookAnswer
    let outcome: MailOutcome
    let letters: Letter[]
    let webhookId: string
    const mailer: Mailer = {
      isSandbox: true,
      send: async (letter) => {
        letters.push(letter)
        return outcome
      },
    }
    beforeEach(async () => {
      shop = await openMerchantClient(await open())
      deps = { ...shop.server.deps, sendWebhook: async () => answer }
      answer = answered(500)
      outcome = { outcome: 'sent', answer: '250' }
      letters = []
      const made = await shop.send('/webhooks', { method: 'POST', payload: { url: URL_WITH_SECRETS } })
      webhookId = made.json<{ id: string }>().id
    })
    /** Receipts are other tests' concern. */
    const lettersToShop = (): Letter[] => letters.filter(({ recipient }) => recipient === 'shop@example.com')
    const quarters = async (count: number): Promise<void> => {
      for (let quarter = 0; quarter < count; quarter += 1) {
        await sendWebhooksOnce(deps)
        await workOnce(deps, mailer)
        shop.clock.advance(QUARTER_MS)
      }
    }
    /** A payment each day, so that there is something to deliver. */
    const days = async (count: number): Promise<void> => {
      for (let day = 0; day < count; day += 1) {
        await shop.createPaid()
        await quarters(4)
      }
    }
    const setShop = (facts: object, locale: 'ko_KR' | null = null): Promise<unknown> =>
      deps.database.transact((sql) =>
        changeSettings(sql, 'tea-id', (settings) => ({
          ...settings,
          locale,
          receipt: { ...settings.receipt, ...facts },
        })),
      )

    test('not within the first day; after it once, however often it is tried; and once more when it is disabled', async () => {
      await days(1)
      assert.deepEqual(lettersToShop(), [])
      await days(1)
      assert.equal(lettersToShop().length, 1)
      await days(2)
      assert.equal(lettersToShop().length, 1)
      await days(3)
      assert.deepEqual(
        lettersToShop().map(({ subject }) => subject.split(' / ')[1]),
        ['[Test] Webhooks for Aoyama Tea are failing', '[Test] Webhooks for Aoyama Tea have been stopped'],
      )
    })

    test('of two workers one writes the mail, and of a removed endpoint nobody is told', async () => {
      await shop.createPaid()
      for (let quarter = 0; quarter < 5; quarter += 1) {
        await sendWebhooksOnce(deps)
        shop.clock.advance(QUARTER_MS)
      }
      const [notice] = await findUntoldNotices(deps.database, shop.clock.now(), 10)
      assert.ok(notice !== undefined)
      // Also where the clock was set back since.
      assert.equal((await findUntoldNotices(deps.database, 0, 10)).length, 1)
      await Promise.all([queueEndpointMail(deps, notice), queueEndpointMail(deps, notice)])
      assert.equal((await deps.database.rows('SELECT id FROM mails WHERE checkout_id IS NULL')).length, 1)
      await shop.send(`/webhooks/${webhookId}`, { method: 'DELETE' })
      await queueEndpointMail(deps, notice)
      assert.equal((await deps.database.rows('SELECT id FROM mails WHERE checkout_id IS NULL')).length, 1)
    })

    test('a mail server that is away is tried again, with the same Message-ID, and what was written is emptied after 30 days', async () => {
      outcome = { outcome: 'later', answer: '451' }
      await days(2)
      outcome = { outcome: 'sent', answer: '250' }
      await quarters(2)
      const ids = new Set(lettersToShop().map(({ messageId }) => messageId))
      assert.ok(lettersToShop().length > 1 && ids.size === 1, `${lettersToShop().length} letters, ${ids.size} ids`)
      const content = async () =>
        (await deps.database.rows('SELECT state, recipient FROM mails WHERE checkout_id IS NULL')).map((row) => [
          row['state'],
          row['recipient'],
        ])
      assert.deepEqual(await content(), [['sent', 'shop@example.com']])
      shop.clock.advance(RETENTION.mailsMs)
      await workOnce(deps, mailer)
      assert.deepEqual((await content())[0], ['sent', null])
    })

    test('a worker that dies before the mail is written tells it later: nothing is told without its mail', async () => {
      await shop.createPaid()
      answer = answered(410)
      await sendWebhooksOnce(deps)
      const dying: Dependencies = {
        ...deps,
        database: {
          ...deps.database,
          transact: (work) =>
            deps.database.transact((sql) =>
              work({ ...sql, writeAll: () => Promise.reject(new Error('the worker died')) }),
            ),
        },
      }
      const [notice] = await findUntoldNotices(deps.database, shop.clock.now(), 10)
      assert.ok(notice !== undefined)
      await assert.rejects(queueEndpointMail(dying, notice))
      assert.equal((await findUntoldNotices(deps.database, shop.clock.now(), 10)).length, 1)
      await workOnce(deps, mailer)
      assert.equal(lettersToShop().length, 1)
    })

    // One engine shows the rest: it asks the same statements again.
    if (name === 'PostgreSQL') return

    test('it names address, since when, the last answer and what to do, from the server, without query and user', async () => {
      await days(2)
      const [letter] = lettersToShop()
      const { text, html, senderName, replyTo, locale } = letter ?? assert.fail()
      for (const drawn of [text, withoutLineBreaks(html)]) {
        for (const part of [
          'shop.example.com/hooks/kaikei',
          'HTTP 500',
          `webhook deliveries ${webhookId}`,
          `POST http://localhost:3000/merchant/v1/webhooks/${webhookId}/replay`,
          'Webhookを送信できていません',
          'A webhook address is failing',
        ])
          assert.ok(drawn.includes(part), part)
        assert.doesNotMatch(drawn, /geheim|token/)
      }
      assert.deepEqual([senderName, replyTo, locale], ['localhost', null, 'ja, en-US'])
    })

    test('410 is told at once, and says that the endpoint is gone and how to enable it', async () => {
      answer = answered(410)
      await shop.createPaid()
      await quarters(1)
      const [letter, ...more] = lettersToShop()
      assert.equal(more.length, 0)
      assert.match(letter?.text ?? '', /HTTP 410 \(Gone\)/)
      assert.ok(
        letter?.text.includes(`PATCH http://localhost:3000/merchant/v1/webhooks/${webhookId}\n{"enabled": true}`),
      )
    })

    test('where nobody answered it says why', async () => {
      answer = { outcome: 'unreachable', why: 'no connection: ECONNREFUSED' }
      await days(2)
      assert.match(lettersToShop()[0]?.text ?? '', /Last answer: no connection: ECONNREFUSED/)
    })

    test('a second spell of failure is told again', async () => {
      await days(2)
      answer = answered(200)
      await days(1)
      answer = answered(500)
      await days(2)
      assert.equal(lettersToShop().length, 2)
    })

    test('in the language of the shop’s settings, if they have one', async () => {
      await setShop({}, 'ko_KR')
      await days(2)
      const [letter] = lettersToShop()
      assert.deepEqual([letter?.subject, letter?.locale], ['[테스트] Aoyama Tea 웹훅 전송이 실패하고 있습니다', 'ko'])
    })

    test('a shop without an address gets no mail: the notice is told, and the operator reads of it once in the log', async () => {
      await setShop({ shopEmail: '' })
      await days(2)
      assert.deepEqual(await findUntoldNotices(deps.database, shop.clock.now(), 10), [])
      assert.deepEqual(await deps.database.rows(`SELECT id FROM mails WHERE checkout_id IS NULL`), [])
      const told = shop.server.logLines.filter((line) => line.includes('its shop has no e-mail address'))
      assert.equal(told.length, 1)
      assert.ok(told[0]?.includes(webhookId))
    })
  })
})
