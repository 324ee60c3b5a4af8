import { AsyncResource } from 'node:async_hooks'
import type { InjectOptions } from 'fastify'
import { createApp } from '../app.ts'
import { createCardHold } from '../card-hold.ts'
import { hashKey } from '../merchant.ts'
import type { Parts } from '../parts.ts'
import { readMigrations, type Database } from '../store/database.ts'
import { saveKey, saveMerchant } from '../store/merchants.ts'
import { openSqlite } from '../store/sqlite.ts'
import { startWorker } from '../worker.ts'
import { simulatedAcquirer } from './acquirer.ts'
import { brokenPromises } from './checks.ts'
import { simulatedProcess, steppingGateway, steppingThreeDS } from './process.ts'
import { seededDice, seededId, type Dice } from './seeded.ts'
import { shop, type Reply, type Told } from './shopper.ts'
import { simulatedThreeDS } from './three-ds.ts'
import { virtualTime } from './virtual-time.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const START = Date.parse('2026-11-15T03:00:00Z')
const TIMEOUT_MS = 20 * SECOND
const MERCHANT_KEY = `sk_test_${'a'.repeat(32)}`

export interface Schedule {
  readonly seed: number
  readonly checkouts: number
  /** Dies at exactly this step; null: at random steps. */
  readonly crashAt: number | null
}

export interface Report {
  readonly seed: number
  readonly broken: readonly string[]
  readonly steps: number
  readonly crashes: number
  readonly charges: number
  readonly refunds: number
}

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

const settings = {
  setting: { colorCode: '#2f6b4f', fontType: 'sans-serif' as const },
  receipt: { shopName: 'Tea', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl: '' },
  allowExemption: true,
  requireFullAuthentication: false,
}

const openStore = async (): Promise<Database> => {
  const database = openSqlite(':memory:', null)
  await database.migrate(await readMigrations(), 0)
  const merchant = await saveMerchant(database, { id: 'tea', label: 'tea', settings }, 0)
  await saveKey(database, { hash: hashKey(MERCHANT_KEY), merchantId: merchant.id, mode: 'test' }, 0)
  return database
}

/** One world from a seed: the real server on the real store, everything outside of it simulated, faults and all. */
export const simulate = async ({ seed, checkouts, crashAt }: Schedule): Promise<Report> => {
  const dice = seededDice(seed)
  const time = virtualTime(START)
  const trouble = dice.oneOf([0, 0.05, 0.2, 0.5])
  const crashRate = crashAt === null ? dice.oneOf([0, 0.002, 0.01]) : 0
  const crashDice = dice.split()
  const ids = dice.split()
  const net = dice.split()
  const store = await openStore()
  const acquirer = simulatedAcquirer(time, dice.split(), TIMEOUT_MS, trouble)
  const threeDS = simulatedThreeDS(time, dice.split(), trouble / 2)
  const told: Told[] = []
  let crashes = 0
  let jump = 0
  let isCalm = false
  let { promise: cut, resolve: powerCut } = Promise.withResolvers<'nothing'>()

  const clock = {
    now: () => time.now() + jump,
    // After the storm the worker's rounds may be rarer: hours are passed through there.
    sleep: (ms: number) => process.step(() => time.sleep(isCalm ? Math.max(ms, MINUTE) : ms)),
  }
  let hold = createCardHold(clock)
  let worker: { stop(): Promise<void> } | undefined

  // Bound to the world outside: begun where the last process died, the next would think itself inside its transaction.
  const boot = AsyncResource.bind((): void => {
    hold = createCardHold(clock)
    worker = undefined
    void process.within(async () => {
      worker = startWorker(parts)
    })
  })
  const process = simulatedProcess(
    time,
    (step) => !isCalm && (step === crashAt || crashDice.chance(crashRate)),
    () => {
      crashes += 1
      powerCut('nothing')
      ;({ promise: cut, resolve: powerCut } = Promise.withResolvers<'nothing'>())
      queueMicrotask(boot)
    },
  )
  const parts: Parts = {
    database: process.database(store),
    gateway: steppingGateway(process, acquirer),
    threeDSServer: steppingThreeDS(process, threeDS),
    cardHold: {
      put: (...all) => hold.put(...all),
      find: (binding) => hold.find(binding),
      wipe: (code) => hold.wipe(code),
    },
    clock,
    random: { id: () => seededId(ids) },
    log: quiet,
    gatewayTimeoutMs: TIMEOUT_MS,
    publicBase: new URL('http://localhost:3000'),
  }
  const app = await createApp({
    parts,
    build: null,
    trustedProxies: [],
    footer: { aboutUrl: '/', privacyUrl: '/', badgeText: null },
    timeScale: 1,
    threeDS: { messageDomains: [], collectLimitMs: 1, challengeLimitMs: 1, challengeHelpMs: 1 },
    release: 'v0',
  })
  boot()

  const send = async (options: InjectOptions, line: Dice = net): Promise<Reply> => {
    const isBad = !isCalm && line.chance(trouble / 4)
    await time.sleep(line.between(0, 200))
    if (isBad && line.chance(0.5)) return 'nothing'
    const headers = { host: 'localhost:3000', merchant: 'tea', ...options.headers }
    const reply = await Promise.race([process.within(() => app.inject({ ...options, headers })), cut])
    time.stir()
    await time.sleep(line.between(0, 200))
    return isBad ? 'nothing' : reply
  }
  const asMerchant = (options: InjectOptions): Promise<Reply> =>
    send({ ...options, headers: { authorization: `Bearer ${MERCHANT_KEY}` } })

  const giveBack = async (checkoutId: string, mood: Dice): Promise<void> => {
    const amount = mood.chance(0.5) ? {} : { amount: mood.between(1, 1500) }
    const payload = { refundId: `r${mood.between(1, 3)}`, ...amount }
    await asMerchant({ method: 'POST', url: `/merchant/v1/checkouts/${checkoutId}/refunds`, payload })
  }

  const life = async (mood: Dice): Promise<void> => {
    await time.sleep(mood.between(0, 30 * SECOND))
    const validUntil = new Date(clock.now() + (mood.chance(0.3) ? mood.between(10, 90) * SECOND : HOUR)).toISOString()
    let checkoutId: string | undefined
    while (checkoutId === undefined) {
      const made = await asMerchant({
        method: 'POST',
        url: '/merchant/v1/checkouts',
        payload: { amount: 1980, validUntil },
      })
      if (made !== 'nothing' && made.statusCode === 400) return
      if (made !== 'nothing' && made.statusCode === 201) checkoutId = made.json<{ id: string }>().id
    }
    const id = checkoutId
    const tab = (): Promise<void> =>
      shop({ checkoutId: id, send, time, dice: mood.split(), tell: (word) => void told.push(word) })
    await Promise.all(mood.chance(0.3) ? [tab(), tab()] : [tab()])
    if (mood.chance(0.4)) {
      await time.sleep(mood.between(0, MINUTE))
      const again = mood.split()
      await Promise.all(mood.chance(0.5) ? [giveBack(id, mood), giveBack(id, again)] : [giveBack(id, mood)])
    }
  }

  if (dice.chance(0.1)) acquirer.fallSilentUntil(START + HOUR)
  if (dice.chance(0.1)) void time.sleep(dice.between(0, MINUTE)).then(() => (jump = dice.between(-HOUR, HOUR)))

  let living = checkouts
  for (let each = 0; each < checkouts; each += 1) {
    void life(dice.split()).then(() => {
      living -= 1
      time.stir()
    })
  }
  await time.run(() => living === 0)

  // The storm is over: everything that is on its way arrives, the acquirer answers, the worker does its rounds.
  isCalm = true
  acquirer.behave()
  threeDS.behave()
  if (worker === undefined) boot()
  const calmUntil = time.now() + 3 * HOUR
  await time.run(() => time.now() >= calmUntil)
  hold.sweep()
  const broken = await brokenPromises({
    sql: store,
    books: acquirer.books,
    told,
    cardsHeld: hold.size,
    overdrawn: acquirer.overdrawn,
  })
  const charged = [...acquirer.books.values()].filter(({ status }) => status === 'charged')
  await app.close()
  await store.close()
  return {
    seed,
    broken,
    steps: process.steps,
    crashes,
    charges: charged.length,
    refunds: charged.reduce((count, { refunds }) => count + refunds.size, 0),
  }
}
