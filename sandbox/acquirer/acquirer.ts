/**
 * Simulated acquirer: charges, inquiries, fences, refunds and disputes, kept in a database so that an answered charge survives a
 * kill. The data folder must exist; every duration is multiplied by the time scale.
 */
import { join } from 'node:path'
import { acquirerBehaviourOf, brandOf } from '../cards/cards.ts'
import type { AcquirerBehaviour } from '../cards/scenarios.ts'
import { DROP_CONNECTION, holdConnection, json, type Call, type Reply, type Route } from '../http/router.ts'
import { scheduleDueCharges } from './due-charges.ts'
import { openCardFingerprint } from './fingerprint.ts'
import type { ChargeDetails, Order } from './order-rows.ts'
import { disputeHandlers } from './dispute-calls.ts'
import { newId } from './ids.ts'
import { openOrderStore, type RefundOutcome } from './order-store.ts'
import { isId, parseChargeRequest, parseListRequest, parseRefundRequest } from './requests.ts'
import { malformedReply, orderBody, orderListBody, refundBody } from './response-bodies.ts'

interface Acquirer {
  readonly routes: readonly Route[]
  close(): void
}

export const openAcquirer = (dataFolder: string, timeScale: number): Acquirer => {
  // First, because its lock keeps a second process from writing another key into a new folder.
  const orders = openOrderStore(join(dataFolder, 'acquirer.sqlite'))
  const fingerprintOf = openCardFingerprint(dataFolder)
  const dueCharges = scheduleDueCharges(orders)

  const charge = (call: Call, orderId: string): Reply | Promise<Reply> => {
    const request = parseChargeRequest(call.body)
    if (request.kind === 'malformed') return malformedReply(request)
    const { card, amountYen } = request
    const details: ChargeDetails = {
      orderId,
      amountYen,
      card: { brand: brandOf(card.number), lastFour: card.number.slice(-4), fingerprint: fingerprintOf(card) },
    }
    const known = orders.find(orderId)
    return known === undefined
      ? chargeNewOrder(details, acquirerBehaviourOf(card.number), call.clientGone)
      : repeatCharge(known, details)
  }

  /** Idempotency by order id: the same charge gets the stored answer, another amount or card is refused. */
  const repeatCharge = (known: Order, details: ChargeDetails): Reply | Promise<Reply> => {
    if (known.status === 'void') return json(409, { error: 'order_void' })
    if (known.details.amountYen !== details.amountYen) return json(409, { error: 'order_mismatch', field: 'amount' })
    if (known.details.card.fingerprint !== details.card.fingerprint) {
      return json(409, { error: 'order_mismatch', field: 'card' })
    }
    return replyWhenBooked(known)
  }

  const replyWhenBooked = async (order: Order): Promise<Reply> =>
    json(200, orderBody(await dueCharges.waitUntilBooked(order)))

  const chargeNewOrder = (
    details: ChargeDetails,
    behaviour: AcquirerBehaviour,
    clientGone: AbortSignal,
  ): Reply | Promise<Reply> => {
    const now = Date.now()
    const book = (): Order =>
      orders.insertIfAbsent(details, { status: 'charged', transactionId: newId('txn'), approvedAt: now })
    switch (behaviour.kind) {
      case 'charge':
        return json(200, orderBody(book()))
      case 'decline':
        return json(
          200,
          orderBody(orders.insertIfAbsent(details, { status: 'declined', reason: behaviour.reason, declinedAt: now })),
        )
      case 'charge_then_never_answer':
        book()
        return holdConnection(behaviour.holdMs * timeScale, clientGone)
      case 'charge_late': {
        const order = orders.insertIfAbsent(details, {
          status: 'pending',
          dueAt: Math.round(now + behaviour.pendingMs * timeScale),
        })
        dueCharges.setTimer()
        return replyWhenBooked(order)
      }
      case 'drop_connection':
        break
      case 'charge_then_answer_500':
        book()
        return json(500, { error: 'internal_error' })
      case 'answer_500':
        return json(500, { error: 'internal_error' })
      case 'queue_charge':
        orders.enqueue(details, Math.round(now + behaviour.queueMs * timeScale))
        dueCharges.setTimer()
        break
    }
    return DROP_CONNECTION
  }

  const fence = (orderId: string): Reply => {
    const order = orders.fence(orderId)
    return order.status === 'void'
      ? json(200, orderBody(order))
      : json(409, { error: 'order_exists', status: order.status })
  }

  const inquire = (orderId: string): Reply => {
    const order = orders.find(orderId)
    return order === undefined ? json(404, { error: 'order_not_found' }) : json(200, orderBody(order))
  }

  const refund = (call: Call, orderId: string, refundId: string): Reply => {
    const request = parseRefundRequest(call.body)
    if (request.kind === 'malformed') return malformedReply(request)
    const outcome = orders.refund(orderId, refundId, request.amountYen, Date.now())
    return outcome.kind === 'refunded'
      ? json(200, refundBody(outcome.refund))
      : json(refundRefusalStatuses[outcome.kind], { error: outcome.kind })
  }

  const inquireRefund = (orderId: string, refundId: string): Reply => {
    const found = orders.findRefund(orderId, refundId)
    return found === undefined ? json(404, { error: 'refund_not_found' }) : json(200, refundBody(found))
  }

  const listOrders = (call: Call): Reply => {
    const request = parseListRequest(call.query)
    if (request.kind === 'malformed') return malformedReply(request)
    const found = orders.list({ ...request, limit: request.limit + 1 })
    const items = found.slice(0, request.limit).map((order) => ({
      order,
      refunds: orders.refundsOf(order.orderId),
      movements: orders.disputes.movementsOf(order.orderId),
    }))
    return json(200, orderListBody(items, found.length > request.limit))
  }

  const disputes = disputeHandlers(orders)

  const route = (
    method: Route['method'],
    path: string,
    handle: (call: Call, orderId: string, refundId: string) => Reply | Promise<Reply>,
  ): Route => ({
    method,
    path: `/acquirer/v1${path}`,
    handle: (call) => {
      const field = ['orderId', 'refundId'].find((name) => path.includes(`:${name}`) && !isId(call.param(name)))
      if (field !== undefined) {
        return malformedReply({ kind: 'malformed', field, message: 'must be 1 to 64 of A-Z a-z 0-9 _ -' })
      }
      dueCharges.bookNow()
      return handle(call, call.param('orderId'), call.param('refundId'))
    },
  })

  return {
    routes: [
      route('GET', '/health', () => json(200, { status: 'ok' })),
      route('GET', '/orders', listOrders),
      route('GET', '/orders/:orderId', (_call, orderId) => inquire(orderId)),
      route('POST', '/orders/:orderId/charge', charge),
      route('POST', '/orders/:orderId/fence', (_call, orderId) => fence(orderId)),
      route('POST', '/orders/:orderId/refunds/:refundId', refund),
      route('GET', '/orders/:orderId/refunds/:refundId', (_call, ...ids) => inquireRefund(...ids)),
      route('GET', '/disputes', disputes.list),
      {
        method: 'POST',
        path: '/acquirer/control/disputes',
        handle: (call) => {
          dueCharges.bookNow()
          return disputes.change(call)
        },
      },
    ],
    close: () => {
      dueCharges.stop()
      orders.close()
    },
  }
}

const refundRefusalStatuses: Record<Exclude<RefundOutcome['kind'], 'refunded'>, number> = {
  order_not_found: 404,
  order_not_charged: 409,
  refund_mismatch: 409,
  refund_exceeds_charge: 409,
}
