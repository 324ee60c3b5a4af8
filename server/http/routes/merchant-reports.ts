/** Routes of the merchant API that add up and export the movements of money. */
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isRefusal } from '#contract/errors.ts'
import * as calls from '#contract/merchant-list-calls.ts'
import { movementPages, sumsByDay } from '../../store/reports/movements.ts'
import { sendRefusal } from '../errors.ts'
import { readDayRange } from '../list-query.ts'
import { movementsCsv } from '../movements-csv.ts'
import { presentSummary } from '../present-lists.ts'
import { queryRouteOf, sendAnswer } from './contract-route.ts'
import { scopeOf, type KeyHolderOptions } from './merchant-checkouts.ts'

/** A turn of the event loop works on one piece: all at once, an export would keep payments waiting. */
async function* inTurns<T>(pieces: AsyncIterable<T>, nextPiece: () => Promise<void>): AsyncGenerator<T> {
  for await (const piece of pieces) {
    await nextPiece()
    yield piece
  }
}

export const merchantReportRoutes: FastifyPluginAsyncTypebox<KeyHolderOptions> = async (
  app,
  { deps, holderOf, nextPiece },
) => {
  app.route({
    ...queryRouteOf(calls.readSummary),
    handler: async (request, reply) => {
      const range = readDayRange(request.query, deps.clock.now())
      if (isRefusal(range)) return sendRefusal(reply, range)
      const days = await sumsByDay(deps.database, scopeOf(holderOf(request)), range)
      return sendAnswer(reply, 200, presentSummary(range, days))
    },
  })

  app.route({
    ...queryRouteOf(calls.exportMovements),
    handler: async (request, reply) => {
      const range = readDayRange(request.query, deps.clock.now())
      if (isRefusal(range)) return sendRefusal(reply, range)
      const pages = inTurns(movementPages(deps.database, scopeOf(holderOf(request)), range), nextPiece)
      return reply
        .type(`${calls.exportMovements.contentType}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="movements-${range.fromDate}-${range.toDate}.csv"`)
        .send(
          Readable.from(
            movementsCsv(pages, { locale: request.query.locale, hasTaxes: request.query.taxes === 'true' }),
          ),
        )
    },
  })
}
