/** Home of a simulated shop: reads its list at some moments of a run, and compares it with what is in doubt then. */
import { SECOND_MS } from '#contract/jst.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import { attentionFaults } from '../promises/attention.ts'
import type { VirtualTime } from './virtual-time.ts'

const SHOP = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const

/** Doubts begin in the first minute and a half, and end in the half hour after the faults have stopped, as a rule. */
const READ_AFTER_MS = [15, 30, 45, 60, 90, 3 * 60, 20 * 60].map((seconds) => seconds * SECOND_MS)

export interface HomeReadings {
  /** Doubts that home had to name, counted at each reading. */
  readonly doubtsOnHome: number
  readonly faults: readonly string[]
}

/** Reads at those moments, and once more when `end` is called. */
export const readHome = (database: Database, time: VirtualTime) => {
  const begun = time.now()
  const faults: string[] = []
  let [doubtsOnHome, isOver] = [0, false]
  const read = async (): Promise<void> => {
    const now = time.now()
    const found = await time.holdDuring(attentionFaults(database, TEA_MERCHANT, SHOP, now))
    doubtsOnHome += found.inDoubt
    faults.push(...found.faults.map((fault) => `${Math.round((now - begun) / SECOND_MS)} s after the start ${fault}`))
  }
  for (const ms of READ_AFTER_MS) void time.sleep(ms).then(() => (isOver ? undefined : read()))
  return async (): Promise<HomeReadings> => {
    isOver = true
    await read()
    return { doubtsOnHome, faults }
  }
}
