/**
 * Fuzz proof: a million requests to the real server over real sockets, mutations of valid payments and broken bytes. Nothing
 * may answer 5xx, hang, crash, write an error line or keep memory, and a payment at the end must succeed.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { unreachedRoutes } from './log-lines.ts'
import { FUZZED_ROUTES } from './routes.ts'
import { runFuzz, type FuzzReport } from './run-fuzz.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { payOnce, startServerUnderFuzz, type SentTexts, type ServerUnderFuzz } from './server-under-fuzz.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import type { Memory } from '../programs/inspected-process.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'

const DEFAULT_REQUESTS = '1000000'
const REQUESTS_RANGE = { from: 100, to: 100_000_000 }
const EPISODES_RANGE = { from: 0, to: 999_999_999 }
/** More would fill each turn of the event loop with so many requests that the server sheds pages. */
const CONNECTIONS = 8
/** Connections that are left to the server's own limits at the same time. */
const HELD_MAX = 100
/** The run is made in so many parts; memory is compared after the first of them and after the last. */
const PARTS = 5
/** Refused connections linger for two seconds, and a payment may wait five for the bank. */
const SETTLE_MS = 8000

/**
 * How much more memory may be in use at the end than after the first part: 20 bytes for each request between. The smallest
 * thing that can be kept by mistake, an entry in a Map, takes more. Beside it, what comes and goes: cards held for fifteen
 * minutes, compiled code, statements, and the acquirer's idle connections.
 */
const GROWTH_PER_REQUEST = 20
const GROWTH_ALLOWANCE = 8 * 2 ** 20
const MEBIBYTE = 2 ** 20

export interface FuzzFindings {
  readonly seed: number
  readonly report: FuzzReport
  readonly seconds: number
  readonly errors: readonly string[]
  readonly isRunning: boolean
  readonly unreached: readonly string[]
  readonly payments: number
  readonly sent: SentTexts
  /** Undefined: the payment at the end succeeded. */
  readonly lastPayment: string | undefined
  /** After the first part, with the requests until then, and at the end. */
  readonly first: { readonly requests: number; readonly memory: Memory }
  readonly last: Memory
}

const inMebibytes = (bytes: number): number => Math.round((bytes / MEBIBYTE) * 10) / 10

/** So few requests cannot reach every route, and warm nothing up. */
const JUDGED_IN_FULL = 20_000

const problemsOf = (findings: FuzzFindings): string[] => {
  const { report, errors, isRunning, unreached, lastPayment, sent, first, last } = findings
  const growth = last.heapBytes - first.memory.heapBytes
  const allowed = GROWTH_ALLOWANCE + GROWTH_PER_REQUEST * (report.requests - first.requests)
  const isJudgedInFull = report.requests >= JUDGED_IN_FULL
  return [
    ...report.problems,
    ...sent.problems,
    ...(isJudgedInFull && (sent.webhooks === 0 || sent.mails === 0) ? ['no webhook or no mail was read'] : []),
    ...errors.map((line) => `an error line: ${line.slice(0, 500)}`),
    ...(isRunning ? [] : ['the server has ended']),
    ...(lastPayment === undefined ? [] : [`the payment at the end failed: ${lastPayment}`]),
    ...(isJudgedInFull ? unreached.map((route) => `hardly reached: ${route}`) : []),
    ...(growth > allowed ? [`${inMebibytes(growth)} MiB more in use, ${inMebibytes(allowed)} are allowed`] : []),
  ]
}

const answersFrom = (report: FuzzReport, from: number, to: number): number =>
  [...report.statuses].reduce((sum, [status, count]) => (status >= from && status < to ? sum + count : sum), 0)

/** Fails when anything is wrong; prints what, and how to send the same requests again. */
export const figuresOf = (findings: FuzzFindings): Figures => {
  const { seed, report, seconds, payments, sent, first, last } = findings
  const problems = problemsOf(findings)
  if (problems.length > 0) {
    for (const problem of problems) printProgress(problem)
    throw new CommandError(
      `${problems.length} problems, see above; the same requests again: npm run prove -- fuzz 200 ${seed} <episode>`,
    )
  }
  return {
    seed,
    requests: report.requests,
    ofThemRaw: report.rawRequests,
    episodes: report.episodes,
    connections: CONNECTIONS,
    requestsPerSecond: Math.round(report.requests / seconds),
    routes: Object.keys(FUZZED_ROUTES).length,
    answers2xx: answersFrom(report, 200, 300),
    answers3xx: answersFrom(report, 300, 400),
    answers4xx: answersFrom(report, 400, 500),
    answers5xx: 0,
    answersOfThePage500: answersFrom(report, 500, 600),
    payments,
    webhooksRead: sent.webhooks,
    mailsRead: sent.mails,
    hangs: 0,
    crashes: 0,
    errorLines: 0,
    heapMiBAfterAFifth: inMebibytes(first.memory.heapBytes),
    heapMiBAtTheEnd: inMebibytes(last.heapBytes),
    residentMiBAfterAFifth: inMebibytes(first.memory.residentBytes),
    residentMiBAtTheEnd: inMebibytes(last.residentBytes),
  }
}

export const addReports = (a: FuzzReport, b: FuzzReport): FuzzReport => {
  const statuses = new Map(a.statuses)
  for (const [status, count] of b.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
  return {
    requests: a.requests + b.requests,
    rawRequests: a.rawRequests + b.rawRequests,
    episodes: a.episodes + b.episodes,
    statuses,
    problems: [...a.problems, ...b.problems],
  }
}

const NOTHING_SENT: FuzzReport = { requests: 0, rawRequests: 0, episodes: 0, statuses: new Map(), problems: [] }

const run = async (
  server: ServerUnderFuzz,
  requests: number,
  seed: number,
  firstEpisode: number,
): Promise<FuzzFindings> => {
  let report = NOTHING_SENT
  let first: FuzzFindings['first'] | undefined
  let seconds = 0
  const settledMemory = async (): Promise<Memory> => {
    await wait(SETTLE_MS)
    return server.memory()
  }
  for (let part = 1; part <= PARTS && report.problems.length === 0 && server.isRunning(); part += 1) {
    const began = performance.now()
    const sent = await runFuzz({
      site: server.site,
      requests: Math.round((requests * part) / PARTS) - report.requests,
      seed,
      firstEpisode: firstEpisode + report.episodes,
      connections: CONNECTIONS,
      heldMax: HELD_MAX,
      givesWay: true,
    })
    seconds += (performance.now() - began) / 1000
    report = addReports(report, sent)
    printProgress(`${report.requests} requests in ${Math.round(seconds)} s, ${report.problems.length} problems`)
    if (part === 1 && server.isRunning()) first = { requests: report.requests, memory: await settledMemory() }
  }
  const lastPayment = await payOnce(server.site)
  const isRunning = server.isRunning()
  const sent = await server.sent()
  const last = isRunning ? await settledMemory() : { heapBytes: 0, residentBytes: 0 }
  const paid = 'PATCH /api/v1/checkouts/:checkoutId/3ds/:orderCode/pay 200'
  return {
    seed,
    report,
    seconds,
    errors: server.errors(),
    isRunning,
    unreached: unreachedRoutes(server.answers),
    payments: server.answers.get(paid) ?? 0,
    lastPayment,
    sent,
    first: first ?? { requests: report.requests, memory: last },
    last,
  }
}

export const parameters = '[requests] [seed] [first episode]'

export const measure = async ([
  givenRequests = DEFAULT_REQUESTS,
  givenSeed = '1',
  givenEpisode = '0',
]: readonly string[]): Promise<Figures> => {
  const requests = wholeNumber('the number of requests', givenRequests, REQUESTS_RANGE)
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  const firstEpisode = wholeNumber('the first episode', givenEpisode, EPISODES_RANGE)
  await ensureBuilt()
  const server = await startServerUnderFuzz()
  try {
    return figuresOf(await run(server, requests, seed, firstEpisode))
  } finally {
    await server.stop()
  }
}
