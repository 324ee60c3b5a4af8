/** Recorded calls: every call of the shoppers and of the merchant, when it was answered and how, and what was not to be. */
import { systemClock } from '../../server/dependencies.ts'
import { createApiClient, type ApiClient, type CallName } from '../crashes/api-client.ts'

export interface RecordedCall {
  readonly name: CallName
  readonly endedAt: number
  /** Null: no answer, such as while HAProxy is dead. */
  readonly status: number | null
  /** The name of the refusal, or empty. */
  readonly code: string
}

/** A time in which answers of 503 are expected; the name of the fault that began it. */
export interface Window {
  readonly fault: string
  readonly from: number
}

/** From a fault on, a call may be answered with 503 for this long. */
export const WINDOW_MS = 30_000

export interface RecordedClient extends ApiClient {
  readonly calls: readonly RecordedCall[]
}

const codeOf = ({ code }: Readonly<Record<string, unknown>>): string => (typeof code === 'string' ? code : '')

/** Another network for each call, as of many shoppers: those of one are limited when many of their attempts are not paid. */
const loopbackAddress = (call: number): string => `127.${1 + (call % 200)}.${1 + (Math.floor(call / 200) % 200)}.1`

/** Creates at most so many checkouts a second: a load that the machine carries beside all the processes. */
export const recordedClient = (port: number, key: string, creationsPerSecond: number): RecordedClient => {
  let sent = 0
  const client = createApiClient(port, key, () => loopbackAddress((sent += 1)))
  const calls: RecordedCall[] = []
  let nextAt = 0
  return {
    ...client,
    calls,
    send: async (call) => {
      if (call.name === 'create') {
        const now = systemClock.now()
        nextAt = Math.max(now, nextAt + 1000 / creationsPerSecond)
        await systemClock.sleep(nextAt - now)
      }
      const answer = await client.send(call)
      const [status, code] = answer === 'no response' ? [null, ''] : [answer.status, codeOf(answer.body)]
      calls.push({ name: call.name, endedAt: systemClock.now(), status, code })
      return answer
    },
  }
}

const isFailed = ({ status }: RecordedCall): boolean => status === null || status >= 500

const isInside = ({ endedAt }: RecordedCall, windows: readonly Window[]): boolean =>
  windows.some(({ from }) => endedAt >= from && endedAt <= from + WINDOW_MS)

/** A 500 is a fault of ours at any time; what else failed, and a card that was lost, belongs to the time after a fault. */
export const unexpectedAnswers = (calls: readonly RecordedCall[], windows: readonly Window[]): RecordedCall[] =>
  calls.filter(
    (call) => call.status === 500 || ((isFailed(call) || call.code === 'card_not_held') && !isInside(call, windows)),
  )

const WRITES: readonly CallName[] = ['create', 'start', 'pay']

/** What shoppers and merchants saw of a fault. */
export interface Outage {
  readonly fault: string
  /** The longest time without a write that succeeded. */
  readonly seconds: number
  readonly answers503: number
  readonly otherFailures: number
  readonly cardsNotHeld: number
}

const tenths = (ms: number): number => Math.round(ms / 100) / 10

/** Of the time from a fault to the next one, or to the end of its window. */
export const outagesOf = (calls: readonly RecordedCall[], windows: readonly Window[]): Outage[] =>
  windows.map(({ fault, from }, index) => {
    const to = Math.min(from + WINDOW_MS, windows[index + 1]?.from ?? Number.POSITIVE_INFINITY)
    const within = calls.filter(({ endedAt }) => endedAt >= from && endedAt < to)
    const written = within.filter((call) => !isFailed(call) && WRITES.includes(call.name)).map(({ endedAt }) => endedAt)
    const times = [from, ...written.toSorted((a, b) => a - b)]
    const longest = times.reduce((most, time, at) => Math.max(most, time - (times[at - 1] ?? time)), 0)
    const failed = within.filter(isFailed)
    return {
      fault,
      seconds: tenths(longest),
      answers503: failed.filter(({ status }) => status === 503).length,
      otherFailures: failed.filter(({ status }) => status !== 503).length,
      cardsNotHeld: within.filter(({ code }) => code === 'card_not_held').length,
    }
  })
