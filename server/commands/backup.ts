/** Backup commands: all rows of one moment into a file, and from a file into an empty database. */
import { existsSync } from 'node:fs'
import { readConfig, type Config } from '../config/config.ts'
import { releaseVersion } from '../config/release.ts'
import { secretKeyDigest } from '../config/secret-key-id.ts'
import { readSecretKeys } from '../config/secret-key.ts'
import { messageOf } from '../log.ts'
import { systemClock } from '../dependencies.ts'
import { writeBackup } from '../store/backup/backup-file.ts'
import { readMigrations } from '../store/engine/migrate.ts'
import { openDatabase } from '../store/engine/open.ts'
import { otherKeyProblem } from '../store/prepare-database.ts'
import { readBackup, restoreInto, type CheckedBackup } from '../store/backup/restore.ts'
import { placeOfSecretKey } from '../store/engine/secret-key-check.ts'
import { openSnapshot, type Snapshot } from '../store/backup/snapshot.ts'
import { fileNamed, isProblem, PROGRAM, type Command, type CommandProblem } from './command.ts'
import { withConfirmedClock, type OperatorDependencies } from './operator-database.ts'
import { factLines, instantText, timeText } from './table.ts'

const KEEP_THE_KEY =
  'The secret key is not in it: keep SECRET_KEY, or the file secret-key of DATA_DIR, in another place. The file holds addresses of shoppers: keep it as you keep the database.'

const NO_KEY =
  'There is no secret key at hand, and without one nothing would prove that the backup was not changed. Run this with the SECRET_KEY or the DATA_DIR of the server; a database on which no server has started yet has none: start it once.'

/** The key that the database is used with: whoever restores needs it in any case. */
const keyInUse = async ({
  config,
  database,
}: OperatorDependencies): Promise<{ readonly key: string } | CommandProblem> => {
  const reading = await readSecretKeys(config)
  if ('problem' in reading) return reading
  const place = await placeOfSecretKey(database, reading.keys)
  if (reading.keys.length === 0) return { problem: NO_KEY }
  const key = place === null ? undefined : reading.keys[place]
  return key === undefined ? { problem: otherKeyProblem(config) } : { key }
}

/** By the reader of a restore: a file that it would refuse is no backup, and is better known today. */
const readBack =
  (key: string) =>
  async (path: string): Promise<void> => {
    const read = await readBackup(path, { secretKeys: [key], acceptsUnverified: false })
    if (isProblem(read)) throw new Error(`read back, it was no backup: ${read.problem}`)
  }

export const backupCommand: Command = {
  summary: 'writes all that the database holds at this moment to a file, beside a running server',
  places: ['file'],
  example: 'backup kaikei-2026-11-16.backup',
  run: (given, env) =>
    withConfirmedClock(env, async (deps) => {
      const path = fileNamed(env, given.text('file'))
      if (existsSync(path))
        return { problem: `${path} is there already, and no backup is overwritten. Give another name.` }
      const inUse = await keyInUse(deps)
      if (isProblem(inUse)) return inUse
      const takenAt = deps.clock.now()
      let snapshot: Snapshot | undefined
      try {
        snapshot = await openSnapshot(deps.config, `${path}.copy`)
        const release = releaseVersion()
        const facts = { release, takenAt }
        const rows = await writeBackup(path, snapshot, await readMigrations(), facts, inUse.key, readBack(inUse.key))
        const told = { file: path, takenAt: instantText(takenAt), release }
        return {
          value: { ...told, rows },
          lines: [
            ...factLines({ ...told, takenAt: timeText(takenAt), rows: `${rows}, read back and compared` }),
            KEEP_THE_KEY,
          ],
        }
      } catch (error) {
        return { problem: `${path} could not be written (${messageOf(error)}). Nothing is left of it.` }
      } finally {
        await snapshot?.close()
      }
    }),
}

/** The key at hand must be that of the backup: a server with another one would not start. */
const keyProblem = (keys: readonly string[], { secretKeyDigest: wanted }: CheckedBackup): string | null => {
  if (wanted === null || keys.length === 0 || keys.some((key) => secretKeyDigest(key) === wanted)) return null
  return `The secret key at hand is not the one of this backup. Set SECRET_KEY to that one, or put its file secret-key into DATA_DIR; if it is lost, remove the one at hand, restore, and run ${PROGRAM} secret reset.`
}

const MISSING_KEY = `There is no secret key at hand, and a server does not start on these rows without theirs: set SECRET_KEY to it, or put its file secret-key into DATA_DIR; if it is lost: ${PROGRAM} secret reset`

const restore = async (
  config: Config,
  path: string,
  acceptsUnverified: boolean,
): Promise<{ rows: number; backup: CheckedBackup; lacksKey: boolean } | CommandProblem> => {
  const reading = await readSecretKeys(config)
  if ('problem' in reading) return reading
  const backup = await readBackup(path, { secretKeys: reading.keys, acceptsUnverified })
  if (isProblem(backup)) return backup
  const wrongKey = keyProblem(reading.keys, backup)
  if (wrongKey !== null) return { problem: wrongKey }
  const opened = await openDatabase(config)
  if ('problem' in opened) return opened
  const { database } = opened
  try {
    const claim = await database.claimServer('alone')
    if (!claim.isOurs)
      return { problem: `A Kaikei server uses this database. ${claim.holder} Restore into another one.` }
    const restored = await restoreInto(database, backup, systemClock.now())
    const lacksKey = reading.keys.length === 0 && backup.secretKeyDigest !== null
    return isProblem(restored) ? restored : { rows: restored.rows, backup, lacksKey }
  } finally {
    await database.close()
  }
}

export const restoreCommand: Command = {
  summary: 'fills an empty database with a backup, of whichever engine it was taken',
  places: ['file'],
  options: {
    unverified: {
      value: 'accept',
      help: 'restores a file that nothing proves: of an earlier release, or of a secret key that is lost',
    },
  },
  example: 'restore kaikei-2026-11-16.backup',
  run: async (given, env) => {
    const reading = readConfig(env)
    if (!reading.ok) return { problem: reading.problem }
    const unverified = given.textOrNull('unverified')
    if (unverified !== null && unverified !== 'accept') return { problem: '--unverified takes one word: accept.' }
    const restored = await restore(reading.config, fileNamed(env, given.text('file')), unverified === 'accept')
    if (isProblem(restored)) return restored
    const { backup, rows, lacksKey } = restored
    const facts = { takenAt: instantText(backup.takenAt), release: backup.release }
    return {
      value: { ...facts, rows, lacksKey },
      lines: [
        ...factLines({ ...facts, takenAt: timeText(backup.takenAt), rows: String(rows) }),
        ...(lacksKey ? [MISSING_KEY] : []),
        'Start the server: before it takes a payment it asks the acquirer what has happened since.',
        `Then look at ${PROGRAM} key list (a key that was revoked since is active again) and repeat erasures made since.`,
      ],
    }
  },
}
