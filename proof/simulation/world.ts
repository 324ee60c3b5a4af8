/** Simulated world: the real server on a real store, and everything outside of it with its faults, from one seed. */
import type { Log } from '../../server/log.ts'
import type { Database } from '../../server/store/engine/database.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { silentLog } from '../harness/silent-log.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { acquirerRecord } from './acquirer.ts'
import { readHome } from './attention.ts'
import { farSide, simulatedAdapter, type AcquirerKind } from './adapters.ts'
import { browserConnection } from './browser-connection.ts'
import { faultyConnection, type FaultyConnection } from './faulty-connection.ts'
import type { SimulatedProcesses } from './process.ts'
import { sumFirstDay } from './figures.ts'
import type { RunRecord } from './run-record.ts'
import { GATEWAY_TIMEOUT_MS, startServers } from './servers.ts'
import { isOk, isRefused, simulateTab, type SendRequest, type ShopperBehaviour, type ShownMessage } from './shopper.ts'
import { simulatedThreeDS } from './three-ds.ts'
import { virtualTime, type VirtualTime } from './virtual-time.ts'

export interface World {
  readonly time: VirtualTime
  readonly acquirerConnection: FaultyConnection
  readonly processes: Pick<SimulatedProcesses, 'steps' | 'crashPointsPassed' | 'crashPointsHit'>
  readonly crashes: number
  /** The first server's own clock, which may be set wrong. */
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
/** Twenty seconds before midnight in Japan: most checkouts are begun on one day and end on another, after it is summed. */
const START = Date.parse('2026-11-15T23:59:40+09:00')
/** After the last moment at which a clock is set wrong, while most checkouts are still being paid. */
const FIRST_DAY_SUMMED_AFTER_MS = 61 * SECOND
/** A request that the browser has given up may still arrive, up to this much later. */
const MAX_LATE_REQUEST_MS = MINUTE
/**
 * The longest pause between two inquiries is an hour, and the worker looks every twenty minutes: whatever is in doubt is inquired
 * at least twice. Looking more often took most of the time of a small run.
 */
const SETTLING_MS = 3 * HOUR

/** Fault rates and crashes of one simulated run. */
export interface WorldOptions {
  /** How often something goes wrong with a message. */
  readonly messageFaultRate: number
  /** Whether the process dies at this step. */
  readonly crashesAtStep: (step: number) => boolean
  /** The store answers in real time; one in memory answers at once. */
  readonly isRealTimeStore: boolean
  readonly acquirerKind: AcquirerKind
  /** One alone holds cards in its memory; several share them. */
  readonly servers: number
}

export const openWorld = async (store: Database, random: SeededRandom, worldOptions: WorldOptions): Promise<World> => {
  const { messageFaultRate, acquirerKind } = worldOptions
  const time = virtualTime(START)
  const [idRandom, networkRandom] = [random.split(), random.split()]
  const acquirerConnection = faultyConnection(time, random.split(), GATEWAY_TIMEOUT_MS, messageFaultRate)
  const threeDSConnection = faultyConnection(time, random.split(), GATEWAY_TIMEOUT_MS / 2, messageFaultRate / 2)
  const [acquirer, acquirerRandom, far] = [acquirerRecord(time), random.split(), farSide()]
  const threeDS = simulatedThreeDS(time, threeDSConnection, random.split())
  const messagesShown: ShownMessage[] = []
  const alarms: string[] = []
  let tabs = 0

  const log: Log = {
    ...silentLog,
    error: (event, facts) => void alarms.push(`${event}: ${facts?.why ?? facts?.at?.[0] ?? ''}`),
    alarm: (event, { why }) => void alarms.push(`${event}: ${why}`),
  }
  const gatewayOf = ({ step }: SimulatedProcesses) =>
    simulatedAdapter(
      acquirerKind,
      {
        record: acquirer,
        call: (name, act, mayBeLate) =>
          step(name, async () => {
            const delivery = await acquirerConnection.deliver(act, mayBeLate)
            return delivery.arrived ? delivery.answer : { outcome: 'unknown', why: delivery.why, isSilence: true }
          }),
        time,
        random: acquirerRandom,
        faultRate: messageFaultRate,
      },
      far,
      acquirerConnection.isSilent,
    )
  const servers = await startServers({
    count: worldOptions.servers,
    time,
    random: random.split(),
    idRandom,
    store,
    isRealTimeStore: worldOptions.isRealTimeStore,
    faultRate: messageFaultRate,
    crashesAtStep: worldOptions.crashesAtStep,
    gatewayOf,
    threeDS,
    log,
  })
  const browsers = browserConnection({
    time,
    random: networkRandom,
    faultRate: messageFaultRate / 4,
    maxDelayMs: MAX_LATE_REQUEST_MS,
    deliver: servers.deliver,
  })
  const { send } = browsers
  const sendAsMerchant: SendRequest = (options) =>
    send({ ...options, headers: { authorization: `Bearer ${API_KEYS.tea}` } })

  return {
    time,
    acquirerConnection,
    processes: servers.processes,
    get crashes() {
      return servers.crashes
    },
    serverNow: servers.now,
    setServerClock: servers.setClock,
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
      const readHomeAtEnd = readHome(store, time)
      void time
        .sleep(FIRST_DAY_SUMMED_AFTER_MS)
        .then(() => (servers.isClockRight() ? time.holdDuring(sumFirstDay(store, time.now())) : undefined))
      for (const runCheckout of checkouts) {
        void runCheckout().then(() => {
          running -= 1
          time.noteActivity()
        })
      }
      await time.run(() => running === 0)
      // The faults stop: everything under way arrives, the acquirer answers, the worker settles what is due.
      servers.stopFaults()
      browsers.stopFaults()
      acquirerConnection.stopFaults()
      threeDSConnection.stopFaults()
      const settledAt = time.now() + SETTLING_MS
      await time.run(() => time.now() >= settledAt)
      servers.end()
      return {
        sql: store,
        ordersAtAcquirer: acquirer.orders,
        messagesShown,
        alarms,
        holdWatch: servers.holdWatch,
        cardsLost: servers.hold?.lost ?? 0,
        cardsBack: servers.hold?.back ?? 0,
        excessRefunds: acquirer.excessRefunds,
        home: await readHomeAtEnd(),
      }
    },
  }
}
