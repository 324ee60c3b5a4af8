/**
 * Simulated adapters: three kinds of acquirers over one record. `order-id` charges and finds an order by our order code, as the
 * sandbox does; `intent` opens an intent, and then confirms it, as Stripe does; `capture` authorises, and then captures, as Adyen
 * does. The last two find an order by their own reference alone.
 */
import type { ChargeOrder, Fencing, Gateway, Unknown } from '#payment/ports.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { AcquirerRecord } from './acquirer.ts'
import { isDeclined } from './three-ds.ts'
import type { VirtualTime } from './virtual-time.ts'

export const ACQUIRER_KINDS = ['order-id', 'intent', 'capture'] as const
export type AcquirerKind = (typeof ACQUIRER_KINDS)[number]
export const isAcquirerKind = (word: string): word is AcquirerKind => ACQUIRER_KINDS.some((kind) => kind === word)

const MAX_ISSUER_DELAY_MS = 180_000
const MAX_REFUND_DELAY_MS = 600_000

/** One call over the faulty connection, which is also a moment at which the process can die. */
export type CallAcquirer = <T>(name: string, act: () => T, mayBeLate: boolean) => Promise<T | Unknown>

export interface AdapterParts {
  readonly record: AcquirerRecord
  readonly call: CallAcquirer
  readonly time: VirtualTime
  readonly random: SeededRandom
  readonly faultRate: number
}

type Adapter = Omit<Gateway, 'ready' | 'statement' | 'disputes'>

const isUnknown = (answer: unknown): answer is Unknown =>
  typeof answer === 'object' && answer !== null && 'outcome' in answer && answer.outcome === 'unknown'

/** Decided when it is sent, so that a doubled request cannot be both declined and charged. The security code is not kept. */
const decisionOf = (order: ChargeOrder, { random, faultRate }: AdapterParts) => ({
  declines: isDeclined(order.card),
  copy: { ...order, cvc: '' },
  delayMs: random.chance(faultRate / 5) ? random.between(0, MAX_ISSUER_DELAY_MS) : 0,
})

/** Refunds of an acquirer that answers at once, and finds a refund by our refund id. */
const promptRefunds = ({ record, call }: AdapterParts): Pick<Adapter, 'refund' | 'inquireRefund'> => ({
  refund: (order) => call('refund', () => record.refund(order), true),
  inquireRefund: (order) => call('inquire refund', () => record.inquireRefund(order), false),
})

/** What the acquirer itself keeps: it outlives our processes. */
interface FarSide {
  /** By the acquirer's reference. */
  readonly intents: Map<string, { readonly orderCode: string; isCanceled: boolean }>
  readonly authorisations: Map<string, { readonly order: ChargeOrder; isCancelled: boolean }>
  readonly receivedRefunds: Set<string>
}

export const farSide = (): FarSide => ({ intents: new Map(), authorisations: new Map(), receivedRefunds: new Set() })

const adapterByOrderId = (parts: AdapterParts): Adapter => {
  const { record, call } = parts
  return {
    ...promptRefunds(parts),
    charge: async (order, remember) => {
      if (!(await remember(order.orderCode))) return { outcome: 'not_charged' }
      const { copy, declines, delayMs } = decisionOf(order, parts)
      return call('charge', () => record.charge(copy, order.orderCode, declines, delayMs), true)
    },
    inquire: ({ orderCode }) => call('inquire', () => record.inquire(orderCode), false),
    fence: ({ orderCode }) =>
      call('fence', (): Fencing => (record.close(orderCode) ? { outcome: 'fenced' } : { outcome: 'exists' }), false),
  }
}

const adapterWithIntents = (parts: AdapterParts, { intents }: FarSide): Adapter => {
  const { record, call } = parts
  /** One intent for an order: its creation has an idempotency key. */
  const open = (orderCode: string): string => {
    const reference = `pi_${orderCode}`
    if (!intents.has(reference)) intents.set(reference, { orderCode, isCanceled: false })
    return reference
  }
  const cancel = (reference: string): Fencing => {
    const intent = intents.get(reference)
    if (intent === undefined) return { outcome: 'unknown', why: 'no such intent' }
    if (record.orders.has(intent.orderCode)) return { outcome: 'exists' }
    intent.isCanceled = true
    return { outcome: 'fenced' }
  }
  return {
    ...promptRefunds(parts),
    charge: async (order, remember) => {
      const { copy, declines, delayMs } = decisionOf(order, parts)
      const reference = await call('open intent', () => open(order.orderCode), true)
      // No card was sent: without a confirm nothing can be charged.
      if (isUnknown(reference)) return { outcome: 'not_charged' }
      if (!(await remember(reference))) return { outcome: 'not_charged' }
      const method = await call('payment method', () => 'made', true)
      if (isUnknown(method)) return { outcome: 'not_charged' }
      return call(
        'confirm',
        () =>
          intents.get(reference)?.isCanceled === true
            ? { outcome: 'not_charged' }
            : record.charge(copy, reference, declines, delayMs),
        true,
      )
    },
    inquire: async ({ orderCode, reference }) => {
      if (reference === null) return { outcome: 'not_found' }
      return call(
        'inquire',
        () => (intents.get(reference)?.isCanceled === true ? { outcome: 'not_charged' } : record.inquire(orderCode)),
        false,
      )
    },
    fence: ({ orderCode, reference }) =>
      call(
        'cancel intent',
        (): Fencing => {
          if (reference !== null) return cancel(reference)
          return record.orders.has(orderCode) ? { outcome: 'exists' } : { outcome: 'fenced' }
        },
        true,
      ),
  }
}

const adapterWithCaptures = (parts: AdapterParts, { authorisations, receivedRefunds }: FarSide): Adapter => {
  const { record, call, time, random } = parts
  const cancel = (orderCode: string): Fencing => {
    for (const authorisation of authorisations.values())
      if (authorisation.order.orderCode === orderCode && !record.orders.has(orderCode)) authorisation.isCancelled = true
    return { outcome: 'fenced' }
  }
  const capture = (reference: string) => {
    const authorisation = authorisations.get(reference)
    if (authorisation === undefined || authorisation.isCancelled)
      return { outcome: 'unknown', why: 'received, and fails later' } as const
    return record.charge(authorisation.order, reference, false, 0)
  }
  return {
    charge: async (order, remember) => {
      const { copy, declines } = decisionOf(order, parts)
      const reference = await call(
        'authorise',
        () => {
          if (declines) return record.charge(copy, order.orderCode, true, 0)
          const made = `psp_${order.orderCode}`
          if (!authorisations.has(made)) authorisations.set(made, { order: copy, isCancelled: false })
          return made
        },
        true,
      )
      if (typeof reference !== 'string' && !isUnknown(reference)) return reference
      // Only our capture moves money, and none follows.
      if (typeof reference !== 'string' || !(await remember(reference))) {
        await call('cancel', () => cancel(order.orderCode), true)
        return { outcome: 'not_charged' }
      }
      return call('capture', () => capture(reference), true)
    },
    inquire: async ({ reference }) =>
      reference === null ? { outcome: 'not_found' } : call('capture again', () => capture(reference), true),
    fence: async ({ orderCode, reference }) =>
      reference === null ? call('cancel', () => cancel(orderCode), true) : { outcome: 'exists' },
    refund: (order) => {
      const delayMs = random.between(0, MAX_REFUND_DELAY_MS)
      const receive = (): Unknown => {
        const key = `${order.orderCode} ${order.refundId}`
        if (!receivedRefunds.has(key)) void time.sleep(delayMs).then(() => record.refund(order))
        receivedRefunds.add(key)
        return { outcome: 'unknown', why: 'received, waits for the notification' }
      }
      return call('refund', receive, true)
    },
    // Its notifications are stored by our own server.
    inquireRefund: async (order) => record.inquireRefund(order),
  }
}

/** The adapter of one process. */
export const simulatedAdapter = (
  kind: AcquirerKind,
  parts: AdapterParts,
  far: FarSide,
  isSilent: () => boolean,
): Gateway => {
  const adapters: Readonly<Record<AcquirerKind, () => Adapter>> = {
    'order-id': () => adapterByOrderId(parts),
    intent: () => adapterWithIntents(parts, far),
    capture: () => adapterWithCaptures(parts, far),
  }
  const { record, call } = parts
  return {
    ...adapters[kind](),
    ready: async () => (isSilent() ? 'silent' : 'ready'),
    statement: () => call('statement', () => record.statement(), false),
    disputes: () => call('disputes', () => record.disputes(), false),
  }
}
