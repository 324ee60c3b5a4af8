import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onBothDatabases, openPostgresDatabase } from '../../../proof/harness/databases.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { API_KEYS, TEA_MERCHANT, testKey } from '../../../proof/harness/test-merchants.ts'
import { askDatabaseTime, timeElsewhere } from './database-time.ts'
import { beat, confirmTime, newestStoredTime, readStoredTimes, takesOneWrite } from './heartbeat.ts'
import { insertKey } from '../merchant/keys.ts'

describe('the heartbeat in the database', () => {
  onBothDatabases(({ open }) => {
    test('the newest stored time is that of the last beat, and before the first one that of a call with a key', async () => {
      const database = await open()
      assert.equal(await newestStoredTime(database), null)
      const { id } = await saveMerchant(database, TEA_MERCHANT, 0)
      await insertKey(database, testKey(API_KEYS.tea, id), 5)
      assert.equal(await newestStoredTime(database), null)
      await database.rows('UPDATE api_keys SET last_used_at = 7000')
      assert.equal(await newestStoredTime(database), 7000)
      // A command tells that writes are taken, and no time.
      assert.equal(await takesOneWrite(database), true)
      assert.equal(await newestStoredTime(database), 7000)
      // A clock that was set right may go back.
      await beat(database, { now: () => 6000, wall: () => 6500 }, '')
      assert.equal(await newestStoredTime(database), 6000)
      await takesOneWrite(database)
      assert.deepEqual(await readStoredTimes(database), { at: 6000, wallAt: 6500, confirmedAt: null })
    })

    test('what an operator confirms is where the next process begins, and stays readable for those that run', async () => {
      const database = await open()
      await confirmTime(database, 9000)
      assert.deepEqual(await readStoredTimes(database), { at: 9000, wallAt: 9000, confirmedAt: 9000 })
      await beat(database, { now: () => 6000, wall: () => 9001 }, '')
      await confirmTime(database, 9002)
      assert.deepEqual(await readStoredTimes(database), { at: 9002, wallAt: 9002, confirmedAt: 9002 })
      await beat(database, { now: () => 6001, wall: () => 9003 }, '')
      assert.deepEqual(await readStoredTimes(database), { at: 6001, wallAt: 9003, confirmedAt: 9002 })
    })
  })
})

test('the clock of the database counts where it is that of another machine', async () => {
  const row = { server: '192.0.2.7', client: '192.0.2.8', now: 5 }
  assert.equal(timeElsewhere(row), 5)
  assert.equal(timeElsewhere({ ...row, client: '192.0.2.7' }), null)
  assert.equal(timeElsewhere({ ...row, server: null, client: null }), null)
  // The PostgreSQL of tests is on this machine.
  const { database, close } = await openPostgresDatabase()
  assert.equal(await askDatabaseTime(database), null)
  await close()
  assert.equal(await askDatabaseTime(database), null)
})
