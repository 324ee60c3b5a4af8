/** Test control: what Stripe has no call for. Without an API key, so that a test need not trust the adapter it tests. */
import { parseJsonObject, type JsonObject } from '../http/json.ts'
import { json, type Call, type Reply, type Route } from '../http/router.ts'
import { closedDispute } from './disputes.ts'
import { refundedOf } from './objects.ts'
import { secondsOf } from './operation.ts'
import type { IntentRecord } from './records.ts'
import { newId, type Store } from './store.ts'

const MAX_ADVANCE_SECONDS = 10 * 365 * 24 * 60 * 60

export const controlRoutes = (
  store: Store,
  readClock: () => number,
  nameNumber: (number: string) => void,
): readonly Route[] => {
  const intentOf = ({ id, status }: IntentRecord) => {
    const charges = store.charges.ofParent(id)
    const refunds = store.refunds.ofLabel(id)
    return {
      id,
      status,
      chargedYen: charges.reduce((sum, each) => (each.status === 'succeeded' ? sum + each.amount : sum), 0),
      refundedYen: refundedOf(refunds),
      charges: charges.map((charge) => ({
        id: charge.id,
        status: charge.status,
        amountYen: charge.amount,
        disputed: store.disputes.ofParent(charge.id).length > 0,
      })),
      refunds: refunds.map((each) => ({
        id: each.id,
        status: each.status,
        amountYen: each.amount,
        metadata: each.metadata,
      })),
    }
  }

  const readOrder = (call: Call): Reply => {
    const order = call.param('order')
    const intents = store.intents.ofLabel(order).map(intentOf)
    return json(200, {
      order,
      chargedYen: intents.reduce((sum, { chargedYen }) => sum + chargedYen, 0),
      refundedYen: intents.reduce((sum, { refundedYen }) => sum + refundedYen, 0),
      intents,
    })
  }

  const openDispute = (call: Call): Reply => {
    const charge = store.charges.find(call.param('charge'))
    if (charge === undefined) return json(404, { error: 'charge_not_found' })
    if (charge.status !== 'succeeded') return json(409, { error: 'charge_not_succeeded' })
    if (store.disputes.ofParent(charge.id).length > 0) return json(409, { error: 'already_disputed' })
    const { id, account, amount, intent } = charge
    const status = bodyOf(call)['inquiry'] === true ? 'warning_needs_response' : 'needs_response'
    const dispute = { id: newId('du'), status, amount, charge: id, intent, account } as const
    store.disputes.insert({ ...dispute, created: secondsOf(readClock()) })
    return json(200, { dispute: dispute.id, status })
  }

  const closeDispute = (call: Call): Reply => {
    const dispute = store.disputes.find(call.param('dispute'))
    if (dispute === undefined) return json(404, { error: 'dispute_not_found' })
    const outcome = bodyOf(call)['status']
    if (outcome !== 'won' && outcome !== 'lost') return json(400, { error: 'status must be won or lost' })
    const closed = closedDispute(dispute, outcome, secondsOf(readClock()))
    if (closed === undefined) return json(409, { error: 'already_closed' })
    store.disputes.update(closed)
    return json(200, { dispute: closed.id, status: closed.status })
  }

  const advanceClock = (call: Call): Reply => {
    const seconds = bodyOf(call)['advanceSeconds']
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0 || seconds > MAX_ADVANCE_SECONDS)
      return json(400, { error: 'advanceSeconds must be a whole number of seconds, of ten years at most' })
    store.advanceClock(seconds * 1000)
    return json(200, { now: secondsOf(readClock()) })
  }

  /** A number outside of every table, which this double charges from now on: tests look for such numbers where none may be. */
  const nameCard = (call: Call): Reply => {
    const number = bodyOf(call)['number']
    if (typeof number !== 'string' || !/^\d{12,19}$/.test(number))
      return json(400, { error: 'number must be 12 to 19 digits' })
    nameNumber(number)
    return json(200, {})
  }

  return [
    { method: 'POST', path: '/stripe/control/cards', handle: nameCard },
    { method: 'GET', path: '/stripe/control/orders/:order', handle: readOrder },
    { method: 'POST', path: '/stripe/control/charges/:charge/dispute', handle: openDispute },
    { method: 'POST', path: '/stripe/control/disputes/:dispute/close', handle: closeDispute },
    { method: 'POST', path: '/stripe/control/clock', handle: advanceClock },
  ]
}

const bodyOf = (call: Call): JsonObject => parseJsonObject(call.body) ?? {}
