/** Migrate command: brings the tables to those of this release, as a step of its own before its servers start. */
import { readConfig } from '../config/config.ts'
import { migrateTables, readTables, type Tables } from '../store/engine/migrate.ts'
import type { Database } from '../store/engine/database.ts'
import { openDatabase, tablesProblem } from '../store/engine/open.ts'
import type { Command, CommandAnswer, CommandProblem } from './command.ts'

const answerOf = (applied: readonly string[]): CommandAnswer => ({
  value: { applied },
  lines:
    applied.length === 0
      ? ['The tables are those of this release: nothing was changed.']
      : [...applied.map((name) => `applied ${name}`), 'The tables are those of this release.'],
})

const migrate = async (
  database: Database,
  tables: Exclude<Tables, { are: 'newer' }>,
  isEmbedded: boolean,
): Promise<CommandAnswer | CommandProblem> => {
  if (tables.are === 'ours') return answerOf([])
  // An embedded database has one server, which holds its lock for as long as it runs. It is never of a newer release than its tables.
  const claim = isEmbedded ? await database.claimServer('alone') : null
  if (claim?.isOurs === false)
    return {
      problem: `A server of another release uses this embedded database. ${claim.holder} Stop it first; the server of this release migrates when it starts.`,
    }
  const migrated = await migrateTables(database)
  return 'problem' in migrated ? migrated : answerOf(migrated.applied)
}

export const migrateCommand: Command = {
  summary: 'brings the tables of the database to those of this release, before its servers start',
  example: 'migrate',
  run: async (_given, env) => {
    const reading = readConfig(env)
    if (!reading.ok) return { problem: reading.problem }
    const { config } = reading
    const opened = await openDatabase(config)
    if ('problem' in opened) return opened
    const { database } = opened
    try {
      const tables = await readTables(database)
      return tables.are === 'newer'
        ? { problem: tablesProblem(tables, config) }
        : await migrate(database, tables, config.databaseUrl === null)
    } finally {
      await database.close()
    }
  },
}
