import type { Gateway } from '#payment/ports.ts'
import { readMigrations } from '../store/database.ts'
import { openSqlite } from '../store/sqlite.ts'
import { openShop, type Shop } from './shop.ts'

/** A shop on a fresh database in memory, for tests in which the engine makes no difference. */
export const openSqliteShop = async (gateway: Gateway, gatewayTimeoutMs?: number): Promise<Shop> => {
  const database = openSqlite(':memory:', null)
  await database.migrate(await readMigrations(), 0)
  return openShop({ database, gateway, ...(gatewayTimeoutMs === undefined ? {} : { gatewayTimeoutMs }) })
}
