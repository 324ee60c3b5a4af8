/** Sums day figures: of days that are closed, and again of days to which something came late. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { iso } from '#contract/answer-fields.ts'
import { closedUntil, isBeyondSums } from '#payment/day-figures.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { clearIfRead, setAsideUnreadable } from '../operations/set-aside.ts'
import { inBackground } from '../store/engine/urgency.ts'
import { UnreadableRow } from '../store/engine/columns.ts'
import {
  beginDay,
  claimSumming,
  endSumming,
  nextLateDay,
  nextMovedDay,
  storeDay,
  type Summing,
} from '../store/reports/day-figure-progress.ts'
import { sumDay } from '../store/reports/day-figures.ts'
import { addNewShops, findShopsToSum } from '../store/reports/shops-to-sum.ts'
import type { KeyScope } from '../store/merchant/keys.ts'

type SummingDependencies = Pick<Dependencies, 'database' | 'clock' | 'random'>

/** A day that was left half done, then days to which something came late, then days that were never summed. */
const nextDayOf = async (
  database: Dependencies['database'],
  summing: Summing,
  closed: number,
): Promise<number | null> =>
  summing.summingDay ??
  (await nextLateDay(database, summing, Math.min(closed, summing.summedUntil))) ??
  (await nextMovedDay(database, summing, summing.summedUntil, closed))

/**
 * Sums the days of one shop, one after another. False: another worker does. A day is read in short pieces, outside a transaction;
 * what a worker stores whose lease has ended meanwhile is dropped.
 */
export const sumShop = async (
  { database, clock, random }: SummingDependencies,
  scope: KeyScope,
  isStopped: () => boolean = () => false,
  onBeyondSums: (day: number) => Promise<unknown> = async () => undefined,
): Promise<boolean> => {
  const closed = closedUntil(clock.now())
  let summing = await claimSumming(database, scope, random.id(), clock.now())
  if (summing === null) return false
  while (summing !== null) {
    const day: number | null = isStopped() ? null : await nextDayOf(database, summing, closed)
    if (day === null) {
      await endSumming(database, summing, isStopped() ? summing.summedUntil : closed)
      return true
    }
    const begun = await beginDay(database, summing, day, clock.now())
    if (begun === null) return true
    const { figures } = await sumDay(database, scope, day, nextTurn)
    if (isBeyondSums(figures)) await onBeyondSums(day)
    summing = await storeDay(database, begun, day, figures, clock.now())
  }
  return true
}

/** Stored all the same: the money of every other day is read beside it. */
const nameBeyondSums = (deps: Dependencies, { merchantId, mode }: KeyScope, day: number): Promise<boolean> =>
  setAsideUnreadable(
    deps,
    { merchantId, queue: 'figures', key: [mode, iso(day)] },
    new UnreadableRow('the ledger lines of this day add up to more than 2^53 yen'),
  )

/**
 * One round over all shops. What fails is tried again: in the first round after the lease. While the clock is not confirmed, nothing is counted.
 */
export const sumDayFigures = async (deps: Dependencies, isStopped: () => boolean = () => false): Promise<void> => {
  const { database, clock, clockCheck, log } = deps
  if (!clockCheck.isConfirmed()) return
  const attempted = async (shop: KeyScope, work: () => Promise<boolean>): Promise<boolean> => {
    const row = { merchantId: shop.merchantId, queue: 'figures', key: [shop.mode] } as const
    try {
      const isSummed = !isStopped() && (await work())
      if (isSummed) await clearIfRead(deps, row)
      return isSummed
    } catch (error) {
      if (!(await setAsideUnreadable(deps, row, error)))
        log.error('a round of the worker failed', { merchant: shop.merchantId, ...errorFacts(error) })
      return false
    }
  }
  const sumClosed = async (): Promise<boolean> => {
    let isAnySummed = false
    for (const shop of await findShopsToSum(database, closedUntil(clock.now())))
      isAnySummed =
        (await attempted(shop, () => sumShop(deps, shop, isStopped, (day) => nameBeyondSums(deps, shop, day)))) ||
        isAnySummed
    return isAnySummed
  }
  try {
    while (!isStopped() && (await inBackground(() => addNewShops(database))));
    while (!isStopped() && (await inBackground(sumClosed)));
  } catch (error) {
    log.error('a round of the worker failed', errorFacts(error))
  }
}
