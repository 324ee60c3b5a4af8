import { join } from 'node:path'
import { listAnswer, orderAnswer, refundAnswer } from './answers.ts'
import { behaviourOf, brandOf } from '../cards/cards.ts'
import { watchDueCharges } from './due-charges.ts'
import { openFingerprint } from './fingerprint.ts'
import type { Order, Terms } from './order-rows.ts'
import { newTransactionId, openOrders, type RefundOutcome } from './orders.ts'
import { isId, type Malformed, readCharge, readPage, readRefundRequest } from './requests.ts'
import { type Call, hangUp, json, type Reply, type Route, stayOnTheLine } from '../http/router.ts'
import type { Behaviour } from '../cards/scenarios.ts'

export type Acquirer = { routes: readonly Route[]; close: () => void }

/** The data folder must exist; every duration is multiplied by the time scale. */
export const openAcquirer = (dataFolder: string, timeScale: number): Acquirer => {
  // First, because its lock keeps a second process from writing another key into a new folder.
  const orders = openOrders(join(dataFolder, 'acquirer.sqlite'))
  const fingerprintOf = openFingerprint(dataFolder)
  const due = watchDueCharges(orders)

  const charge = (call: Call, orderId: string): Reply | Promise<Reply> => {
    const request = readCharge(call.body)
    if (request.kind === 'malformed') return invalid(request)
    const { card, amountYen } = request
    const terms: Terms = {
      orderId,
      amountYen,
      card: { brand: brandOf(card.number), lastFour: card.number.slice(-4), fingerprint: fingerprintOf(card) },
    }
    const known = orders.find(orderId)
    return known ? chargeAgain(known, terms) : chargeFirst(terms, behaviourOf(card.number), call.clientGone)
  }

  const chargeAgain = (known: Order, asked: Terms): Reply | Promise<Reply> => {
    if (known.status === 'void') return json(409, { error: 'order_void' })
    if (known.terms.amountYen !== asked.amountYen) return json(409, { error: 'order_mismatch', field: 'amount' })
    if (known.terms.card.fingerprint !== asked.card.fingerprint) {
      return json(409, { error: 'order_mismatch', field: 'card' })
    }
    return whenBooked(known)
  }

  const whenBooked = async (order: Order): Promise<Reply> => json(200, orderAnswer(await due.whenBooked(order)))

  const chargeFirst = (terms: Terms, behaviour: Behaviour, clientGone: AbortSignal): Reply | Promise<Reply> => {
    const now = Date.now()
    const book = (): Order =>
      orders.place(terms, { status: 'charged', transactionId: newTransactionId(), approvedAt: now })
    switch (behaviour.kind) {
      case 'charge':
        return json(200, orderAnswer(book()))
      case 'decline':
        return json(
          200,
          orderAnswer(orders.place(terms, { status: 'declined', reason: behaviour.reason, declinedAt: now })),
        )
      case 'book_and_stay_silent':
        book()
        return stayOnTheLine(behaviour.holdMs * timeScale, clientGone)
      case 'book_late': {
        const order = orders.place(terms, {
          status: 'pending',
          dueAt: Math.round(now + behaviour.pendingMs * timeScale),
        })
        due.arm()
        return whenBooked(order)
      }
      case 'drop':
        break
      case 'book_and_fail':
        book()
        return json(500, { error: 'internal_error' })
      case 'fail':
        return json(500, { error: 'internal_error' })
      case 'queue':
        orders.enqueue(terms, Math.round(now + behaviour.queueMs * timeScale))
        due.arm()
        break
    }
    return hangUp
  }

  const fence = (orderId: string): Reply => {
    const order = orders.fence(orderId)
    return order.status === 'void'
      ? json(200, orderAnswer(order))
      : json(409, { error: 'order_exists', status: order.status })
  }

  const inquire = (orderId: string): Reply => {
    const order = orders.find(orderId)
    return order ? json(200, orderAnswer(order)) : json(404, { error: 'order_not_found' })
  }

  const refund = (call: Call, orderId: string, refundId: string): Reply => {
    const request = readRefundRequest(call.body)
    if (request.kind === 'malformed') return invalid(request)
    const outcome = orders.refund(orderId, refundId, request.amountYen, Date.now())
    return outcome.kind === 'refunded'
      ? json(200, refundAnswer(outcome.refund))
      : json(refundRefusals[outcome.kind], { error: outcome.kind })
  }

  const inquireRefund = (orderId: string, refundId: string): Reply => {
    const found = orders.findRefund(orderId, refundId)
    return found ? json(200, refundAnswer(found)) : json(404, { error: 'refund_not_found' })
  }

  const list = (call: Call): Reply => {
    const page = readPage(call.query)
    if (page.kind === 'malformed') return invalid(page)
    const found = orders.list(page.after, page.limit + 1)
    const items = found.slice(0, page.limit).map((order) => ({ order, refunds: orders.refundsOf(order.orderId) }))
    return json(200, listAnswer(items, found.length > page.limit))
  }

  const route = (
    method: Route['method'],
    path: string,
    handle: (call: Call, orderId: string, refundId: string) => Reply | Promise<Reply>,
  ): Route => ({
    method,
    path: `/acquirer/v1${path}`,
    handle: (call) => {
      const wrong = ['orderId', 'refundId'].find((name) => path.includes(`:${name}`) && !isId(call.param(name)))
      if (wrong) return invalid({ kind: 'malformed', field: wrong, message: 'must be 1 to 64 of A-Z a-z 0-9 _ -' })
      due.settle()
      return handle(call, call.param('orderId'), call.param('refundId'))
    },
  })

  return {
    routes: [
      route('GET', '/health', () => json(200, { status: 'ok' })),
      route('GET', '/orders', list),
      route('GET', '/orders/:orderId', (_call, orderId) => inquire(orderId)),
      route('POST', '/orders/:orderId/charge', charge),
      route('POST', '/orders/:orderId/fence', (_call, orderId) => fence(orderId)),
      route('POST', '/orders/:orderId/refunds/:refundId', refund),
      route('GET', '/orders/:orderId/refunds/:refundId', (_call, ...ids) => inquireRefund(...ids)),
    ],
    close: () => {
      due.stop()
      orders.close()
    },
  }
}

const refundRefusals: Record<Exclude<RefundOutcome['kind'], 'refunded'>, number> = {
  order_not_found: 404,
  order_not_charged: 409,
  refund_mismatch: 409,
  refund_exceeds_charge: 409,
}

const invalid = ({ field, message }: Malformed): Reply => json(400, { error: 'invalid_request', field, message })
