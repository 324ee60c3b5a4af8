import type { Gateway, ThreeDSServer } from '#payment/ports.ts'
import { createSandboxGateway } from '../gateways/sandbox/gateway.ts'
import { readMigrations } from '../store/database.ts'
import { openSqlite } from '../store/sqlite.ts'
import { openShop, type Shop } from './shop.ts'

/** The sandbox as acquirer, with time enough on a busy machine, and no half second in which it must say that it is up. */
export const patientGateway = (origin: string): Gateway => ({
  ...createSandboxGateway(origin, 10_000),
  ready: async () => 'ready',
})

/** A shop on a fresh database in memory, for tests in which the engine makes no difference. */
export const openSqliteShop = async (gateway: Gateway, threeDSServer?: ThreeDSServer): Promise<Shop> => {
  const database = openSqlite(':memory:', null)
  await database.migrate(await readMigrations(), 0)
  return openShop({ database, gateway, ...(threeDSServer === undefined ? {} : { threeDSServer }) })
}
