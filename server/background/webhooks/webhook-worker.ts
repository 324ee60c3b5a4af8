/** Webhook worker: makes deliveries of new events, and tries those that are due, at many endpoints at a time. */
import { createFairQueue, type FairQueue } from '../fair-queue.ts'
import { errorFacts } from '../../log.ts'
import type { Dependencies } from '../../dependencies.ts'
import { alarmSetAside, setAsideUnreadable } from '../../operations/set-aside.ts'
import { findDueEndpoints } from '../../store/outbox/deliveries.ts'
import { FANNED_OUT_AT_ONCE, fanOut, type FanOutEvents } from '../../store/outbox/fan-out.ts'
import { inBackground } from '../../store/engine/urgency.ts'
import type { EndpointRef } from '../../store/merchant/webhook-endpoints.ts'
import { deliverNext } from './deliver.ts'

const POLL_INTERVAL_MS = 500

/** How many tries may be under way, and how many at one endpoint. */
const CONCURRENCY = 64
const CONCURRENCY_OF_ENDPOINT = 4
/** All endpoints of one merchant together: sixteen that hang at once leave room for others. */
const CONCURRENCY_OF_MERCHANT = 48
/** For merchants that have none under way: beside few merchants with slow endpoints, another one's delivery begins at once. */
const RESERVED = 8
/** An endpoint that fails may hang for 15 s in each of its tries. */
const CONCURRENCY_OF_FAILING = 1

/** After fifty tries in a row or ten seconds the next endpoint has its turn: fifty answers of 14 s would be twelve minutes. */
const TRIES_OF_A_TURN = 50
const TURN_MS = 10_000

/** A server that stops does not wait for an endpoint that hangs: its delivery is due again when the lease ends. */
const STOP_TIMEOUT_MS = 3000

/** One of the tries that may be under way at an endpoint. */
interface Slot extends EndpointRef {
  readonly slot: number
}

const queueOf = (deps: Dependencies): FairQueue<Slot> => {
  /** Until nothing is due, or one fails: what fails has time, and others may be waiting. */
  const takeTurn = async (ref: EndpointRef): Promise<void> => {
    const endsAt = deps.elapsed() + TURN_MS
    for (let tries = 0; tries < TRIES_OF_A_TURN && deps.elapsed() < endsAt; tries += 1)
      if ((await inBackground(() => deliverNext(deps, ref))) !== 'delivered') return
  }
  return createFairQueue({
    concurrency: CONCURRENCY,
    perGroup: CONCURRENCY_OF_MERCHANT,
    reserved: RESERVED,
    keyOf: ({ merchantId, endpointId, slot }) => `${merchantId} ${endpointId} ${slot}`,
    groupOf: ({ merchantId }) => merchantId,
    subgroupOf: ({ endpointId }) => endpointId,
    work: (ref) =>
      takeTurn(ref).catch((error: unknown) => deps.log.error('a webhook could not be attended to', errorFacts(error))),
  })
}

/** Then due deliveries are looked for, though more is new: of 200,000 events the first are told of before the last is fanned out. */
const FAN_OUTS_OF_A_ROUND = 8

/** Fans out what is new, and lists the endpoints at which something is due. */
const findWork = (deps: Dependencies): Promise<Slot[]> =>
  inBackground(async () => {
    const { database, clock } = deps
    const heard: FanOutEvents = {
      onUnreadable: ({ merchantId, id }, error) =>
        setAsideUnreadable(deps, { merchantId, queue: 'events', key: [id] }, error),
      onSetAside: (row) => alarmSetAside(deps, row),
    }
    for (let times = 0; times < FAN_OUTS_OF_A_ROUND; times += 1)
      if ((await fanOut(database, clock.now(), heard)) < FANNED_OUT_AT_ONCE) break
    const due = await findDueEndpoints(database, clock.now())
    return due.flatMap(({ merchantId, endpointId, isFailing }) =>
      Array.from({ length: isFailing ? CONCURRENCY_OF_FAILING : CONCURRENCY_OF_ENDPOINT }, (_none, slot) => ({
        merchantId,
        endpointId,
        slot,
      })),
    )
  })

/** One round of all that is due. Any number of workers may run beside each other. */
export const sendWebhooksOnce = async (deps: Dependencies): Promise<void> => {
  const queue = queueOf(deps)
  queue.add(await findWork(deps))
  await queue.idle()
}

/** Works until it is stopped. A database that is away for a while ends nothing. */
export const startWebhookWorker = (deps: Dependencies): { stop(): Promise<void> } => {
  const queue = queueOf(deps)
  const stopping = new AbortController()
  const working = (async () => {
    while (!stopping.signal.aborted) {
      try {
        queue.forgetTried()
        queue.add(await findWork(deps))
      } catch (error) {
        deps.log.error('a round of the webhook worker failed', errorFacts(error))
      }
      await deps.clock.sleep(POLL_INTERVAL_MS)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await Promise.race([Promise.all([working, queue.close()]), deps.clock.sleep(STOP_TIMEOUT_MS)])
    },
  }
}
