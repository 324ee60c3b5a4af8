/**
 * Store of a simulation: a migrated database with nothing in it but the one merchant of every run. It is emptied and used again:
 * a new one takes as long as a whole small run, for its schema and its statements.
 */
import type { Database } from '../../server/store/engine/database.ts'
import { insertKey } from '../../server/store/merchant/keys.ts'
import { deleteAllRows } from '../harness/compare-databases.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { API_KEYS, TEA_MERCHANT, testKey } from '../harness/test-merchants.ts'
import { saveMerchant } from '../harness/save-records.ts'

export const resetStore = async (database: Database): Promise<Database> => {
  await deleteAllRows(database)
  const { id } = await saveMerchant(database, TEA_MERCHANT, 0)
  await insertKey(database, testKey(API_KEYS.tea, id), 0)
  return database
}

let kept: Promise<Database> | null = null

export const openSimulationStore = async (): Promise<Database> => {
  kept ??= openSqliteInMemory()
  return resetStore(await kept)
}
