/** Calls about disputes: the list that an adapter reads, and the control by which a person disputes a test payment. */
import { json, type Call, type Reply } from '../http/router.ts'
import type { OrderStore } from './order-store.ts'
import { parseDisputeRequest, parseListRequest } from './requests.ts'
import { disputeBody, disputeListBody, malformedReply } from './response-bodies.ts'

type Handle = (call: Call) => Reply

export const disputeHandlers = (orders: OrderStore): { readonly list: Handle; readonly change: Handle } => ({
  list: (call) => {
    const request = parseListRequest(call.query)
    if (request.kind === 'malformed') return malformedReply(request)
    const found = orders.disputes.list({ ...request, limit: request.limit + 1 })
    return json(200, disputeListBody(found.slice(0, request.limit), found.length > request.limit))
  },
  change: (call) => {
    const request = parseDisputeRequest(call.body)
    if (request.kind === 'malformed') return malformedReply(request)
    const order = orders.findCharge(request.transactionId)
    if (order?.status !== 'charged') return json(404, { error: 'charge_not_found' })
    // Of a payment that was given back in part, only the rest can be taken.
    const amountYen = order.details.amountYen - order.refundedYen
    const outcome = orders.disputes.change({ orderId: order.orderId, amountYen }, request.status, Date.now())
    switch (outcome.kind) {
      case 'disputed':
        return json(200, disputeBody(outcome.dispute))
      case 'refunded':
        return json(409, { error: 'charge_refunded' })
      case 'refused':
        return json(409, { error: 'dispute_status', status: outcome.status })
    }
  },
})
