import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Checkout } from '#payment/checkout.ts'
import { ATTEMPT_STATES, NOW, payment } from '#payment/testing/records.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { freshAttempt, freshCheckout, ALL_ATTEMPT_STATES } from '../../../proof/harness/fresh-records.ts'
import { MERCHANT_SETTINGS } from '../../../proof/harness/test-merchants.ts'
import { attemptsOfCheckout } from './attempts.ts'
import { Conflict, type Database } from '../engine/database.ts'
import { lockCheckout, saveTransitions } from './transitions.ts'
import {
  findCheckout,
  findInFlight,
  insertCheckout,
  saveAttempt,
  saveCheckoutState,
  saveMerchant,
} from '../../../proof/harness/save-records.ts'
import { readCheckoutSnapshot } from './checkout-reads.ts'

const ORIGIN = 'http://tea.localhost:3000'
const { started, charging, unknown, charged } = ATTEMPT_STATES

describe('transitions of a payment', () => {
  onBothDatabases(({ open }) => {
    let database: Database
    before(async () => {
      database = await open()
      await saveMerchant(database, { id: 'tea', label: 'tea', settings: MERCHANT_SETTINGS }, NOW)
    })

    const stored = async (more: Partial<Checkout> = {}): Promise<Checkout> => {
      const checkout = freshCheckout(more)
      await database.transact((sql) => insertCheckout(sql, checkout))
      return checkout
    }

    for (const first of [charging, unknown, charged]) {
      for (const second of [charging, unknown, charged]) {
        test(`while one attempt is ${first.name} a second one of its checkout cannot be ${second.name}`, async () => {
          const checkout = await stored()
          const firstAttempt = freshAttempt(checkout, first)
          await saveAttempt(database, firstAttempt)
          const moving = database.transact(async (sql) => {
            await saveCheckoutState(sql, { ...checkout, state: { status: 'cancelled', closedAt: NOW } })
            await saveAttempt(sql, freshAttempt(checkout, second))
          })
          await assert.rejects(moving, new Conflict('attempts_one_may_move_money'))
          assert.deepEqual(await findCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }), checkout)
          assert.deepEqual(await attemptsOfCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }), [
            firstAttempt,
          ])
        })
      }
    }

    test('attempts that move no money may be stored next to a charged one, and another checkout may have a charged one of its own', async () => {
      const checkout = await stored()
      const other = await stored()
      await saveAttempt(database, freshAttempt(checkout, charged))
      await saveAttempt(database, freshAttempt(other, charged))
      for (const state of ALL_ATTEMPT_STATES.filter((one) => !['charging', 'unknown', 'charged'].includes(one.name))) {
        await saveAttempt(database, freshAttempt(checkout, state))
      }
      assert.equal((await attemptsOfCheckout(database, { merchantId: 'tea', checkoutId: checkout.id })).length, 10)
    })

    test('a second checkout of the same id is a conflict that names the constraint', async () => {
      const checkout = await stored()
      const inserting = database.transact((sql) => insertCheckout(sql, { ...checkout, subject: 'second' }))
      await assert.rejects(inserting, new Conflict('checkouts_pkey'))
      assert.deepEqual(await findCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }), checkout)
    })

    test('an amount that cannot be paid is refused by the database itself', async () => {
      for (const amountYen of [0, 10_000_000, -1]) {
        const inserting = database.transact((sql) => insertCheckout(sql, freshCheckout({ amountYen })))
        await assert.rejects(inserting, /^Error: conflict with .*amount_yen/)
      }
      const orphan = database.transact((sql) => saveAttempt(sql, freshAttempt(freshCheckout(), started)))
      await assert.rejects(orphan, Conflict)
    })

    test('what was written before an error is rolled back, and the database keeps working', async () => {
      const checkout = freshCheckout()
      const failing = database.transact(async (sql) => {
        await insertCheckout(sql, checkout)
        assert.deepEqual(await findCheckout(sql, { merchantId: 'tea', checkoutId: checkout.id }), checkout)
        throw new Error('the work failed')
      })
      await assert.rejects(failing, /the work failed/)
      assert.equal(await findCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }), null)
      await assert.rejects(database.transact((sql) => sql.rows('SELECT nonsense FROM nowhere')))
      assert.deepEqual((await stored()).state, { status: 'open' })
    })

    test('twenty transactions on one checkout run one after another, and no version is lost', async () => {
      const checkout = await stored()
      let inside = 0
      const versions = await Promise.all(
        Array.from({ length: 20 }, () =>
          database.transact(async (sql) => {
            const locked = await lockCheckout(sql, { merchantId: 'tea', checkoutId: checkout.id })
            inside += 1
            assert.equal(inside, 1)
            await new Promise(setImmediate)
            await attemptsOfCheckout(sql, { merchantId: 'tea', checkoutId: checkout.id })
            inside -= 1
            return locked?.version
          }),
        ),
      )
      assert.deepEqual(
        versions.map(Number).toSorted((a, b) => a - b),
        Array.from({ length: 20 }, (_, n) => n + 1),
      )
    })

    test('of ten claims at once one is stored', async () => {
      const checkout = await stored()
      const claims = await Promise.allSettled(
        Array.from({ length: 10 }, () =>
          database.transact((sql) => saveAttempt(sql, freshAttempt(checkout, charging))),
        ),
      )
      const refused = claims.filter((claim) => claim.status === 'rejected' && claim.reason instanceof Conflict)
      assert.equal(refused.length, 9)
      assert.equal((await attemptsOfCheckout(database, { merchantId: 'tea', checkoutId: checkout.id })).length, 1)
    })

    test('every transition is stored with who made it, of what, from, to, why and when', async () => {
      const checkout = await stored()
      const attempt = freshAttempt(checkout, charging)
      await saveAttempt(database, attempt)
      await database.transact(async (sql) => {
        const locked = await lockCheckout(sql, { merchantId: 'tea', checkoutId: checkout.id })
        if (locked === null) assert.fail('not found')
        const changed = {
          checkout: { ...checkout, state: { status: 'paid', payment } } as const,
          attempts: [{ ...attempt, state: charged }, freshAttempt(checkout, started, { orderCode: 'new' })],
        }
        await saveTransitions(sql, locked, changed, { actor: 'inquiry', why: 'charged', now: NOW + 7 }, ORIGIN)
      })
      const lines = await database.rows(
        `SELECT version, place, subject, actor, moved_from, moved_to, why, at FROM changes
         WHERE merchant_id = $1 AND checkout_id = $2 ORDER BY version, place`,
        'tea',
        checkout.id,
      )
      const line = { version: 1, actor: 'settlement', why: 'charged', at: NOW + 7 }
      assert.deepEqual(
        lines.map((one) => ({ ...one })),
        [
          { ...line, place: 0, subject: `attempt ${attempt.orderCode}`, moved_from: 'charging', moved_to: 'charged' },
          { ...line, place: 1, subject: 'attempt new', moved_from: 'none', moved_to: 'started' },
          { ...line, place: 2, subject: 'checkout', moved_from: 'open', moved_to: 'paid' },
        ],
      )
      assert.equal((await findCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }))?.state.status, 'paid')
    })

    test('a save without a transition stores no transition', async () => {
      const checkout = await stored()
      const attempt = freshAttempt(checkout, unknown)
      await saveAttempt(database, attempt)
      await database.transact(async (sql) => {
        const locked = await lockCheckout(sql, { merchantId: 'tea', checkoutId: checkout.id })
        if (locked === null) assert.fail('not found')
        const again = { ...attempt, state: { ...unknown, inquiries: 2 } }
        await saveTransitions(
          sql,
          locked,
          { checkout, attempts: [again] },
          { actor: 'inquiry', why: 'x', now: NOW },
          ORIGIN,
        )
      })
      assert.deepEqual(await database.rows('SELECT * FROM changes WHERE checkout_id = $1', checkout.id), [])
      assert.deepEqual((await findInFlight(database, { merchantId: 'tea', checkoutId: checkout.id }))?.state, {
        ...unknown,
        inquiries: 2,
      })
    })

    test('a settled checkout has nothing in flight, whatever its attempts say', async () => {
      const checkout = await stored()
      await saveAttempt(database, freshAttempt(checkout, unknown))
      assert.equal(
        (await readCheckoutSnapshot(database, { merchantId: 'tea', checkoutId: checkout.id }))?.inFlight?.state.name,
        'unknown',
      )
      await saveCheckoutState(database, { ...checkout, state: { status: 'cancelled', closedAt: NOW } })
      assert.equal(
        (await readCheckoutSnapshot(database, { merchantId: 'tea', checkoutId: checkout.id }))?.inFlight,
        null,
      )
      assert.equal(await readCheckoutSnapshot(database, { merchantId: 'tea', checkoutId: 'nothing' }), null)
    })
  })
})
