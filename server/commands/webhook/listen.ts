/** Listen: pulls events and forwards them, signed, to a server that the world cannot reach. */
import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import type { EventAnswer } from '#contract/events.ts'
import { listEvents } from '#contract/webhook-calls.ts'
import type { Environment } from '../../config/readers.ts'
import { systemClock } from '../../parts.ts'
import { createWebhookSecret, signedHeaders } from '../../webhooks/signature.ts'
import { answerOf } from '../checkout/checkouts.ts'
import { isProblem, type Command, type CommandProblem } from '../command.ts'

/** What listening needs of the world. */
export interface ListenPorts {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly makeSecret: () => string
  /** The status of the answer; null where there was none. */
  readonly forward: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<number | null>
  /** Asked before each look; a person ends it with Control-C. */
  readonly isOver: () => boolean
}

const POLL_MS = 1000
const FORWARD_TIMEOUT_MS = 15_000
const PAGE = '100'

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

interface EventPage {
  readonly answer: Static<typeof listEvents.answer>
}

/** The newest event that there is; null: there is none. */
const newestEvent = async (env: Environment): Promise<{ readonly newest: string | null } | CommandProblem> => {
  const page = await answerOf(env, listEvents, { query: { limit: '1' } })
  return isProblem(page) ? page : { newest: page.answer.items[0]?.id ?? null }
}

/** All events that were listed after this one, the oldest first. */
const eventsAfter = async (
  env: Environment,
  newest: string | null,
): Promise<readonly EventAnswer[] | CommandProblem> => {
  const found: EventAnswer[] = []
  let after: string | null = null
  do {
    const query: Record<string, string> = {
      limit: PAGE,
      ...(newest === null ? {} : { newerThan: newest }),
      ...(after === null ? {} : { after }),
    }
    const page: EventPage | CommandProblem = await answerOf(env, listEvents, { query })
    if (isProblem(page)) return page
    found.push(...page.answer.items)
    after = page.answer.after
  } while (after !== null)
  return found.toReversed()
}

export const createListen = ({ now, sleep, makeSecret, forward, isOver }: ListenPorts): Command => ({
  summary: 'pulls events and forwards them to a server of yours, behind any NAT, until it is stopped',
  places: [],
  options: {
    forward: { value: '<address>', help: 'where each event is sent to, with its signature', isRequired: true },
  },
  example: 'listen --forward http://localhost:8080/hook',
  run: async (given, env, { print, printError }) => {
    const url = given.text('forward')
    if (!isAddress(url)) return { problem: 'forward must be an address such as http://localhost:8080/hook.' }
    // A server that is not there at the beginning is told; one that is away for a moment later ends nothing.
    const begun = await newestEvent(env)
    if (isProblem(begun)) return begun
    let { newest } = begun
    const secret = makeSecret()
    print(given.json ? JSON.stringify({ secret }) : `secret: ${secret}`)
    const tell = async (event: EventAnswer): Promise<void> => {
      const body = JSON.stringify(event)
      const status = await forward(url, signedHeaders([secret], event.id, body, now()), body)
      const { id, type } = event
      print(given.json ? JSON.stringify({ id, type, status }) : `${type} ${id}: ${status ?? 'no answer'}`)
    }
    while (!isOver()) {
      const events = await eventsAfter(env, newest)
      if (isProblem(events)) printError(events.problem)
      else
        for (const event of events) {
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
  makeSecret: () => createWebhookSecret(randomBytes(32).toString('hex'))('listen', 1),
  forward: post,
  isOver: () => false,
})
