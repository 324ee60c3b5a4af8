/** Routes of the merchant API that read the figures of days. */
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal } from '#contract/errors.ts'
import { jstDate } from '#contract/jst.ts'
import * as calls from '#contract/merchant/figures.ts'
import { addFigures, NO_FIGURES, type DayFigures } from '#payment/day-figures.ts'
import { readFigures, type FiguresOfDay } from '../../../store/reports/day-figures.ts'
import { answerCall } from '../contract-route.ts'
import { figuresCsv } from './figures-csv.ts'
import { scopeOf, type CallerOptions } from './caller.ts'
import { readDayRange, sumsOf, type DayRange } from './reports.ts'

const presentFigures = ({ counts, brands }: DayFigures): calls.FiguresAnswer['total'] => {
  const { begun, paid, declined, authenticationFailed, givenUp, inDoubt } = counts
  return {
    ...sumsOf(counts),
    checkouts: { begun, paid, declined, authenticationFailed, givenUp, inDoubt },
    cardBrands: calls.REPORTED_BRANDS.flatMap((cardBrand) => {
      const found = brands[cardBrand]
      return found === undefined ? [] : [{ cardBrand, charges: found.charges, chargedAmount: found.chargedYen }]
    }),
  }
}

const answerOf = ({ fromDate, toDate }: DayRange, days: readonly FiguresOfDay[]): calls.FiguresAnswer => ({
  from: fromDate,
  to: toDate,
  days: days.map((figures) => ({ date: jstDate(figures.day), ...presentFigures(figures) })),
  total: presentFigures(days.reduce(addFigures, NO_FIGURES)),
})

export const figureRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf }) => {
  answerCall(app, calls.readFigures, async (request) => {
    const range = readDayRange(request.query, deps.clock.now())
    if (isRefusal(range)) return range
    return answerOf(range, await readFigures(deps.database, scopeOf(callerOf(request)), range))
  })

  answerCall(app, calls.exportFigures, async (request, reply) => {
    const range = readDayRange(request.query, deps.clock.now())
    if (isRefusal(range)) return range
    const days = await readFigures(deps.database, scopeOf(callerOf(request)), range)
    reply
      .type(`${calls.exportFigures.contentType}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="figures-${range.fromDate}-${range.toDate}.csv"`)
    return figuresCsv(answerOf(range, days), request.query.locale)
  })
}
