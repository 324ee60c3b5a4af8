/** Fuzz run: episodes over several connections, until so many requests were sent; and what was wrong with the answers. */
import { setTimeout as wait } from 'node:timers/promises'
import { keptConnection, sendRaw, HANG_MS, type KeptConnection } from './connection.ts'
import { learn, stepsOf, type Step } from './episode.ts'
import { bytesOf, type FuzzSite, type KnownIds } from './fuzz-request.ts'
import { problemOfExchange } from './judge.ts'
import type { RawRequest } from './raw-requests.ts'

export interface FuzzOptions {
  readonly site: FuzzSite
  readonly requests: number
  readonly seed: number
  readonly firstEpisode?: number
  readonly connections: number
  readonly hangMs?: number
  /** How many connections are left to the server's own limits at the same time: each takes six or twelve seconds. */
  readonly heldMax: number
  /** Whether requests come more slowly when answers do, so that a busy machine does not make the server shed pages. */
  readonly givesWay: boolean
}

export interface FuzzReport {
  readonly requests: number
  readonly rawRequests: number
  readonly episodes: number
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>
  /** What was wrong, each with its seed, episode and step. */
  readonly problems: readonly string[]
}

/** The server sheds pages when its event loop is 150 ms late. */
const SLOW_MS = 75
const PAUSE_MAX_MS = 500

/** A run with so many problems has shown enough. */
const PROBLEMS_MAX = 20

const describeStep = (step: Step): string =>
  step.kind === 'request' ? `${step.request.method} ${step.request.target.slice(0, 200)}` : step.raw.what

/** One line that names the request and how to send it again. */
const problemLine = (seed: number, episode: number, place: number, step: Step, problem: string): string =>
  `seed ${seed}, episode ${episode}, step ${place}: ${describeStep(step)}: ${problem}`

export const runFuzz = async (options: FuzzOptions): Promise<FuzzReport> => {
  const { site, requests, seed, firstEpisode = 0, connections, heldMax, givesWay, hangMs = HANG_MS } = options
  const statuses = new Map<number, number>()
  const problems: string[] = []
  const held = new Set<Promise<void>>()
  let sent = 0
  let rawRequests = 0
  let nextEpisode = firstEpisode

  const count = (status: number): void => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const isOver = (): boolean => sent >= requests || problems.length >= PROBLEMS_MAX

  const sendOneRaw = async (step: Extract<Step, { kind: 'raw' }>, report: (problem: string) => void): Promise<void> => {
    rawRequests += 1
    const isHeld = step.raw.ending === 'hold' && held.size < heldMax
    const raw: RawRequest = step.raw.ending === 'hold' && !isHeld ? { ...step.raw, ending: 'cut' } : step.raw
    const exchange = sendRaw(site.port, raw, hangMs).then(({ outcome, statuses: answered }) => {
      answered.forEach(count)
      if (outcome !== 'over') report(outcome === 'hung' ? 'neither answered nor closed' : 'the server is gone')
      const failed = answered.find((status) => status >= 500)
      if (failed !== undefined) report(`answered ${failed}`)
    })
    if (!isHeld) return exchange
    held.add(exchange)
    void exchange.finally(() => held.delete(exchange))
    return undefined
  }

  const runEpisode = async (episode: number, connection: KeptConnection): Promise<void> => {
    const ids: KnownIds = {
      checkoutId: '',
      orderCode: '',
      ticket: '',
      refundId: '',
      linkId: '',
      webhookId: '',
      eventId: '',
    }
    let place = 0
    for (const step of stepsOf(site, seed, episode, ids)) {
      if (isOver()) return
      sent += 1
      const at = place
      place += 1
      const report = (problem: string): void => {
        problems.push(problemLine(seed, episode, at, step, problem))
      }
      if (step.kind === 'raw') await sendOneRaw(step, report)
      else {
        const began = performance.now()
        const exchange = await connection.send(bytesOf(step.request), step.request.method === 'HEAD')
        if (exchange.outcome === 'answered') {
          count(exchange.answer.status)
          learn(ids, exchange.answer)
        }
        const problem = problemOfExchange(exchange, step.request)
        if (problem !== undefined) report(problem)
        const tookMs = performance.now() - began
        if (givesWay && tookMs > SLOW_MS) await wait(Math.min(tookMs, PAUSE_MAX_MS))
      }
    }
  }

  const runEpisodes = async (): Promise<void> => {
    const connection = keptConnection(site.port, hangMs)
    while (!isOver()) {
      const episode = nextEpisode
      nextEpisode += 1
      await runEpisode(episode, connection)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, runEpisodes))
  await Promise.all(held)
  return { requests: sent, rawRequests, episodes: nextEpisode - firstEpisode, statuses, problems }
}
