/** Routes of the merchant API that read the figures of days. */
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal } from '#contract/errors.ts'
import { jstDate } from '#contract/jst.ts'
import * as calls from '#contract/merchant/figures.ts'
import { addFigures, NO_FIGURES, type DayFigures } from '#payment/day-figures.ts'
import { iso } from '#contract/answer-fields.ts'
import { readFigures, type FiguresOfDay } from '../../../store/reports/day-figures.ts'
import { noteReading } from '../../../store/reports/open-days.ts'
import { answerCall } from '../contract-route.ts'
import { createWriteBeside } from '../../last-use.ts'
import { figuresCsv } from './figures-csv.ts'
import { scopeOf, type CallerOptions } from './caller.ts'
import { readDayRange, sumsOf, type DayRange } from './reports.ts'
import { sendCsv } from './send-csv.ts'

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
  days: days.map((figures) => ({
    date: jstDate(figures.day),
    ...presentFigures(figures),
    ...(figures.countedAt === null ? {} : { countedAt: iso(figures.countedAt) }),
  })),
  total: presentFigures(days.reduce(addFigures, NO_FIGURES)),
})

export const figureRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf }) => {
  const writeBeside = createWriteBeside()

  answerCall(app, calls.readFigures, async (request) => {
    const now = deps.clock.now()
    const range = readDayRange(request.query, now)
    if (isRefusal(range)) return range
    const scope = scopeOf(callerOf(request))
    // On a full disk, or behind a long write, the figures can still be read.
    writeBeside(`${scope.merchantId} ${scope.mode}`, () => noteReading(deps.database, scope, now))
    return answerOf(range, await readFigures(deps.database, scope, range, now))
  })

  answerCall(app, calls.exportFigures, async (request, reply) => {
    const range = readDayRange(request.query, deps.clock.now())
    if (isRefusal(range)) return range
    // A file has no place for the time at which an open day was counted: each is counted now.
    const figures = answerOf(range, await readFigures(deps.database, scopeOf(callerOf(request)), range, null))
    const name = `figures-${range.fromDate}-${range.toDate}`
    return sendCsv(reply, calls.exportFigures, name, [figuresCsv(figures, request.query.locale)])
  })
}
