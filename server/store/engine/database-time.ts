/** Database time: the clock of PostgreSQL, which confirms ours where it is another one, and which ours is compared with. */
import type { Instant } from '#contract/jst.ts'
import { clockSkew } from '#payment/clock.ts'
import type { Row, Sql } from './database.ts'
import { integer, textOrNull } from './columns.ts'

const TIME_AND_PLACES = `SELECT host(inet_server_addr()) AS server, host(inet_client_addr()) AS client,
  cast(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now`

/**
 * Null on our own machine, whose clock we know: a Unix socket has no addresses, and on loopback both are equal. A container on
 * the same machine has another address and the same clock, which cannot be recognised.
 */
export const timeElsewhere = (row: Row): Instant | null => {
  const [server, client] = [textOrNull(row, 'server'), textOrNull(row, 'client')]
  return server === null || server === client ? null : integer(row, 'now')
}

/** For PostgreSQL alone. Null: no answer, or the clock is ours. */
export const askDatabaseTime = async ({ rows }: Pick<Sql, 'rows'>): Promise<Instant | null> => {
  try {
    const [row] = await rows(TIME_AND_PLACES)
    return row === undefined ? null : timeElsewhere(row)
  } catch {
    return null
  }
}

const DATABASE_NOW = 'SELECT cast(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now'

/** For PostgreSQL alone: how far our time is ahead of its. All servers of a database are compared with the same clock. Null: no answer. */
export const askClockSkew = async ({ rows }: Pick<Sql, 'rows'>, now: () => Instant): Promise<number | null> => {
  try {
    const before = now()
    const [row] = await rows(DATABASE_NOW)
    return row === undefined ? null : clockSkew(integer(row, 'now'), before, now())
  } catch {
    return null
  }
}
