/** Routes of the merchant API that read the figures of days, and the sums of their money. */
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal } from '#contract/errors.ts'
import { jstDate } from '#contract/jst.ts'
import * as calls from '#contract/merchant/figures.ts'
import { readSummary, type SummaryAnswer } from '#contract/merchant/reports.ts'
import { addFigures, NO_FIGURES, type DayFigures } from '#payment/day-figures.ts'
import { iso, when } from '#contract/answer-fields.ts'
import { createFigureReader, type FiguresOfDay } from '../../../operations/read-figures.ts'
import { answerCall } from '../contract-route.ts'
import { figuresCsv } from './figures-csv.ts'
import { scopeOf, type CallerOptions } from './caller.ts'
import { readDayRange, type DayRange } from './reports.ts'
import { sendCsv } from './send-csv.ts'

/** The money of a day, or of several. */
const moneyOf = ({ counts }: DayFigures): SummaryAnswer['total'] => ({
  charges: counts.charges,
  chargedAmount: counts.chargedYen,
  refunds: counts.refunds,
  refundedAmount: counts.refundedYen,
  chargebacks: counts.chargebacks,
  chargebackAmount: counts.chargebackYen,
  chargebackReversals: counts.chargebackReversals,
  reversedAmount: counts.reversedYen,
  netAmount: counts.chargedYen - counts.refundedYen - counts.chargebackYen + counts.reversedYen,
})

const presentFigures = (figures: DayFigures): calls.FiguresAnswer['total'] => {
  const { begun, paid, declined, authenticationFailed, givenUp, inDoubt } = figures.counts
  return {
    ...moneyOf(figures),
    checkouts: { begun, paid, declined, authenticationFailed, givenUp, inDoubt },
    cardBrands: calls.REPORTED_BRANDS.flatMap((cardBrand) => {
      const found = figures.brands[cardBrand]
      return found === undefined ? [] : [{ cardBrand, charges: found.charges, chargedAmount: found.chargedYen }]
    }),
  }
}

/** Each day and all together, each as `present` shows it. */
const answerOf = <Shown extends object>(
  { fromDate, toDate }: DayRange,
  days: readonly FiguresOfDay[],
  present: (figures: DayFigures) => Shown,
) => ({
  from: fromDate,
  to: toDate,
  days: days.map((figures) => ({
    date: jstDate(figures.day),
    ...present(figures),
    ...when(figures.countedAt, (at) => ({ countedAt: iso(at) })),
  })),
  total: present(days.reduce(addFigures, NO_FIGURES)),
})

export const figureRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf, nextPiece }) => {
  const read = createFigureReader(deps, nextPiece)

  answerCall(app, readSummary, async (request) => {
    const range = readDayRange(request.query, deps.clock.now())
    return isRefusal(range) ? range : answerOf(range, await read(scopeOf(callerOf(request)), range), moneyOf)
  })

  answerCall(app, calls.readFigures, async (request) => {
    const range = readDayRange(request.query, deps.clock.now())
    return isRefusal(range) ? range : answerOf(range, await read(scopeOf(callerOf(request)), range), presentFigures)
  })

  answerCall(app, calls.exportFigures, async (request, reply) => {
    const range = readDayRange(request.query, deps.clock.now())
    if (isRefusal(range)) return range
    const figures = answerOf(range, await read(scopeOf(callerOf(request)), range), presentFigures)
    const name = `figures-${range.fromDate}-${range.toDate}`
    return sendCsv(reply, calls.exportFigures, name, [figuresCsv(figures, request.query.locale)])
  })
}
