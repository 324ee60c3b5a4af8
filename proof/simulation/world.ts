/** Simulated world: the real server on a real store, and everything outside of it with its faults, from one seed. */
import { AsyncResource } from 'node:async_hooks'
import { createCardHold } from '../../server/card-hold/memory.ts'
import { sharedAccount } from '../promises/shared-account.ts'
import { wrapGateway } from '../../server/gateways/wrap-gateway.ts'
import type { Log } from '../../server/log.ts'
import type { Dependencies } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { createShopVelocity } from '../../server/store/checkout/shop-velocity.ts'
import { createRecentMerchants } from '../../server/store/merchant/recent-merchants.ts'
import { errorsAsUnavailable } from '../../server/three-ds/wrap-three-ds-server.ts'
import { startWorker } from '../../server/background/worker.ts'
import { acquirerRecord } from './acquirer.ts'
import { farSide, simulatedAdapter, type AcquirerKind, type CallAcquirer } from './adapters.ts'
import type { RunRecord } from './run-record.ts'
import { browserConnection } from './browser-connection.ts'
import { faultyConnection, type FaultyConnection } from './faulty-connection.ts'
import { simulatedProcess, threeDSWithCrashPoints, type SimulatedProcess } from './process.ts'
import { seededId, type SeededRandom } from '../harness/seeded-random.ts'
import { silentLog } from '../harness/silent-log.ts'
import { serveWorld } from './shared-app.ts'
import { isOk, isRefused, simulateTab, type SendRequest, type ShopperBehaviour, type ShownMessage } from './shopper.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { simulatedThreeDS } from './three-ds.ts'
import { virtualTime, withTimeHeld, type VirtualTime } from './virtual-time.ts'
import { watchedCardHold } from './watched-card-hold.ts'
import { cardTestingDependencies } from '../harness/card-testing-parts.ts'
import { HEALTHY_DISK_AND_CLOCK } from '../harness/healthy-disk-and-clock.ts'
import { WEBHOOK_PARTS } from '../harness/webhook-parts.ts'
import { MINIMUM_DECLINE_MS } from '../../server/operations/minimum-decline-time.ts'

export interface World {
  readonly time: VirtualTime
  readonly acquirerConnection: FaultyConnection
  readonly process: Pick<SimulatedProcess, 'steps' | 'crashPointsPassed' | 'crashPointsHit'>
  readonly crashes: number
  /** The server's own clock, which may be set wrong. */
  serverNow(): number
  setServerClock(aheadMs: number): void
  readonly send: SendRequest
  readonly sendAsMerchant: SendRequest
  /** An open checkout; null when its deadline had passed before it could be made. */
  createCheckout(validUntil: number): Promise<string | null>
  /** One tab of a shopper, from the open page to the last message it shows. */
  openTab(checkoutId: string, behaviour: ShopperBehaviour, random: SeededRandom): Promise<void>
  /** Runs these checkouts to their ends, then without faults until everything has arrived and is settled. */
  run(checkouts: readonly (() => Promise<void>)[]): Promise<RunRecord>
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const START = Date.parse('2026-11-15T03:00:00Z')
const TIMEOUT_MS = 20 * SECOND
/** A request that the browser has given up may still arrive, up to this much later. */
const MAX_LATE_REQUEST_MS = MINUTE
/**
 * The longest pause between two inquiries is an hour, and the worker looks every twenty minutes: whatever is in doubt is inquired
 * at least twice. Looking more often took most of the time of a small run.
 */
const SETTLING_MS = 3 * HOUR
const SETTLING_WORKER_PAUSE_MS = 20 * MINUTE

/** Fault rates and crashes of one simulated run. */
export interface WorldOptions {
  /** How often something goes wrong with a message. */
  readonly messageFaultRate: number
  /** Whether the process dies at this step. */
  readonly crashesAtStep: (step: number) => boolean
  /** The store answers in real time; one in memory answers at once. */
  readonly isRealTimeStore: boolean
  readonly acquirerKind: AcquirerKind
}

export const openWorld = async (store: Database, random: SeededRandom, worldOptions: WorldOptions): Promise<World> => {
  const { messageFaultRate, crashesAtStep, isRealTimeStore, acquirerKind } = worldOptions
  const time = virtualTime(START)
  const [idRandom, networkRandom] = [random.split(), random.split()]
  const acquirerConnection = faultyConnection(time, random.split(), TIMEOUT_MS, messageFaultRate)
  const threeDSConnection = faultyConnection(time, random.split(), TIMEOUT_MS / 2, messageFaultRate / 2)
  const [acquirer, acquirerRandom, far] = [acquirerRecord(time), random.split(), farSide()]
  const threeDS = simulatedThreeDS(time, threeDSConnection, random.split())
  const messagesShown: ShownMessage[] = []
  const alarms: string[] = []
  let [crashes, clockAheadMs, tabs] = [0, 0, 0]
  let isSettling = false
  let { promise: crashed, resolve: announceCrash } = Promise.withResolvers<'no response'>()

  const log: Log = {
    ...silentLog,
    error: (event, facts) => void alarms.push(`${event}: ${facts?.why ?? facts?.at?.[0] ?? ''}`),
    alarm: (event, { why }) => void alarms.push(`${event}: ${why}`),
  }
  const clock = {
    now: () => time.now() + clockAheadMs,
    // Once the faults have stopped the worker may pause longer: hours pass then.
    sleep: (ms: number) =>
      process.step('sleep', () => time.sleep(isSettling ? Math.max(ms, SETTLING_WORKER_PAUSE_MS) : ms)),
  }
  const process = simulatedProcess(
    time,
    (step) => !isSettling && crashesAtStep(step),
    () => {
      crashes += 1
      announceCrash('no response')
      ;({ promise: crashed, resolve: announceCrash } = Promise.withResolvers<'no response'>())
      queueMicrotask(boot)
    },
  )
  const callAcquirer: CallAcquirer = (name, act, mayBeLate) =>
    process.step(name, async () => {
      const delivery = await acquirerConnection.deliver(act, mayBeLate)
      return delivery.arrived ? delivery.answer : { outcome: 'unknown', why: delivery.why, isSilence: true }
    })
  const adapterParts = {
    record: acquirer,
    call: callAcquirer,
    time,
    random: acquirerRandom,
    faultRate: messageFaultRate,
  }
  const database = process.database(isRealTimeStore ? withTimeHeld(store, time) : store)
  /** What a process has in memory, and loses when it dies. */
  const emptyMemory = () => ({
    // By the virtual time itself: the server's own clock may be set wrong.
    ...watchedCardHold(createCardHold(time.now)),
    gateways: sharedAccount(
      database,
      wrapGateway(simulatedAdapter(acquirerKind, adapterParts, far, acquirerConnection.isSilent), {
        log,
        elapsed: time.now,
        cardFingerprint: cardTestingDependencies(time.now).cardFingerprint,
      }),
    ),
    findMerchant: createRecentMerchants(database, time.now),
    shopVelocity: createShopVelocity(time.now),
  })
  let memory = emptyMemory()
  const deps: Dependencies = {
    database,
    threeDSServer: errorsAsUnavailable(threeDSWithCrashPoints(process, threeDS), log),
    clock,
    elapsed: time.now,
    random: { id: () => seededId(idRandom) },
    log,
    gatewayTimeoutMs: TIMEOUT_MS,
    ...HEALTHY_DISK_AND_CLOCK,
    ...cardTestingDependencies(time.now),
    ...memory,
    ...WEBHOOK_PARTS,
    minimumDeclineMs: MINIMUM_DECLINE_MS,
    publicBase: new URL('http://localhost:3000'),
  }
  // Bound to the context here: started where the last process died, the next would count as inside its transaction.
  const boot = AsyncResource.bind((): void => {
    memory = emptyMemory()
    Object.assign(deps, memory)
    void process.runInProcess(async () => void startWorker(deps))
  })
  const { app, end } = await serveWorld(deps)
  boot()

  /** Hands a browser's request to the server. A process that dies gives no response. */
  const deliver: SendRequest = async (options) => {
    const headers = { host: 'localhost:3000', merchant: 'tea', ...options.headers }
    const response = await Promise.race([process.runInProcess(() => app.inject({ ...options, headers })), crashed])
    time.noteActivity()
    return response
  }
  const browsers = browserConnection({
    time,
    random: networkRandom,
    faultRate: messageFaultRate / 4,
    maxDelayMs: MAX_LATE_REQUEST_MS,
    deliver,
  })
  const { send } = browsers
  const sendAsMerchant: SendRequest = (options) =>
    send({ ...options, headers: { authorization: `Bearer ${API_KEYS.tea}` } })

  return {
    time,
    acquirerConnection,
    process,
    get crashes() {
      return crashes
    },
    serverNow: clock.now,
    setServerClock: (aheadMs) => {
      clockAheadMs = aheadMs
    },
    send,
    sendAsMerchant,
    createCheckout: async (validUntil) => {
      const payload = { amount: 1980, validUntil: new Date(validUntil).toISOString() }
      for (;;) {
        const created = await sendAsMerchant({ method: 'POST', url: '/merchant/v1/checkouts', payload })
        if (isOk(created)) return created.json<{ id: string }>().id
        if (isRefused(created)) return null
      }
    },
    openTab: (checkoutId, behaviour, own) => {
      tabs += 1
      const tab = tabs
      const show = (message: ShownMessage['message'], orderCode: string | null): void =>
        void messagesShown.push({ checkoutId, tab, at: time.now(), message, orderCode })
      return simulateTab({ checkoutId, behaviour, send, time, random: own, show })
    },
    run: async (checkouts) => {
      let running = checkouts.length
      for (const runCheckout of checkouts) {
        void runCheckout().then(() => {
          running -= 1
          time.noteActivity()
        })
      }
      await time.run(() => running === 0)
      // The faults stop: everything under way arrives, the acquirer answers, the worker settles what is due.
      isSettling = true
      browsers.stopFaults()
      acquirerConnection.stopFaults()
      threeDSConnection.stopFaults()
      const settledAt = time.now() + SETTLING_MS
      await time.run(() => time.now() >= settledAt)
      end()
      return {
        sql: store,
        ordersAtAcquirer: acquirer.orders,
        messagesShown,
        alarms,
        unwipedOrderCodes: memory.unwipedOrderCodes,
        excessRefunds: acquirer.excessRefunds,
      }
    },
  }
}
