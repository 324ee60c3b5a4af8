/** Backup commands: all rows of one moment into a file, and from a file into an empty database. */
import { existsSync } from 'node:fs'
import { readConfig, type Config } from '../config/config.ts'
import { releaseVersion } from '../config/release.ts'
import { secretKeyDigest } from '../config/secret-key-id.ts'
import { readSecretKeys } from '../config/secret-key.ts'
import { messageOf } from '../log.ts'
import { systemClock } from '../parts.ts'
import { writeBackup } from '../store/backup-file.ts'
import { readMigrations } from '../store/database.ts'
import { openDatabase } from '../store/open.ts'
import { readBackup, restoreInto, type CheckedBackup } from '../store/restore.ts'
import { openSnapshot } from '../store/snapshot.ts'
import { fileNamed, isProblem, PROGRAM, type Command, type CommandProblem } from './command.ts'
import { withConfirmedClock } from './operator-database.ts'
import { factLines, printableJson, timeText } from './table.ts'

const KEEP_THE_KEY =
  'The secret key is not in it: keep SECRET_KEY, or the file secret-key of DATA_DIR, in another place. The file holds addresses of shoppers: keep it as you keep the database.'

export const backupCommand: Command = {
  summary: 'writes all that the database holds at this moment to a file, beside a running server',
  places: ['file'],
  options: {},
  example: 'backup kaikei-2026-11-16.backup',
  run: (given, env, { print }) =>
    withConfirmedClock(env, async ({ config, clock }) => {
      const path = fileNamed(env, given.text('file'))
      if (existsSync(path))
        return { problem: `${path} is there already, and no backup is overwritten. Give another name.` }
      const takenAt = clock.now()
      const snapshot = await openSnapshot(config)
      try {
        const rows = await writeBackup(path, snapshot, await readMigrations(), { release: releaseVersion(), takenAt })
        const facts = { file: path, takenAt: timeText(takenAt), release: releaseVersion() }
        if (given.json) print(printableJson({ ...facts, rows }))
        else for (const line of [...factLines({ ...facts, rows: String(rows) }), KEEP_THE_KEY]) print(line)
        return 0
      } catch (error) {
        return { problem: `${path} could not be written (${messageOf(error)}). Nothing is left of it.` }
      } finally {
        await snapshot.close()
      }
    }),
}

/** The key at hand must be that of the backup: a server with another one would not start. */
const keyProblem = async (config: Config, { secretKeyDigest: wanted }: CheckedBackup): Promise<string | null> => {
  const reading = await readSecretKeys(config)
  if ('problem' in reading) return reading.problem
  if (wanted === null || reading.keys.length === 0 || reading.keys.some((key) => secretKeyDigest(key) === wanted))
    return null
  return `The secret key at hand is not the one of this backup. Set SECRET_KEY to that one, or put its file secret-key into DATA_DIR; if it is lost, remove the one at hand, restore, and run ${PROGRAM} secret reset.`
}

const restore = async (
  config: Config,
  path: string,
): Promise<{ rows: number; backup: CheckedBackup } | CommandProblem> => {
  const backup = await readBackup(path)
  if (isProblem(backup)) return backup
  const wrongKey = await keyProblem(config, backup)
  if (wrongKey !== null) return { problem: wrongKey }
  const opened = await openDatabase(config)
  if ('problem' in opened) return opened
  const { database } = opened
  try {
    const claim = await database.claimServer()
    if (!claim.isOurs)
      return { problem: `A Kaikei server uses this database. ${claim.holder} Restore into another one.` }
    const restored = await restoreInto(database, backup, systemClock.now())
    return isProblem(restored) ? restored : { rows: restored.rows, backup }
  } finally {
    await database.close()
  }
}

export const restoreCommand: Command = {
  summary: 'fills an empty database with a backup, of whichever engine it was taken',
  places: ['file'],
  options: {},
  example: 'restore kaikei-2026-11-16.backup',
  run: async (given, env, { print }) => {
    const reading = readConfig(env)
    if (!reading.ok) return { problem: reading.problem }
    const restored = await restore(reading.config, fileNamed(env, given.text('file')))
    if (isProblem(restored)) return restored
    const { backup, rows } = restored
    const facts = { takenAt: timeText(backup.takenAt), release: backup.release }
    if (given.json) print(printableJson({ ...facts, rows }))
    else {
      for (const line of factLines({ ...facts, rows: String(rows) })) print(line)
      print('Start the server: before it takes a payment it asks the acquirer what has happened since.')
      print(
        `Then look at ${PROGRAM} key list (a key that was revoked since is active again) and repeat erasures made since.`,
      )
    }
    return 0
  },
}
