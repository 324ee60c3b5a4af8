/** Reads disputes: asks every account at an acquirer for its disputes, each for itself. */
import type { AcquirerAccount, Dependencies } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { findDisputesToAskFor, recordDisputes } from '../operations/record-disputes.ts'
import { inBackground } from '../store/engine/urgency.ts'

/** Accounts that are asked beside each other: a silent one holds up the others for no longer than its own timeout. */
const AT_ONCE = 4

/** What fails is tried again in the next round. While the clock is not confirmed, nobody is asked: a time is stored with the answer. */
export const readDisputes = async (deps: Dependencies, isStopped: () => boolean = () => false): Promise<void> => {
  const { database, clock, clockCheck, gateways, log } = deps
  if (!clockCheck.isConfirmed()) return
  try {
    const openedIn = await findDisputesToAskFor(database, clock.now())
    const accounts = (await gateways.accounts()).values()
    const readOne = async (account: AcquirerAccount): Promise<void> => {
      const merchant = account.scopes[0]?.merchantId ?? 'none'
      try {
        const read = await inBackground(() => recordDisputes(deps, account, openedIn))
        if (read.outcome === 'unknown') log.warn('an acquirer did not name its disputes', { merchant, why: read.why })
      } catch (error) {
        log.error('disputes could not be read', { merchant, ...errorFacts(error) })
      }
    }
    const readInTurn = async (): Promise<void> => {
      for (const account of accounts) {
        if (isStopped()) return
        await readOne(account)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, readInTurn))
  } catch (error) {
    log.error('a round of the worker failed', errorFacts(error))
  }
}
