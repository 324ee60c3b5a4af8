/** Migrations on PostgreSQL: one process at a time, beside servers of releases that allow it, and never in front of payments. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isOlderRelease } from '../../config/release-order.ts'
import { releaseNumber } from '../../config/release.ts'
import { integer, text } from './columns.ts'
import { MigrationBlocked, TooOldBeside, type Database, type Migration, type Row, type Sql } from './database.ts'
import { applyMigrations, scriptFor } from './migrate.ts'
import { asOurs, isLockTimeout } from './postgres-errors.ts'
import { readHolders, type LockHolder } from './server-lock.ts'

/** Advisory lock: exclusive for whoever migrates, shared for whoever compares the tables with its release. */
export const MIGRATION_LOCK = 0x6b61696b

/** With the pause between them a minute and a half. */
const TRIES_MAX = 30

interface Parts {
  readonly connect: () => Promise<pg.Client>
  readonly transaction: <T>(client: pg.Client, work: (sql: Sql) => Promise<T>) => Promise<T>
  /** Whether this process itself is that holder. */
  readonly isOwn: (holder: LockHolder) => boolean
  readonly timeouts: {
    readonly migrationMs: number
    readonly tableLockMs: number
    readonly tableLockPauseMs: number
  }
}

const ANOTHER_MIGRATES =
  'Another process is changing the tables of this database, and has not finished. Start this again when it has; SELECT pid, query FROM pg_stat_activity shows it.'

/** The first holder that one of these migrations does not allow. Those of our own release have these migrations themselves. */
const tooOld = (
  missing: readonly Migration[],
  holders: readonly LockHolder[],
): { readonly migration: Migration; readonly holder: LockHolder } | undefined => {
  const others = holders.filter(({ release }) => release !== releaseNumber())
  return missing
    .flatMap((migration) =>
      others
        .filter(({ release }) => isOlderRelease(release, migration.oldestBeside))
        .map((holder) => ({ migration, holder })),
    )
    .at(0)
}

const assertAllowedBeside = (missing: readonly Migration[], holders: readonly LockHolder[]): void => {
  const found = tooOld(missing, holders)
  if (found === undefined) return
  const { migration, holder } = found
  const what = holder.mode === 'worker' ? 'worker' : 'server'
  const release = holder.release === '' ? 'a release that does not tell its number' : `release ${holder.release}`
  throw new TooOldBeside(
    `The tables were not changed: a ${what} of ${release} runs on this database, and ${migration.name} allows none before ${migration.oldestBeside} beside it. Stop it, or bring it to ${migration.oldestBeside} first. It is ${holder.words}.`,
  )
}

/** The transaction that has been open for longest, which is most often what a migration waits for. */
const OLDEST_TRANSACTION = `SELECT pid, application_name,
    to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since
  FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
  ORDER BY xact_start LIMIT 1`

const blockedBy = async (client: pg.Client): Promise<MigrationBlocked> => {
  const [row] = (await client.query<Row>(OLDEST_TRANSACTION)).rows
  const oldest =
    row === undefined
      ? ''
      : ` The oldest transaction is that of PostgreSQL session ${integer(row, 'pid')} ("${text(row, 'application_name')}", since ${text(row, 'since')}).`
  return new MigrationBlocked(
    `The tables could not be changed: ${TRIES_MAX} times a table was not free within its time, because a long query or transaction holds it (a backup, a report).${oldest} Nothing was changed. Try again when it has ended.`,
  )
}

/** Whoever waits for another migration would otherwise wait for ever. */
const orAnotherMigrates = (error: unknown): unknown =>
  isLockTimeout(error) ? new MigrationBlocked(ANOTHER_MIGRATES) : asOurs(error)

export const createPostgresMigrations = ({
  connect,
  transaction,
  isOwn,
  timeouts,
}: Parts): Pick<Database, 'migrate' | 'whileNobodyMigrates'> => {
  const { migrationMs, tableLockMs, tableLockPauseMs } = timeouts

  const withSession = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = await connect().catch((error: unknown) => {
      throw asOurs(error)
    })
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** One try. Null: a table was not free in time, and everything was rolled back. */
  const tryOnce = async (
    client: pg.Client,
    migrations: readonly Migration[],
    now: number,
  ): Promise<readonly string[] | null> => {
    let isLocked = false
    try {
      return await transaction(client, async (sql) => {
        await client.query(`SET LOCAL lock_timeout = ${migrationMs}`)
        await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
        isLocked = true
        await client.query(`SET LOCAL lock_timeout = ${tableLockMs}`)
        return applyMigrations(
          sql,
          {
            run: (script) => client.query(scriptFor('PostgreSQL', script)),
            before: async (missing) =>
              assertAllowedBeside(
                missing,
                (await readHolders(client)).filter((holder) => !isOwn(holder)),
              ),
          },
          migrations,
          now,
        )
      })
    } catch (error) {
      if (isLocked && isLockTimeout(error)) return null
      throw orAnotherMigrates(error)
    }
  }

  return {
    migrate: (migrations, now) =>
      withSession(async (client) => {
        for (let tries = 1; ; tries += 1) {
          const applied = await tryOnce(client, migrations, now)
          if (applied !== null) return applied
          if (tries === TRIES_MAX) throw await blockedBy(client)
          await sleep(tableLockPauseMs)
        }
      }),
    whileNobodyMigrates: (work) =>
      withSession(async (client) => {
        try {
          await client.query(`SET lock_timeout = ${migrationMs}`)
          await client.query('SELECT pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
        } catch (error) {
          throw orAnotherMigrates(error)
        }
        return work()
      }),
  }
}
