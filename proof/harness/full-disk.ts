import type { Database } from '../../server/store/engine/database.ts'
import { integer } from '../../server/store/engine/columns.ts'
import type { TestEngine } from './databases.ts'

/** Full disk: from `fill` on the database has no room for new rows, until `makeRoom`. */
export interface FullDisk {
  fill(): Promise<void>
  makeRoom(): Promise<void>
}

/** The engine's own limit: a page more than there are is refused as on a full disk. */
const ofSqlite = (database: Database): FullDisk => ({
  fill: async () => {
    const [row = {}] = await database.rows('PRAGMA page_count')
    await database.rows(`PRAGMA max_page_count = ${integer(row, 'page_count')}`)
  },
  makeRoom: async () => void (await database.rows('PRAGMA max_page_count = 1000000')),
})

/** Tables that are filled by payments, and the heartbeat where it is large: as long as a row fits into its page, PostgreSQL takes it. */
const FILLED = ['checkouts', 'attempts', 'changes', 'events']

const ofPostgres = (database: Database): FullDisk => ({
  fill: async () => {
    await database.rows(`CREATE OR REPLACE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $no_room$ BEGIN
      RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $no_room$`)
    for (const table of FILLED)
      await database.rows(
        `CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION no_room()`,
      )
    await database.rows(`CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON heartbeat FOR EACH ROW
      WHEN (length(NEW.filler) > 8192) EXECUTE FUNCTION no_room()`)
  },
  makeRoom: async () => void (await database.rows('DROP FUNCTION no_room() CASCADE')),
})

export const fullDiskOf = (engine: TestEngine['name'], database: Database): FullDisk =>
  engine === 'SQLite' ? ofSqlite(database) : ofPostgres(database)
