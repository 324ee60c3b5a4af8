import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { BOOKS_MERCHANT, TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import type { Database } from '../engine/database.ts'
import type { Place } from '../engine/list-page.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { isOutboxPlace, listOutbox, type OutboxFilters, type OutboxItem } from './outbox-list.ts'

const SHOPS = ['tea', 'books'] as const
/** Of each shop and section. Two of each have one moment. */
const EACH = 5
/** Of the deliveries in each: their event was deleted. They come first. */
const WITHOUT_EVENT = 2

const fill = async (database: Database): Promise<void> => {
  for (const shop of SHOPS) {
    await database.rows(
      `INSERT INTO webhook_endpoints (merchant_id, id, mode, url, generation, created_at)
       VALUES ($1, 'hook', 'test', 'https://example.com', 1, 0)`,
      `${shop}-id`,
    )
    for (const state of ['failed', 'pending', 'delivered'])
      for (let number = 0; number < EACH; number += 1) {
        const [eventId, moment] = [`${shop}_${state}_${number}`, Math.floor(number / 2)]
        if (number >= WITHOUT_EVENT)
          await database.rows(
            `INSERT INTO events (merchant_id, id, mode, type, checkout_id, sequence, data, created_at)
             VALUES ($1, $2, 'test', 'checkout.paid', $2, 1, '{}', 0)`,
            `${shop}-id`,
            eventId,
          )
        await database.rows(
          `INSERT INTO deliveries (merchant_id, endpoint_id, event_id, sequence, state, step, claim, due_at, created_at, ended_at)
           VALUES ($1, 'hook', $2, $3, $4, 1, 1, $5, 0, $6)`,
          `${shop}-id`,
          eventId,
          // Within a moment the later id comes first.
          EACH - number,
          state,
          state === 'pending' ? moment : null,
          state === 'pending' ? null : moment,
        )
      }
    for (const state of ['refused', 'given_up', 'waiting', 'sent'])
      for (let number = 0; number < EACH; number += 1) {
        const moment = Math.floor(number / 2)
        await database.rows(
          `INSERT INTO mails (merchant_id, id, kind, recipient, facts, state, tries, next_try_at, created_at, ended_at)
           VALUES ($1, $2, 'receipt', $3, '{}', $4, 1, $5, 0, $6)`,
          `${shop}-id`,
          `${state}.${number}`,
          state === 'given_up' ? null : 'taro@example.com',
          state,
          state === 'waiting' ? moment : null,
          state === 'waiting' ? null : moment,
        )
      }
  }
}

describe('the outbox of all shops', () => {
  onBothDatabases(({ name, open }) => {
    let database: Database
    before(async () => {
      database = await open()
      for (const merchant of [TEA_MERCHANT, BOOKS_MERCHANT]) await saveMerchant(database, merchant, 0)
      await fill(database)
    })

    const everything = async (filters: OutboxFilters, limit: number): Promise<OutboxItem[]> => {
      const items: OutboxItem[] = []
      for (let after: Place | null = null; ;) {
        const page = await listOutbox(database, filters, { after, limit })
        items.push(...page.items)
        if (page.after === null) return items
        assert.ok(isOutboxPlace(JSON.parse(JSON.stringify(page.after))))
        assert.equal(page.items.length, limit)
        ;({ after } = page)
      }
    }
    const sections = (items: readonly OutboxItem[]): string[] => [
      ...new Set(items.map(({ kind, state, merchant }) => `${kind} ${state} ${merchant}`)),
    ]

    test('has what failed, then what waits, by shop; emptied mails and what arrived are left out', async () => {
      assert.deepEqual(sections(await everything({ merchant: null, state: null }, 1000)), [
        'delivery failed books',
        'delivery failed tea',
        'mail refused books',
        'mail refused tea',
        'delivery pending books',
        'delivery pending tea',
        'mail waiting books',
        'mail waiting tea',
      ])
    })

    test('is read in pages of any length, each item once and in the same order', async () => {
      const whole = await everything({ merchant: null, state: null }, 1000)
      assert.equal(whole.length, 4 * SHOPS.length * EACH)
      assert.equal(new Set(whole.map(({ merchant, id }) => `${merchant} ${id}`)).size, whole.length)
      for (const limit of [1, 3, EACH, 7, whole.length])
        assert.deepEqual(await everything({ merchant: null, state: null }, limit), whole)
    })

    test('has deliveries whose event was deleted, also where they fill a page', async () => {
      const first = await listOutbox(database, { merchant: 'tea', state: 'failed' }, { after: null, limit: 1 })
      assert.deepEqual(
        first.items.map(({ type, checkoutId }) => ({ type, checkoutId })),
        [{ type: null, checkoutId: null }],
      )
      const whole = await everything({ merchant: null, state: null }, 1)
      assert.equal(whole.filter(({ type }) => type === null).length, 2 * SHOPS.length * WITHOUT_EVENT)
    })

    if (name === 'SQLite')
      test('passes over no emptied mail to find those that failed', async () => {
        const plans: string[] = []
        const explained: Database = {
          ...database,
          rows: async (statement, ...values) => {
            const plan = await database.rows(`EXPLAIN QUERY PLAN ${statement}`, ...values)
            plans.push(plan.map(({ detail }) => String(detail)).join('\n'))
            return database.rows(statement, ...values)
          },
        }
        for (const after of [null, [1, 'tea-id', '1', 'refused.1']] as const)
          await listOutbox(explained, { merchant: null, state: 'failed' }, { after, limit: EACH * SHOPS.length * 2 })
        const ofMails = plans.filter((plan) => plan.includes(' mails '))
        assert.equal(ofMails.length, 2)
        for (const plan of ofMails) assert.match(plan, /SEARCH mails USING INDEX mails_to_send_again/)
      })

    test('is read of one shop or of one state', async () => {
      const failedOfTea = await everything({ merchant: 'tea', state: 'failed' }, 2)
      assert.deepEqual(sections(failedOfTea), ['delivery failed tea', 'mail refused tea'])
      assert.equal(failedOfTea.length, 2 * EACH)
      const waiting = await everything({ merchant: null, state: 'waiting' }, 4)
      assert.equal(waiting.length, 2 * SHOPS.length * EACH)
      assert.deepEqual(await everything({ merchant: 'nowhere', state: null }, 4), [])
    })

    test('refuses a place that it cannot have given out', () => {
      const [id, at] = ['tea-id', '1']
      assert.equal(isOutboxPlace([1, id, at, 'mail.1']), true)
      for (const place of [
        [4, id, at, 'm'],
        [1, id, at],
        [1, id, 'x', 'm'],
        [1, id, at, 'm\u0000'],
        [0, id, at, 'm'],
        1,
      ])
        assert.equal(isOutboxPlace(place), false, JSON.stringify(place))
    })
  })
})
