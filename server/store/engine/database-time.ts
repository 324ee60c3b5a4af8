/** Database's time: the clock of PostgreSQL's machine, where that is another machine than ours. */
import type { Instant } from '#contract/jst.ts'
import type { Row, Sql } from './database.ts'
import { integer, textOrNull } from './columns.ts'

const TIME_AND_PLACES = `SELECT host(inet_server_addr()) AS server, host(inet_client_addr()) AS client,
  cast(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now`

/**
 * Null where it is our own machine, whose clock says nothing new: over a socket there are no addresses, over loopback both are
 * the same, as from a machine to itself. A container beside ours has an address of its own and the same clock: nobody can tell.
 */
export const timeElsewhere = (row: Row): Instant | null => {
  const [server, client] = [textOrNull(row, 'server'), textOrNull(row, 'client')]
  return server === null || server === client ? null : integer(row, 'now')
}

/** For PostgreSQL alone. Null: no answer, or no clock of its own. */
export const askDatabaseTime = async ({ rows }: Pick<Sql, 'rows'>): Promise<Instant | null> => {
  try {
    const [row] = await rows(TIME_AND_PLACES)
    return row === undefined ? null : timeElsewhere(row)
  } catch {
    return null
  }
}
