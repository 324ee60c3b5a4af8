import { hashKey } from '../merchant.ts'
import { readMigrations, type Database, type Migration } from '../store/database.ts'
import { saveKey, saveMerchant } from '../store/merchants.ts'
import { openSqlite } from '../store/sqlite.ts'

export const MERCHANT_KEY = `sk_test_${'a'.repeat(32)}`

const settings = {
  setting: { colorCode: '#2f6b4f', fontType: 'sans-serif' as const },
  receipt: { shopName: 'Tea', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl: '' },
  allowExemption: true,
  requireFullAuthentication: false,
}

let migrations: Promise<Migration[]> | null = null

/** Puts the one merchant of every simulated world into a database that has its schema. */
export const addMerchant = async (database: Database): Promise<Database> => {
  const merchant = await saveMerchant(database, { id: 'tea', label: 'tea', settings }, 0)
  await saveKey(database, { hash: hashKey(MERCHANT_KEY), merchantId: merchant.id, mode: 'test' }, 0)
  return database
}

export const openStore = async (): Promise<Database> => {
  migrations ??= readMigrations()
  const database = openSqlite(':memory:', null)
  await database.migrate(await migrations, 0)
  return addMerchant(database)
}
