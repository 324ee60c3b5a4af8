/** Route of the console by which an operator sees payments and refunds in doubt, and how many checkouts are held after a restore. */
import type { FastifyPluginAsync } from 'fastify'
import { DOUBTS_LISTED, listDoubts as call, type DoubtAnswer } from '#contract/console/operator.ts'
import { iso, when } from '#contract/answer-fields.ts'
import { countHeldCheckouts } from '../../../store/backup/held-checkouts.ts'
import { listDoubts, type ListedDoubt } from '../../../store/reports/doubts.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from '../console-route.ts'

const presentDoubt = (doubt: ListedDoubt): DoubtAnswer => ({
  kind: doubt.kind,
  shop: doubt.merchant,
  checkoutId: doubt.checkoutId,
  orderCode: doubt.orderCode,
  ...when(doubt.refundId, (refundId) => ({ refundId })),
  amount: doubt.amountYen,
  since: iso(doubt.since),
  inquiries: doubt.inquiries,
  nextInquiryAt: iso(doubt.nextInquiryAt),
  why: doubt.why,
})

export const doubtRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (app, { deps: { database, clock } }) => {
  answerConsoleCall(app, call, async () => {
    const doubts = await listDoubts(database, clock.now(), DOUBTS_LISTED + 1)
    const items = doubts.slice(0, DOUBTS_LISTED).map(presentDoubt)
    return { items, isMore: doubts.length > items.length, held: await countHeldCheckouts(database) }
  })
}
