import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { NewMail } from '#payment/mail.ts'
import { DAY_MS } from '#contract/jst.ts'
import { MAIL_AHEAD_MAX_MS, MAIL_LEASE_MS, MAIL_LIFETIME_MS } from '#payment/mail-retries.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import type { Database } from '../engine/database.ts'
import {
  claimMail,
  endLateMailWaits,
  findMailsDue,
  recordTry,
  tryOf,
  type ClaimedMail,
  type MailOutcome,
} from './mail-claims.ts'
import { emptyOldMails, endpointMailWrite, insertMailOnce, mailsOfCheckout, mailsWrite } from './mails.ts'

const NOW = Date.parse('2026-11-22T12:00:00+09:00')

const mail = (more: Partial<NewMail> = {}): NewMail => ({
  merchantId: 'm1',
  checkoutId: 'c1',
  kind: 'receipt',
  receipt: { email: 'taro@example.com', locale: 'th_TH' },
  facts: {
    kind: 'nothing_charged',
    mode: 'test',
    amountYen: 1980,
    subject: 'ใบชา',
    card: { brand: 'visa', lastFour: '4242' },
  },
  ...more,
})
const REF = { merchantId: 'm1', mailId: 'c1.receipt' }

describe('mails in the database', () => {
  onBothDatabases(({ open }) => {
    let database: Database
    beforeEach(async () => {
      database = await open()
      await database.writeAll(mailsWrite([mail()], NOW))
    })
    const claim = async (now: number): Promise<ClaimedMail> => (await claimMail(database, REF, now)) ?? assert.fail()
    const record = async (claimed: ClaimedMail, outcome: MailOutcome, now: number) => {
      const tried = tryOf(claimed, outcome, now)
      return (await recordTry(database, claimed, tried, now)) ? tried.state : null
    }
    const stateOf = async () => (await mailsOfCheckout(database, { merchantId: 'm1', checkoutId: 'c1' }))[0]

    test('a mail is due at once, and reads back as it was stored', async () => {
      assert.deepEqual(await findMailsDue(database, NOW - 1, 10), [])
      assert.deepEqual(await findMailsDue(database, NOW, 10), [{ ...REF, isToShopper: true }])
      const claimed = await claim(NOW)
      const { recipient, locale, tries } = claimed
      assert.deepEqual(
        ['facts' in claimed && claimed.facts, recipient, locale, tries],
        [mail().facts, 'taro@example.com', 'th_TH', 1],
      )
    })

    test('of two workers one gets it, and another only when its lease has ended', async () => {
      const both = await Promise.all([claimMail(database, REF, NOW), claimMail(database, REF, NOW)])
      assert.equal(both.filter((claimed) => claimed !== null).length, 1)
      assert.equal(await claimMail(database, REF, NOW + MAIL_LEASE_MS - 1), null)
      assert.equal((await claimMail(database, REF, NOW + MAIL_LEASE_MS))?.tries, 2)
    })

    test('a mail that was stored before the clock was set back is due now, and so is one whose lease would never end', async () => {
      const before = NOW - MAIL_AHEAD_MAX_MS
      // The longest wait that there is stays as it is.
      await endLateMailWaits(database, before)
      assert.deepEqual(await findMailsDue(database, before, 10), [])
      await endLateMailWaits(database, before - 1)
      assert.deepEqual(await findMailsDue(database, before - 1, 10), [{ ...REF, isToShopper: true }])
      await claim(NOW)
      await endLateMailWaits(database, before)
      assert.equal((await claimMail(database, REF, before))?.tries, 2)
    })

    test('a worker that answers after its lease was taken over changes nothing', async () => {
      const late = await claim(NOW)
      const next = await claim(NOW + MAIL_LEASE_MS)
      assert.equal(await record(late, { outcome: 'refused', answer: '550' }, NOW + MAIL_LEASE_MS), null)
      assert.equal((await stateOf())?.state, 'sending')
      await record(next, { outcome: 'sent', answer: '250' }, NOW + MAIL_LEASE_MS)
      assert.equal((await stateOf())?.state, 'sent')
    })

    test('sent and refused are ends; later is tried again, and given up after 72 hours', async () => {
      const put = await claim(NOW)
      assert.equal(await record(put, { outcome: 'later', answer: '451' }, NOW), 'waiting')
      const { state, nextTryAt } = (await stateOf()) ?? assert.fail()
      assert.equal(state, 'waiting')
      assert.ok(nextTryAt !== null && nextTryAt >= NOW + 60_000 && nextTryAt <= NOW + 66_000, String(nextTryAt))
      const last = await claim(NOW + MAIL_LIFETIME_MS)
      const end = await record(last, { outcome: 'later', answer: '451' }, NOW + MAIL_LIFETIME_MS)
      assert.equal(end, 'given_up')
      assert.deepEqual(await findMailsDue(database, NOW + 2 * MAIL_LIFETIME_MS, 10), [])
    })

    test('a mail that is written once is written once', async () => {
      const again = mail({ kind: 'reissue', about: '7' })
      await insertMailOnce(database, again, NOW)
      await insertMailOnce(database, again, NOW)
      assert.equal((await mailsOfCheckout(database, { merchantId: 'm1', checkoutId: 'c1' })).length, 2)
    })

    test('a merchant with many mails keeps no other off the list', async () => {
      const many = Array.from({ length: 5 }, (_, place) => mail({ kind: 'refund', about: String(place) }))
      await database.writeAll(mailsWrite(many, NOW - 1000))
      await database.writeAll(mailsWrite([mail({ merchantId: 'm2' })], NOW))
      const merchants = (await findMailsDue(database, NOW, 2)).map(({ merchantId }) => merchantId)
      assert.deepEqual(merchants, ['m1', 'm2'])
    })

    test('after 30 days recipient, content and the server’s words are gone, and that it was sent remains', async () => {
      await record(await claim(NOW), { outcome: 'sent', answer: '250 taken' }, NOW)
      assert.equal(await emptyOldMails(database, NOW - 1), false)
      const contents = async () => {
        const [row] = await database.rows('SELECT recipient, facts, answer, state FROM mails')
        return [row?.['recipient'], row?.['facts'] === null, row?.['answer'], row?.['state']]
      }
      assert.deepEqual(await contents(), ['taro@example.com', false, '250 taken', 'sent'])
      await emptyOldMails(database, NOW)
      assert.deepEqual(await contents(), [null, true, null, 'sent'])
    })

    test('a mail to a shop stands in the same table, about no checkout, and may have no language', async () => {
      const facts = {
        mode: 'test',
        endpointId: 'we_1',
        address: 'shop.example.com/hook',
        failingSince: NOW,
        lastAnswer: { status: 500 },
      } as const
      const kind = 'endpoint_failing'
      const mailTo = { merchantId: 'm1', kind, about: 'we_1.7', recipient: 'shop@example.com', facts } as const
      await database.writeAll(endpointMailWrite({ ...mailTo, locale: null }, NOW))
      const claimed = await claimMail(database, { merchantId: 'm1', mailId: 'we_1.7.endpoint_failing' }, NOW)
      assert.deepEqual(
        [claimed?.to, claimed?.kind, claimed?.locale, claimed?.recipient, claimed?.to === 'shop' && claimed.facts],
        ['shop', kind, null, 'shop@example.com', facts],
      )
      await assert.rejects(database.writeAll(endpointMailWrite({ ...mailTo, locale: 'ja_JP' }, NOW)))
    })

    test('a mail that nobody has sent in 30 days, for want of a mail server, is given up', async () => {
      await emptyOldMails(database, NOW)
      assert.equal((await stateOf())?.state, 'given_up')
      assert.deepEqual(await findMailsDue(database, NOW + 60 * DAY_MS, 10), [])
    })
  })
})
