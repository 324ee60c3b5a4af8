import { hashKey } from '../../server/http/api-key.ts'
import type { Database } from '../../server/store/database.ts'
import { saveKey, saveMerchant } from '../../server/store/merchants.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { API_KEYS, TEA_MERCHANT } from '../harness/test-server.ts'

/** Store of a simulation: a migrated database with the one merchant of every run. */
export const addMerchant = async (database: Database): Promise<Database> => {
  const { id } = await saveMerchant(database, TEA_MERCHANT, 0)
  await saveKey(database, { hash: hashKey(API_KEYS.tea), merchantId: id, mode: 'test' }, 0)
  return database
}

export const openSimulationStore = async (): Promise<Database> => addMerchant(await openSqliteInMemory())
