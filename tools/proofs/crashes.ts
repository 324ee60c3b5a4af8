import { fileURLToPath } from 'node:url'
import { runKept } from '../leashed.mjs'
import { ensureBuilt } from '../page-build.ts'
import { startPostgres } from '../postgres.ts'
import type { Figures } from '../prove.ts'
import { isRecord, Refusal, say } from '../say.mjs'
import { root } from '../setup.mjs'

const MAIN = fileURLToPath(new URL('../../server/crashes/main.ts', import.meta.url))
const USUAL_KILLS = 200
const MOST_KILLS = 10_000

type Engine = 'SQLite' | 'PostgreSQL'

const numberIn = (record: unknown, name: string): number => {
  const value = isRecord(record) ? record[name] : undefined
  if (typeof value !== 'number') throw new Refusal(`the report of the kills has no number ${name}`)
  return value
}

/** Kills real processes on one engine and answers their report; a broken promise fails it and names how to run it again. */
const killOn = async (engine: Engine, kills: string, seed: string, env: NodeJS.ProcessEnv) => {
  const args = [MAIN, '--engine', engine, '--kills', kills, '--seed', seed]
  const { code, output } = await runKept(process.execPath, args, { cwd: root, env })
  say(output.trim())
  if (code !== 0) {
    const again = `node server/crashes/main.ts --engine ${engine} --kills ${kills} --seed ${seed}`
    throw new Refusal(`${engine}: a promise was broken, see above; no two runs are quite the same, but try: ${again}`)
  }
  const report: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? 'null')
  return isRecord(report) ? report : {}
}

/** Kills the server, and on PostgreSQL the worker too, in the middle of payments; what was said is held against the books. */
export const prove = async ([given = String(USUAL_KILLS), seed = '1']: string[]): Promise<Figures> => {
  const kills = Number(given)
  if (!Number.isInteger(kills) || kills < 1 || kills > MOST_KILLS) {
    throw new Refusal(
      `crashes kills 1 to ${MOST_KILLS} times on each database, not ${given}: npm run prove -- crashes 200`,
    )
  }
  if (!/^\d{1,9}$/.test(seed))
    throw new Refusal(`the seed is ${seed}: give a whole number, as in npm run prove -- crashes 200 7`)
  await ensureBuilt()
  const embedded = await killOn('SQLite', given, seed, process.env)
  const postgres = await startPostgres(process.env)
  try {
    const shared = await killOn('PostgreSQL', given, seed, { ...process.env, TEST_DATABASE_URL: postgres.url })
    const both = (name: string): number => numberIn(embedded, name) + numberIn(shared, name)
    const cutOff = (name: string): number => numberIn(embedded['cutOff'], name) + numberIn(shared['cutOff'], name)
    const [ofServer = 0, ofWorker = 0, ofBoth = 0] = ['server', 'worker', 'both'].map((victim) =>
      numberIn(shared['kills'], victim),
    )
    return {
      seed: Number(seed),
      killsOnSqlite: numberIn(embedded['kills'], 'server'),
      killsOnPostgres: ofServer + ofWorker + ofBoth,
      ofThemServerAlone: ofServer,
      ofThemWorkerAlone: ofWorker,
      ofThemBoth: ofBoth,
      paymentsCutOff: cutOff('pay'),
      refundsCutOff: cutOff('refund'),
      checkouts: both('checkouts'),
      acknowledgedWrites: both('acknowledged'),
      acknowledgedPayments: both('acknowledgedPayments'),
      chargesAtTheAcquirer: both('charges'),
      refundsAtTheAcquirer: both('refunds'),
      doubtsSeen: both('doubts'),
      lost: both('lost'),
      doubleCharges: both('doubleCharges'),
      unsettled: both('unsettled'),
    }
  } finally {
    await postgres.stop()
  }
}
