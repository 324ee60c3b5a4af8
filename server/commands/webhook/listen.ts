/** Listen: pulls events and forwards them, signed, to a server that the world cannot reach. */
import type { Static } from 'typebox'
import { type EventAnswer, listEvents } from '#contract/merchant/events.ts'
import { readMerchantApi, type MerchantApi } from '../../config/merchant-api.ts'
import { systemClock } from '../../dependencies.ts'
import { createWebhookSecret, signedHeaders } from '../../webhooks/signature.ts'
import { mayBeDone, problemLine, type ApiProblem } from '../checkout/api-problem.ts'
import { callMerchantApi, type ApiResult } from '../checkout/call-merchant-api.ts'
import { isProblem, type Command, type CommandProblem } from '../command.ts'

/** What listening needs of the world. */
export interface ListenPorts {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** The status of the answer; null where there was none. */
  readonly forward: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<number | null>
  /** Asked before each look; a person ends it with Control-C. */
  readonly isOver: () => boolean
}

const POLL_MS = 1000
const FORWARD_TIMEOUT_MS = 15_000
const PAGE = '100'

/**
 * Derived of the key: the same at every start and on every machine, with no file to keep. Whoever reads the secret learns
 * nothing of the key. A new key has another secret.
 */
const secretOf = ({ key }: MerchantApi): string => createWebhookSecret(key)('listen', 1)

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** From the first failure on, doubled with each. */
const AGAIN_FIRST_MS = 1000
const AGAIN_MAX_MS = 30_000

type EventPage = ApiResult<Static<typeof listEvents.answer>>
type Reading<Found> =
  | { readonly ok: true; readonly found: Found }
  | { readonly ok: false; readonly problem: ApiProblem }

/** Whether it may be there again in a while; what nobody but the developer can mend ends the listening. */
const isAway = (problem: ApiProblem): boolean => {
  switch (problem.kind) {
    case 'not sent':
    case 'no answer':
      return true
    case 'unreadable':
      return problem.status >= 500
    case 'refused':
      return problem.code === 'too_many_requests' || mayBeDone(problem)
  }
}

/** The newest event that there is; null: there is none. */
const newestEvent = async (api: MerchantApi): Promise<Reading<string | null>> => {
  const page = await callMerchantApi(api, listEvents, { query: { limit: '1' } })
  return page.ok ? { ok: true, found: page.answer.items[0]?.id ?? null } : page
}

/** All events that were listed after this one, the oldest first. */
const eventsAfter = async (api: MerchantApi, newest: string | null): Promise<Reading<readonly EventAnswer[]>> => {
  const found: EventAnswer[] = []
  let after: string | null = null
  do {
    const query: Record<string, string> = {
      limit: PAGE,
      ...(newest === null ? {} : { newerThan: newest }),
      ...(after === null ? {} : { after }),
    }
    const page: EventPage = await callMerchantApi(api, listEvents, { query })
    if (!page.ok) return page
    found.push(...page.answer.items)
    after = page.answer.after
  } while (after !== null)
  return { ok: true, found: found.toReversed() }
}

/**
 * Asks until there is an answer, less and less often; that nobody answers is told once, and so is that somebody does again.
 * Null: it was ended.
 */
const createPatientReader = (
  { url }: MerchantApi,
  { sleep, isOver }: Pick<ListenPorts, 'sleep' | 'isOver'>,
  tell: (line: string) => void,
) => {
  return async <Found>(
    ask: () => Promise<Reading<Found>>,
  ): Promise<{ readonly found: Found } | CommandProblem | null> => {
    for (let waitMs = AGAIN_FIRST_MS; !isOver(); waitMs = Math.min(2 * waitMs, AGAIN_MAX_MS)) {
      const reading = await ask()
      const isFirst = waitMs === AGAIN_FIRST_MS
      if (reading.ok) {
        if (!isFirst) tell(`${url} answers again.`)
        return reading
      }
      const line = problemLine(reading.problem, url)
      if (!isAway(reading.problem)) return { problem: line }
      if (isFirst) tell(`${line} Trying again until it answers.`)
      await sleep(waitMs)
    }
    return null
  }
}

export const createListen = (ports: ListenPorts): Command => ({
  summary: 'pulls events and forwards them to a server of yours, behind any NAT, until it is stopped',
  places: [],
  options: {
    forward: { value: '<address>', help: 'where each event is sent to, with its signature', isRequired: true },
  },
  example: 'listen --forward http://localhost:8080/hook',
  run: async (given, env, { print, printError }) => {
    const { now, sleep, forward, isOver } = ports
    const address = given.text('forward')
    if (!isAddress(address)) return { problem: 'forward must be an address such as http://localhost:8080/hook.' }
    const api = readMerchantApi(env)
    if ('problem' in api) return api
    const readPatiently = createPatientReader(api, ports, printError)
    const begun = await readPatiently(() => newestEvent(api))
    if (begun === null) return 0
    if (isProblem(begun)) return begun
    let newest = begun.found
    const secret = secretOf(api)
    const says = [
      `secret: ${secret}`,
      `forwarding to ${address}`,
      `waiting for events of ${api.url}; the secret stays the same for this KAIKEI_KEY; Control-C ends`,
    ]
    for (const line of given.json ? [JSON.stringify({ secret, forward: address, url: api.url })] : says) print(line)
    const tell = async (event: EventAnswer): Promise<void> => {
      const body = JSON.stringify(event)
      const status = await forward(address, signedHeaders([secret], event.id, body, now()), body)
      const { id, type } = event
      print(given.json ? JSON.stringify({ id, type, status }) : `${type} ${id}: ${status ?? 'no answer'}`)
    }
    while (!isOver()) {
      const read = await readPatiently(() => eventsAfter(api, newest))
      if (read === null) return 0
      if (isProblem(read)) return read
      for (const event of read.found) {
        newest = event.id
        await tell(event)
      }
      await sleep(POLL_MS)
    }
    return 0
  },
})

const post: ListenPorts['forward'] = async (url, headers, body) => {
  try {
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS)
    const { status } = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal })
    return status
  } catch {
    return null
  }
}

export const listenCommand = createListen({
  now: systemClock.now,
  sleep: systemClock.sleep,
  forward: post,
  isOver: () => false,
})
