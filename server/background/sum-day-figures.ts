/** Sums day figures: of days that are closed, again of days to which something came late, and of busy days that are open. */
import { closedUntil, isRecountDue, openDays } from '#payment/day-figures.ts'
import type { Instant } from '#contract/jst.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { setAsideUnreadable } from '../operations/set-aside.ts'
import { inBackground } from '../store/engine/background-work.ts'
import {
  beginDay,
  claimSumming,
  endSumming,
  nextLateDay,
  nextMovedDay,
  storeDay,
  storeOpenDay,
  type Summing,
} from '../store/reports/day-figure-progress.ts'
import { readFigureRows } from '../store/reports/day-figure-rows.ts'
import { sumDay } from '../store/reports/day-figures.ts'
import { findShopsRead, isBusyDay } from '../store/reports/open-days.ts'
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
    summing =
      begun === null ? null : await storeDay(database, begun, day, await sumDay(database, scope, day), clock.now())
  }
  return true
}

/** The open days of a shop that are to be counted, for the first time or again. */
const openDaysToCount = async (
  { database, clock }: SummingDependencies,
  scope: KeyScope,
): Promise<readonly Instant[]> => {
  const now = clock.now()
  const stored = await readFigureRows(database, scope, { from: closedUntil(now), to: now })
  const due: Instant[] = []
  for (const day of openDays(now)) {
    const row = stored.get(day)
    // A day that is closed by now has a row without a count.
    if (
      row === undefined
        ? await isBusyDay(database, scope, day)
        : row.openCount !== null && isRecountDue(row.openCount, now)
    )
      due.push(day)
  }
  return due
}

/** Counts the busy open days of one shop. Under the lease of the shop: a late count must not replace the row of a closed day. */
export const countOpenDays = async (deps: SummingDependencies, scope: KeyScope): Promise<void> => {
  const { database, clock, random } = deps
  if ((await openDaysToCount(deps, scope)).length === 0) return
  let summing = await claimSumming(database, scope, random.id(), clock.now())
  if (summing === null) return
  try {
    // Once more: another worker may have counted or closed them before this one had the lease.
    for (const day of await openDaysToCount(deps, scope)) {
      if (day < summing.summedUntil) continue
      const countedAt = clock.now()
      const { rowsRead, ...figures } = await sumDay(database, scope, day)
      const openCount = { countedAt, rowsRead }
      summing = await storeOpenDay(database, summing, day, { ...figures, openCount }, clock.now())
      if (summing === null) return
    }
  } finally {
    // Also after an error, for nothing is half done: otherwise nobody would count or close a day of this shop for ten minutes.
    if (summing !== null) await endSumming(database, summing, summing.summedUntil)
  }
}

/**
 * One round over all shops. What fails is tried again: days that are over in the first round after the lease, open ones in the next.
 * While the clock is not confirmed, nothing is counted.
 */
export const sumDayFigures = async (deps: Dependencies, isStopped: () => boolean = () => false): Promise<void> => {
  const { database, clock, clockCheck, log } = deps
  if (!clockCheck.isConfirmed()) return
  const attempted = async (shop: KeyScope, work: () => Promise<boolean>): Promise<boolean> => {
    try {
      return !isStopped() && (await work())
    } catch (error) {
      const row = { merchantId: shop.merchantId, queue: 'figures', key: [shop.mode] } as const
      if (!(await setAsideUnreadable(deps, row, error)))
        log.error('a round of the worker failed', { merchant: shop.merchantId, ...errorFacts(error) })
      return false
    }
  }
  const sumClosed = async (): Promise<boolean> => {
    let isAnySummed = false
    for (const shop of await findShopsToSum(database, closedUntil(clock.now())))
      isAnySummed = (await attempted(shop, () => sumShop(deps, shop, isStopped))) || isAnySummed
    return isAnySummed
  }
  const countOpen = async (): Promise<void> => {
    for (const shop of await findShopsRead(database, closedUntil(clock.now()), clock.now()))
      await attempted(shop, async () => {
        await countOpenDays(deps, shop)
        return true
      })
  }
  try {
    while (!isStopped() && (await inBackground(() => addNewShops(database))));
    while (!isStopped() && (await inBackground(sumClosed)));
    await inBackground(countOpen)
  } catch (error) {
    log.error('a round of the worker failed', errorFacts(error))
  }
}
