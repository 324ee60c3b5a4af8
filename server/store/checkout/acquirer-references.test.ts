import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sentOrderOf, type Attempt, type AttemptState } from '#payment/attempt.ts'
import { ATTEMPT_STATES, NOW } from '#payment/testing/records.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { ALL_ATTEMPT_STATES, freshAttempt, freshCheckout } from '../../../proof/harness/fresh-records.ts'
import { insertCheckout, saveAttempt, saveMerchant } from '../../../proof/harness/save-records.ts'
import { MERCHANT_SETTINGS } from '../../../proof/harness/test-merchants.ts'
import type { Database } from '../engine/database.ts'
import { findAttemptOfAnyMerchant, readReference, rememberReference, restoreReference } from './attempts.ts'

const { charging, unknown } = ATTEMPT_STATES

describe('the acquirer’s reference of an order', () => {
  onBothDatabases(({ open }) => {
    let database: Database
    before(async () => {
      database = await open()
      for (const id of ['tea', 'books'])
        await saveMerchant(database, { id, label: id, settings: MERCHANT_SETTINGS }, NOW)
    })

    const stored = async (state: AttemptState, more: Partial<Attempt> = {}): Promise<Attempt> => {
      const checkout = freshCheckout()
      await insertCheckout(database, checkout)
      const attempt = freshAttempt(checkout, state, more)
      await saveAttempt(database, attempt)
      return attempt
    }
    const referenceOf = async ({ orderCode }: Attempt): Promise<string | null | undefined> =>
      (await findAttemptOfAnyMerchant(database, orderCode))?.reference

    test('is null until it is stored, and is stored while the attempt is being charged', async () => {
      const attempt = await stored(charging)
      assert.deepEqual([await referenceOf(attempt), await readReference(database, attempt)], [null, null])
      assert.equal(await rememberReference(database, attempt, 'pi_1'), true)
      assert.deepEqual([await referenceOf(attempt), await readReference(database, attempt)], ['pi_1', 'pi_1'])
      assert.equal(sentOrderOf({ ...attempt, reference: 'pi_1' }).reference, 'pi_1')
    })

    test('is stored once: a second one is refused, also the same', async () => {
      const attempt = await stored(charging)
      await rememberReference(database, attempt, 'pi_1')
      assert.equal(await rememberReference(database, attempt, 'pi_2'), false)
      assert.equal(await rememberReference(database, attempt, 'pi_1'), false)
      assert.equal(await referenceOf(attempt), 'pi_1')
    })

    test('is refused in every other state, as after an inquiry has begun a doubt', async () => {
      for (const state of ALL_ATTEMPT_STATES) {
        if (state.name === 'charging') continue
        const attempt = await stored(state)
        assert.equal(await rememberReference(database, attempt, 'pi_1'), false, state.name)
        assert.equal(await referenceOf(attempt), null, state.name)
      }
    })

    test('is refused for another merchant and for an order that does not exist', async () => {
      const attempt = await stored(charging)
      const { merchantId, orderCode } = attempt
      assert.equal(await rememberReference(database, { merchantId: 'books', orderCode }, 'pi_1'), false)
      assert.equal(await rememberReference(database, { merchantId, orderCode: 'none' }, 'pi_1'), false)
      assert.equal(await referenceOf(attempt), null)
      assert.equal(await readReference(database, { merchantId: 'books', orderCode }), null)
    })

    test('stays as it is when the state of the attempt changes', async () => {
      const attempt = await stored(charging)
      await rememberReference(database, attempt, 'pi_1')
      await saveAttempt(database, { ...attempt, state: unknown })
      assert.equal(await referenceOf(attempt), 'pi_1')
    })

    test('of an attempt of an earlier release is its order code, and can be neither stored nor restored', async () => {
      for (const state of [charging, unknown, ATTEMPT_STATES.charged]) {
        const attempt = await stored(state)
        const { orderCode } = attempt
        await database.rows('UPDATE attempts SET acquirer_reference = NULL WHERE order_code = $1', orderCode)
        assert.equal(await rememberReference(database, attempt, 'pi_1'), false)
        await restoreReference(database, attempt, 'pi_1')
        assert.deepEqual([await referenceOf(attempt), await readReference(database, attempt)], [orderCode, orderCode])
      }
    })

    test('that a restore has lost is put back in any state, and one that is stored is kept', async () => {
      const [lost, kept] = [await stored(ATTEMPT_STATES.started), await stored(unknown, { reference: 'pi_1' })]
      for (const attempt of [lost, kept]) await restoreReference(database, attempt, 'pi_2')
      assert.deepEqual([await referenceOf(lost), await referenceOf(kept)], ['pi_2', 'pi_1'])
    })
  })
})
