/**
 * Simulated servers: processes of the real server on one store, behind a load balancer. One alone holds cards in its memory;
 * several share them, sealed. Each can die while the others go on, and starts again with nothing in its memory.
 */
import { AsyncResource } from 'node:async_hooks'
import type { Gateway } from '#payment/ports.ts'
import type { ThreeDSServer } from '#payment/three-ds-port.ts'
import { startWorker } from '../../server/background/worker.ts'
import { createCardHold } from '../../server/card-hold/memory.ts'
import { CARD_COPY_MS, createSealedCardHold } from '../../server/card-hold/sealed.ts'
import { createCardSealing } from '../../server/card-hold/sealing.ts'
import type { Dependencies } from '../../server/dependencies.ts'
import { wrapGateway } from '../../server/gateways/wrap-gateway.ts'
import type { Log } from '../../server/log.ts'
import { MINIMUM_DECLINE_MS } from '../../server/operations/minimum-decline-time.ts'
import { createShopVelocity } from '../../server/store/checkout/shop-velocity.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { createRecentMerchants } from '../../server/store/merchant/recent-merchants.ts'
import { errorsAsUnavailable } from '../../server/three-ds/wrap-three-ds-server.ts'
import { cardTestingDependencies } from '../harness/card-testing-parts.ts'
import { HEALTHY_DISK_AND_CLOCK } from '../harness/healthy-disk-and-clock.ts'
import { seededId, type SeededRandom } from '../harness/seeded-random.ts'
import { WEBHOOK_PARTS } from '../harness/webhook-parts.ts'
import { sharedAccount } from '../promises/shared-account.ts'
import { simulatedProcesses, threeDSWithCrashPoints, type SimulatedProcesses } from './process.ts'
import { serveWorld } from './shared-app.ts'
import { sharedHold, type SharedHold } from './shared-hold.ts'
import type { SendRequest } from './shopper.ts'
import { withTimeHeld, type VirtualTime } from './virtual-time.ts'
import { watchCardHold, type HoldWatch } from './watched-card-hold.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
export const GATEWAY_TIMEOUT_MS = 20 * SECOND
/** Once the faults have stopped the worker may pause longer, because hours pass then. */
const SETTLING_WORKER_PAUSE_MS = 20 * MINUTE
/** Of several servers, until the one that died is up again. */
const MAX_DOWN_MS = 20 * SECOND
/**
 * Of several servers one clock is wrong by less than half an hour. By one that is further off a day would be summed while others
 * still write into it; a server whose clock has jumped so far sums nothing until a second clock confirms it.
 */
const BESIDE_OTHERS = 0.4
const MASTER_KEYS = [new Uint8Array(32).fill(7)] as const

interface ServersOptions {
  readonly count: number
  readonly time: VirtualTime
  readonly random: SeededRandom
  readonly idRandom: SeededRandom
  readonly store: Database
  /** The store answers in real time; one in memory answers at once. */
  readonly isRealTimeStore: boolean
  /** How often something goes wrong with a message to the shared hold. */
  readonly faultRate: number
  /** Whether the process that takes this step dies at it. */
  readonly crashesAtStep: (step: number) => boolean
  readonly gatewayOf: (processes: SimulatedProcesses) => Gateway
  readonly threeDS: ThreeDSServer
  readonly log: Log
}

export interface SimulatedServers {
  readonly processes: SimulatedProcesses
  readonly holdWatch: HoldWatch
  /** Null: one server alone holds cards in its memory. */
  readonly hold: Pick<SharedHold, 'lost' | 'back'> | null
  readonly crashes: number
  /** Hands a browser's request to a server. A process that dies gives no response. */
  readonly deliver: SendRequest
  /** By the first server's own clock, which may be set wrong. */
  now(): number
  setClock(aheadMs: number): void
  isClockRight(): boolean
  /** No process dies any more, and the shared hold loses nothing. */
  stopFaults(): void
  end(): void
}

export const startServers = async (options: ServersOptions): Promise<SimulatedServers> => {
  const { count, time, random, idRandom, store, isRealTimeStore, faultRate, crashesAtStep, log } = options
  const balancerRandom = random.split()
  const sealing = createCardSealing(MASTER_KEYS)
  let [crashes, isSettling, clockAheadMs] = [0, false, 0]

  const processes = simulatedProcesses(
    time,
    (step) => !isSettling && crashesAtStep(step),
    (index) => {
      crashes += 1
      holdWatch.noteCrash()
      servers[index]?.die()
    },
  )
  const holdWatch = watchCardHold(processes.isInTransaction)
  const hold = count === 1 ? null : sharedHold(time, random.split(), faultRate, processes)
  const database = processes.database(isRealTimeStore ? withTimeHeld(store, time) : store)
  const adapter = options.gatewayOf(processes)
  const watchedAdapter: Gateway = {
    ...adapter,
    charge: (order, remember) => {
      holdWatch.noteCharge(order.orderCode)
      return adapter.charge(order, remember)
    },
  }
  // By the virtual time itself: a server's own clock may be set wrong.
  const openHold = () =>
    hold === null
      ? createCardHold(time.now)
      : createSealedCardHold({ store: hold.store, sealing, memory: createCardHold(time.now, CARD_COPY_MS), log })
  /** What a process has in memory, and loses when it dies. */
  const emptyMemory = () => ({
    cardHold: holdWatch.watched(openHold()),
    gateways: sharedAccount(
      database,
      wrapGateway(watchedAdapter, {
        log,
        elapsed: time.now,
        cardFingerprint: cardTestingDependencies(time.now).cardFingerprint,
      }),
    ),
    findMerchant: createRecentMerchants(database, time.now),
    shopVelocity: createShopVelocity(time.now),
  })

  const openServer = (index: number) => {
    const clock = {
      now: () => time.now() + (index === 0 ? clockAheadMs : 0),
      sleep: (ms: number) =>
        processes.step('sleep', () => time.sleep(isSettling ? Math.max(ms, SETTLING_WORKER_PAUSE_MS) : ms)),
    }
    const deps: Dependencies = {
      database,
      threeDSServer: errorsAsUnavailable(threeDSWithCrashPoints(processes, options.threeDS), log),
      clock,
      elapsed: time.now,
      random: { id: () => seededId(idRandom) },
      log,
      gatewayTimeoutMs: GATEWAY_TIMEOUT_MS,
      ...HEALTHY_DISK_AND_CLOCK,
      ...cardTestingDependencies(time.now),
      ...emptyMemory(),
      ...WEBHOOK_PARTS,
      minimumDeclineMs: MINIMUM_DECLINE_MS,
      publicBase: new URL('http://localhost:3000'),
    }
    const server = {
      deps,
      isUp: false,
      died: Promise.withResolvers<'no response'>(),
      // Bound to the context here: started where the last process died, the next would count as inside its transaction.
      boot: AsyncResource.bind((): void => {
        server.isUp = true
        Object.assign(deps, emptyMemory())
        // As with WORKER=off on the others.
        if (index === 0 || index === count - 2) void processes.runInProcess(index, async () => void startWorker(deps))
      }),
      die: () => {
        server.isUp = false
        server.died.resolve('no response')
        server.died = Promise.withResolvers()
        // One alone is up again before the next request.
        if (count === 1) queueMicrotask(server.boot)
        else void time.sleep(random.between(0, MAX_DOWN_MS)).then(server.boot)
      },
    }
    return server
  }
  const servers = Array.from({ length: count }, (_, index) => openServer(index))
  const [first] = servers
  if (first === undefined) throw new Error('a simulation needs a server')
  const { app, end } = await serveWorld(() => (servers[processes.callingServer()] ?? first).deps)
  for (const server of servers) server.boot()

  return {
    processes,
    holdWatch,
    hold,
    get crashes() {
      return crashes
    },
    deliver: async (request) => {
      const up = servers.flatMap(({ isUp }, index) => (isUp || count === 1 ? [index] : []))
      const index = up[balancerRandom.between(0, up.length - 1)]
      if (index === undefined) return 'no response'
      const headers = { host: 'localhost:3000', merchant: 'tea', ...request.headers }
      // Awaited inside the process: Fastify sends what is injected when it is awaited, and not before.
      const answered = processes.runInProcess(index, async () => await app.inject({ ...request, headers }))
      const response = await Promise.race([answered, (servers[index] ?? first).died.promise])
      time.noteActivity()
      return response
    },
    now: first.deps.clock.now,
    setClock: (aheadMs) => {
      clockAheadMs = count === 1 ? aheadMs : Math.round(aheadMs * BESIDE_OTHERS)
    },
    isClockRight: () => clockAheadMs === 0,
    stopFaults: () => {
      isSettling = true
      hold?.stopFaults()
    },
    end,
  }
}
