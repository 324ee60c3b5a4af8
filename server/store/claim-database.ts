/**
 * Claim of the database by a server that starts: its lock, its tables, and nobody beside it where a restored database must
 * first be compared with the acquirer.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { restoreToRecover } from './backup/restore-marker.ts'
import type { Database, ServerClaim, ServerMode } from './engine/database.ts'
import { migrateTables, readTables, type Tables } from './engine/migrate.ts'
import { tablesProblem } from './engine/open.ts'
import { hasAccounts } from './merchant/acquirer-accounts.ts'

/** What a start tells while it goes on. */
export interface StartEvents {
  /** Another server has taken the database over. */
  onLost(): void
  /** One line for the operator, such as what this start waits for. */
  say(line: string): void
}

type Claimed = { readonly mode: ServerMode } | { readonly problem: string }

/** A server that was just killed may hold its lock for another moment. */
const LOCK_TIMEOUT_MS = 5000
/** The acquirer is asked about every order since the backup. */
const RECOVERY_TIMEOUT_MS = 600_000
const PAUSE_MS = 100

const MENDS: Readonly<Record<ServerMode, string>> = {
  alone:
    'Cards in payment are held in its memory, so there can be one: stop it, or set DATA_DIR or DATABASE_URL to another place.',
  shared:
    'Its card hold is shared with other servers: set CARD_HOLD_URL and CARD_HOLD_KEYS_FILE as there, or stop all of them.',
}

const WAITS_FOR_RECOVERY =
  'waiting: another server compares this database, which was restored from a backup, with the acquirer'

const STILL_RUNNING =
  'This database was restored from a backup, and other servers still run on it. They end by themselves within seconds: start this again.'

/** Without an acquirer nobody can pay, and a restored database can be compared with nobody. */
export const hasAcquirer = async ({ sandbox }: Pick<Config, 'sandbox'>, database: Database): Promise<boolean> =>
  sandbox !== null || (await hasAccounts(database))

const mustRecover = async (config: Config, database: Database): Promise<boolean> =>
  (await restoreToRecover(database)) !== null && (await hasAcquirer(config, database))

/** `again`: to be tried again in this mode; `wait` says for what, and `problem` what to say when that takes too long. */
type Step =
  | { readonly is: 'claimed'; readonly mode: ServerMode }
  | { readonly is: 'refused'; readonly problem: string }
  | {
      readonly is: 'again'
      readonly mode: ServerMode
      readonly wait: 'none' | 'lock' | 'recovery'
      readonly problem: string
    }

const migratedProblem = async (config: Config, database: Database, tables: Tables): Promise<string | null> => {
  if (tables.are === 'ours') return null
  if (tables.are === 'newer' || !config.migrates) return tablesProblem(tables, config)
  const migrated = await migrateTables(database)
  return 'problem' in migrated ? migrated.problem : null
}

const afterRefusal = async (
  config: Config,
  database: Database,
  { holder, holderMode }: Extract<ServerClaim, { isOurs: false }>,
  tables: Tables,
): Promise<Step> => {
  const usual: ServerMode = config.sharedCardHold === null ? 'alone' : 'shared'
  const problem = `Another Kaikei server uses this database. ${holder} ${MENDS[holderMode]}`
  if (usual === 'alone' || tables.are !== 'ours' || !(await mustRecover(config, database)))
    return { is: 'again', mode: usual, wait: 'lock', problem }
  return holderMode === 'shared'
    ? { is: 'again', mode: 'alone', wait: 'lock', problem: `${STILL_RUNNING} ${holder}` }
    : { is: 'again', mode: 'alone', wait: 'recovery', problem: `It is still being compared. ${problem}` }
}

/**
 * One try. Nobody migrates between the claim and the reading of the tables: whoever migrates afterwards sees the release of
 * this server, and whoever has migrated before is seen by it.
 */
const tryToClaim = async (config: Config, database: Database, onLost: () => void, mode: ServerMode): Promise<Step> => {
  const { claim, tables } = await database.whileNobodyMigrates(async () => ({
    claim: await database.claimServer(mode, onLost),
    tables: await readTables(database),
  }))
  if (!claim.isOurs) return afterRefusal(config, database, claim, tables)
  const problem = await migratedProblem(config, database, tables)
  if (problem !== null) return { is: 'refused', problem }
  if (config.sharedCardHold === null) return { is: 'claimed', mode }
  if (!(await mustRecover(config, database))) {
    // Another server has recovered it while this one waited to do so.
    if (mode === 'alone') await database.claimServer('shared', onLost)
    return { is: 'claimed', mode: 'shared' }
  }
  return mode === 'alone'
    ? { is: 'claimed', mode }
    : { is: 'again', mode: 'alone', wait: 'none', problem: STILL_RUNNING }
}

/**
 * With a shared card hold the answer is `alone` where the caller must recover the database, and change to `shared` afterwards;
 * servers that start meanwhile wait for that.
 */
export const claimDatabase = async (
  config: Config,
  database: Database,
  { onLost, say }: StartEvents,
): Promise<Claimed> => {
  let mode: ServerMode = config.sharedCardHold === null ? 'alone' : 'shared'
  let [waitsFor, since] = ['none', 0]
  for (;;) {
    const step = await tryToClaim(config, database, onLost, mode)
    if (step.is === 'claimed') return { mode: step.mode }
    if (step.is === 'refused') return { problem: step.problem }
    mode = step.mode
    if (step.wait === 'none') continue
    if (waitsFor !== step.wait) {
      ;[waitsFor, since] = [step.wait, performance.now()]
      if (step.wait === 'recovery') say(WAITS_FOR_RECOVERY)
    }
    const limitMs = step.wait === 'lock' ? LOCK_TIMEOUT_MS : RECOVERY_TIMEOUT_MS
    if (performance.now() - since >= limitMs) return { problem: step.problem }
    await sleep(PAUSE_MS)
  }
}
