import { AsyncResource } from 'node:async_hooks'
import { createCardHold } from '../../server/operations/card-hold.ts'
import { withCircuitBreaker } from '../../server/gateways/circuit-breaker.ts'
import { errorsAsUnknown } from '../../server/gateways/errors-as-unknown.ts'
import type { Log } from '../../server/log.ts'
import type { Parts } from '../../server/parts.ts'
import type { Database } from '../../server/store/database.ts'
import { errorsAsUnavailable } from '../../server/three-ds/errors-as-unavailable.ts'
import { startWorker } from '../../server/background/worker.ts'
import { simulatedAcquirer } from './acquirer.ts'
import type { Evidence } from './evidence.ts'
import { browserLine } from './browser-line.ts'
import { badLine, type Line } from './line.ts'
import { simulatedProcess, steppingGateway, steppingThreeDS, type SimulatedProcess } from './process.ts'
import { seededId, type Dice } from '../harness/seeded.ts'
import { serveWorld } from './shared-app.ts'
import { isOk, isRefused, shop, type Habits, type Send, type Told } from './shopper.ts'
import { KEYS } from '../harness/shop.ts'
import { simulatedThreeDS } from './three-ds.ts'
import { virtualTime, type VirtualTime } from './virtual-time.ts'
import { watchedHold, type WatchedHold } from './watched-hold.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const START = Date.parse('2026-11-15T03:00:00Z')
const TIMEOUT_MS = 20 * SECOND
/** A request that the browser has given up may still arrive, this much later. */
const LATEST_REQUEST_MS = MINUTE
/** The longest pause between two inquiries is an hour; whatever is in doubt is asked about twice. */
const CALM_MS = 3 * HOUR
const CALM_ROUND_MS = 5 * MINUTE

export interface Weather {
  /** How often something goes wrong with a message. */
  readonly trouble: number
  /** Whether the process dies at this step. */
  readonly dies: (step: number) => boolean
  /** The store answers in real time; one in memory answers at once. */
  readonly isSlowStore: boolean
}

/** A simulated world: the real server on a real store, and everything outside of it from one seed, faults and all. */
export interface World {
  readonly time: VirtualTime
  readonly acquirerLine: Line
  readonly process: Pick<SimulatedProcess, 'steps' | 'passed' | 'diedAt'>
  readonly crashes: number
  /** The server's own clock, which may be set wrong. */
  serverNow(): number
  setServerClock(aheadMs: number): void
  send: Send
  asMerchant: Send
  /** An open checkout; null when its deadline had passed before it could be made. */
  create(validUntil: number): Promise<string | null>
  /** One tab of a shopper, from the open page to the last word it shows. */
  openTab(checkoutId: string, habits: Habits, dice: Dice): Promise<void>
  /** Runs these lives to their ends, then lets everything arrive, be answered and be attended to. */
  run(lives: readonly (() => Promise<void>)[]): Promise<Evidence>
}

/** What a process has in memory, and loses with its life. */
interface Memory extends WatchedHold {
  readonly gateway: Parts['gateway']
}

/** While the store works, no time of the world passes. */
const outOfTime = (store: Database, time: VirtualTime): Database => ({
  ...store,
  rows: (...statement) => time.during(store.rows(...statement)),
  transact: (work) => time.during(store.transact(work)),
})

export const openWorld = async (store: Database, dice: Dice, weather: Weather): Promise<World> => {
  const { trouble, dies, isSlowStore } = weather
  const time = virtualTime(START)
  const [ids, net] = [dice.split(), dice.split()]
  const acquirerLine = badLine(time, dice.split(), TIMEOUT_MS, trouble)
  const threeDSLine = badLine(time, dice.split(), TIMEOUT_MS / 2, trouble / 2)
  const acquirer = simulatedAcquirer(time, acquirerLine, dice.split(), trouble)
  const threeDS = simulatedThreeDS(time, threeDSLine, dice.split())
  const told: Told[] = []
  const alarms: string[] = []
  let [crashes, ahead, tabs] = [0, 0, 0]
  let isCalm = false
  let { promise: cut, resolve: powerCut } = Promise.withResolvers<'nothing'>()

  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    answered: () => undefined,
    error: (event, facts) => void alarms.push(`${event}: ${facts?.why ?? facts?.at?.[0] ?? ''}`),
    alarm: (event, { why }) => void alarms.push(`${event}: ${why}`),
  }
  const clock = {
    now: () => time.now() + ahead,
    // After the storm the worker's rounds may be rarer: hours are passed through there.
    sleep: (ms: number) => process.step('sleep', () => time.sleep(isCalm ? Math.max(ms, CALM_ROUND_MS) : ms)),
  }
  const process = simulatedProcess(
    time,
    (step) => !isCalm && dies(step),
    () => {
      crashes += 1
      powerCut('nothing')
      ;({ promise: cut, resolve: powerCut } = Promise.withResolvers<'nothing'>())
      queueMicrotask(boot)
    },
  )
  const memory = (): Memory => ({
    // By the time that really passes: the server's own clock may be set wrong.
    ...watchedHold(createCardHold(time.now)),
    gateway: errorsAsUnknown(withCircuitBreaker(steppingGateway(process, acquirer), time.now), log),
  })
  let held = memory()
  const parts: Parts = {
    database: process.database(isSlowStore ? outOfTime(store, time) : store),
    get gateway() {
      return held.gateway
    },
    threeDSServer: errorsAsUnavailable(steppingThreeDS(process, threeDS), log),
    get cardHold() {
      return held.hold
    },
    clock,
    random: { id: () => seededId(ids) },
    log,
    gatewayTimeoutMs: TIMEOUT_MS,
    publicBase: new URL('http://localhost:3000'),
  }
  // Bound to the world outside: begun where the last process died, the next would think itself inside its transaction.
  const boot = AsyncResource.bind((): void => {
    held = memory()
    void process.within(async () => void startWorker(parts))
  })
  const { app, end } = await serveWorld(parts)
  boot()

  /** The browser's request at the server. A process that dies answers nobody. */
  const arrive: Send = async (options) => {
    const headers = { host: 'localhost:3000', merchant: 'tea', ...options.headers }
    const reply = await Promise.race([process.within(() => app.inject({ ...options, headers })), cut])
    time.stir()
    return reply
  }
  const line = browserLine({ time, dice: net, trouble: trouble / 4, latestMs: LATEST_REQUEST_MS, arrive })
  const { send } = line
  const asMerchant: Send = (options) => send({ ...options, headers: { authorization: `Bearer ${KEYS.tea}` } })

  return {
    time,
    acquirerLine,
    process,
    get crashes() {
      return crashes
    },
    serverNow: clock.now,
    setServerClock: (aheadMs) => {
      ahead = aheadMs
    },
    send,
    asMerchant,
    create: async (validUntil) => {
      const payload = { amount: 1980, validUntil: new Date(validUntil).toISOString() }
      for (;;) {
        const made = await asMerchant({ method: 'POST', url: '/merchant/v1/checkouts', payload })
        if (isOk(made)) return made.json<{ id: string }>().id
        if (isRefused(made)) return null
      }
    },
    openTab: (checkoutId, habits, hand) => {
      tabs += 1
      const tab = tabs
      const say = (word: Told['word'], orderCode: string | null): void =>
        void told.push({ checkoutId, tab, at: time.now(), word, orderCode })
      return shop({ checkoutId, habits, send, time, dice: hand, say })
    },
    run: async (lives) => {
      let living = lives.length
      for (const life of lives) {
        void life().then(() => {
          living -= 1
          time.stir()
        })
      }
      await time.run(() => living === 0)
      // The storm is over: everything that is on its way arrives, the acquirer answers, the worker does its rounds.
      isCalm = true
      line.behave()
      acquirerLine.behave()
      threeDSLine.behave()
      const calmUntil = time.now() + CALM_MS
      await time.run(() => time.now() >= calmUntil)
      end()
      return {
        sql: store,
        books: acquirer.books,
        told,
        alarms,
        unwiped: held.unwiped,
        overdrawn: acquirer.overdrawn,
      }
    },
  }
}
