import { hashKey } from '../../server/http/api-key.ts'
import type { Database } from '../../server/store/database.ts'
import { saveKey, saveMerchant } from '../../server/store/merchants.ts'
import { openMemory } from '../harness/databases.ts'
import { KEYS, TEA } from '../harness/shop.ts'

/** Puts the one merchant of every simulated world into a database that has its schema. */
export const addMerchant = async (database: Database): Promise<Database> => {
  const { id } = await saveMerchant(database, TEA, 0)
  await saveKey(database, { hash: hashKey(KEYS.tea), merchantId: id, mode: 'test' }, 0)
  return database
}

export const openStore = async (): Promise<Database> => addMerchant(await openMemory())
