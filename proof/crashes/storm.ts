import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../server/parts.ts'
import { seededDice, type Dice } from '../harness/seeded.ts'
import type { Database } from '../../server/store/database.ts'
import { openPostgres } from '../../server/store/postgres.ts'
import { openEmbedded } from '../../server/store/sqlite.ts'
import { startAcquirer } from '../harness/acquirer-process.ts'
import { createDatabase, type Engine } from '../harness/databases.ts'
import { freePort } from '../harness/server-process.ts'
import { countUnsettled, faultsOfFile, lookBack, type Aftermath } from './aftermath.ts'
import type { Finding } from './audit.ts'
import { gather } from './crowd.ts'
import { openLine, type CallName, type Line } from './line.ts'
import { killedProcess, type KilledProcess } from './program.ts'

export interface Storm {
  readonly engine: Engine['name']
  /** Decides who pays how and when the kills strike. What a kill finds under way is up to the machine. */
  readonly seed: number
  readonly kills: number
  /** How long after the last kill everything may take to be settled. */
  readonly patienceMs: number
}

export interface Damage extends Aftermath {
  readonly kills: { readonly server: number; readonly worker: number; readonly both: number }
  /** Calls that were under way when the server died, and were never answered. */
  readonly cutOff: Readonly<Record<CallName, number>>
}

const SHOPPERS = 8
const AIMED_AT = ['pay', 'pay', 'pay', 'pay', 'create', 'start', 'authenticate', 'refund', 'refund'] as const
const MOST_BEFORE = 6
const MOMENT_MS = 60
/** A machine on which the wanted call takes longer than this is killed at whatever it is at. */
const AIM_MS = 10_000
const LOOK_AGAIN_MS = 100
/** Short, so that silence is soon a doubt; the lease of a charge is fifteen seconds longer. */
const GATEWAY_TIMEOUT_MS = 2000
const KEY = `sk_test_${'k'.repeat(32)}`

interface Place {
  readonly env: Readonly<Record<string, string>>
  open(): Promise<Database>
  leave(): Promise<void>
}

const findPlace = async (engine: Engine['name']): Promise<Place> => {
  const shared = engine === 'PostgreSQL' ? await createDatabase() : null
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-crashes-'))
  return {
    env: { DATA_DIR: folder, ...(shared === null ? {} : { DATABASE_URL: shared.url }) },
    open: () => (shared === null ? openEmbedded(folder) : openPostgres(shared.url)),
    leave: async () => {
      await shared?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Victim = keyof Damage['kills']
const VICTIMS: Record<Engine['name'], readonly [Victim, ...Victim[]]> = {
  SQLite: ['server'],
  PostgreSQL: ['server', 'server', 'both', 'both', 'worker'],
}

interface Struck {
  readonly kills: Record<Victim, number>
  readonly cutOff: Record<CallName, number>
}

/** Waits for a moment of the dice in the middle of payments: soon after the first, second or later call of a kind. */
const awaitMoment = async (line: Line, dice: Dice): Promise<void> => {
  const sent = line.sent(dice.oneOf(AIMED_AT), dice.between(1, MOST_BEFORE))
  const moment = dice.between(0, MOMENT_MS)
  await Promise.race([sent, systemClock.sleep(AIM_MS)])
  await systemClock.sleep(moment)
}

/** Kills with payments under way and starts again what it killed, at the same place. */
const strike = async (
  { server, worker }: { readonly server: KilledProcess; readonly worker: KilledProcess },
  victim: Victim,
  line: Line,
  { kills, cutOff }: Struck,
): Promise<void> => {
  const dying = victim === 'both' ? [server, worker] : [victim === 'server' ? server : worker]
  const underWay = victim === 'worker' ? [] : line.underWay()
  kills[victim] += 1
  await Promise.all(dying.map((each) => each.kill()))
  for (const { name, reply } of underWay) cutOff[name] += (await reply) === 'nothing' ? 1 : 0
  await Promise.all(dying.map((each) => each.start()))
}

const waitUntilSettled = async (place: Place, isOver: () => boolean): Promise<void> => {
  const beside = await place.open()
  while ((await countUnsettled(beside)) > 0 && !isOver()) await systemClock.sleep(LOOK_AGAIN_MS)
  await beside.close()
}

/** Real processes on a real database, killed in the middle of payments; then what was said is held against the books. */
export const rage = async ({ engine, seed, kills, patienceMs }: Storm): Promise<Damage> => {
  const dice = seededDice(seed)
  const place = await findPlace(engine)
  const acquirer = await startAcquirer()
  const port = String(await freePort())
  const env = {
    ...place.env,
    PORT: port,
    SANDBOX_PORT: new URL(acquirer.origin).port,
    SANDBOX_TIME_SCALE: '0.1',
    GATEWAY_TIMEOUT_MS: String(GATEWAY_TIMEOUT_MS),
    DEMO_MERCHANT_KEY: KEY,
    LOG_LEVEL: 'error',
  }
  const server = killedProcess(env)
  const worker = killedProcess({ ...env, WORKER_ONLY: '1' })
  const everybody = engine === 'SQLite' ? [server] : [server, worker]
  const line = openLine(`http://127.0.0.1:${port}`, KEY)
  const struck: Struck = {
    kills: { server: 0, worker: 0, both: 0 },
    cutOff: { create: 0, read: 0, start: 0, authenticate: 0, pay: 0, cancel: 0, refund: 0 },
  }
  let deadline = Number.POSITIVE_INFINITY
  const isOver = (): boolean => systemClock.now() > deadline

  try {
    await Promise.all(everybody.map((each) => each.start()))
    const crowd = gather({ size: SHOPPERS, line, dice: dice.split(), sleep: systemClock.sleep, isOver })
    for (let kill = 0; kill < kills; kill += 1) {
      await awaitMoment(line, dice)
      await strike({ server, worker }, dice.oneOf(VICTIMS[engine]), line, struck)
    }
    deadline = systemClock.now() + patienceMs
    await crowd.disperse()
    await waitUntilSettled(place, isOver)
    // The last end is a kill as well: only what is on the disk is looked at.
    await Promise.all(everybody.map((each) => each.kill()))

    const store = await place.open()
    const aftermath = await lookBack(store, acquirer, crowd.acknowledged)
    const faults = engine === 'SQLite' ? await faultsOfFile(store) : []
    await store.close()
    const complaints = [...crowd.astray, ...everybody.flatMap((each) => each.complaints())]
    return {
      ...struck,
      ...aftermath,
      findings: [
        ...aftermath.findings,
        ...faults.map((fault): Finding => ({ kind: 'lost', line: `the database file: ${fault}` })),
        ...complaints.map((complaint): Finding => ({ kind: 'untrue', line: complaint })),
      ],
    }
  } finally {
    deadline = 0
    await Promise.allSettled(everybody.map((each) => each.kill()))
    await acquirer.stop()
    await place.leave()
  }
}
