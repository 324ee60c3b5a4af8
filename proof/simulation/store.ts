import type { Database } from '../../server/store/database.ts'
import { insertKey } from '../../server/store/keys.ts'
import { deleteAllRows } from '../harness/compare-databases.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { API_KEYS, TEA_MERCHANT, testKey } from '../harness/test-server.ts'
import { saveMerchant } from '../harness/save-records.ts'

/** Store of a simulation: a migrated database with the one merchant of every run. */
export const addMerchant = async (database: Database): Promise<Database> => {
  const { id } = await saveMerchant(database, TEA_MERCHANT, 0)
  await insertKey(database, testKey(API_KEYS.tea, id), 0)
  return database
}

let kept: Promise<Database> | null = null

/** One database, emptied for every run: a new one takes as long as a whole small run, for its schema and its statements. */
export const openSimulationStore = async (): Promise<Database> => {
  kept ??= openSqliteInMemory()
  const database = await kept
  await deleteAllRows(database)
  return addMerchant(database)
}
