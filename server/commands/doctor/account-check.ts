/** Account check: live accounts at acquirers that have not passed their check, or not the last one. */
import { COMMAND_NAMES } from '../../config/release.ts'
import type { Sql } from '../../store/engine/database.ts'
import { listAccounts, type StoredAccount } from '../../store/merchant/acquirer-accounts.ts'
import { firstThree, ok, warn, type Finding } from './finding.ts'

export type LiveAccount = Pick<StoredAccount, 'label' | 'checkedAt' | 'checkProblems'>

const named = (accounts: readonly LiveAccount[]): string => firstThree(accounts.map(({ label }) => label))

export const judgeAccounts = (live: readonly LiveAccount[]): Finding => {
  const mend = `${COMMAND_NAMES.program} acquirer check --mode live --merchant …, which says what to mend.`
  const unchecked = live.filter(({ checkedAt }) => checkedAt === null)
  if (unchecked.length > 0)
    return warn(
      `live accounts that have not passed their check, so that live keys are refused: ${named(unchecked)}`,
      mend,
    )
  const failing = live.filter(({ checkProblems }) => checkProblems !== null)
  if (failing.length > 0) return warn(`live accounts whose last check found something: ${named(failing)}`, mend)
  return ok(live.length === 0 ? 'no shop takes real money' : `${live.length} live, and all have passed their check`)
}

export const readLiveAccounts = async (sql: Sql): Promise<LiveAccount[]> =>
  (await listAccounts(sql)).filter(({ mode }) => mode === 'live')
