/** Listen: pulls events and forwards them, signed, to a server that the world cannot reach. */
import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import type { EventAnswer } from '#contract/events.ts'
import { listEvents } from '#contract/webhook-calls.ts'
import { iso } from '#payment/merchant-view.ts'
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
/** An event is listed by the time at which it was written, and is there a moment later, when it is committed. */
const LOOK_BACK_MS = 60_000
const PAGE = '100'

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

interface EventPage {
  readonly answer: Static<typeof listEvents.answer>
}

/** All events since a time, the oldest first. */
const eventsSince = async (env: Environment, since: number): Promise<readonly EventAnswer[] | CommandProblem> => {
  const found: EventAnswer[] = []
  let after: string | null = null
  do {
    const query: Record<string, string> = { createdFrom: iso(since), limit: PAGE, ...(after === null ? {} : { after }) }
    const page: EventPage | CommandProblem = await answerOf(env, listEvents, { query })
    if (isProblem(page)) return page
    found.push(...page.answer.items)
    after = page.answer.after
  } while (after !== null)
  // Of one moment, those of a checkout in the order in which they happened.
  return found.toSorted((one, other) => {
    if (one.timestamp !== other.timestamp) return one.timestamp < other.timestamp ? -1 : 1
    return one.sequence - other.sequence
  })
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
    const secret = makeSecret()
    const began = now()
    /** When the list was last read: a computer that slept for an hour must not miss what happened meanwhile. */
    let readAt = began
    const seen = new Set<string>()
    print(given.json ? JSON.stringify({ secret }) : `secret: ${secret}`)
    const tell = async (event: EventAnswer): Promise<void> => {
      const body = JSON.stringify(event)
      const status = await forward(url, signedHeaders([secret], event.id, body, now()), body)
      const { id, type } = event
      print(given.json ? JSON.stringify({ id, type, status }) : `${type} ${id}: ${status ?? 'no answer'}`)
    }
    while (!isOver()) {
      const readsAt = now()
      const events = await eventsSince(env, Math.max(began, readAt - LOOK_BACK_MS))
      // A server that is away for a moment ends nothing, unless it was never there.
      if (isProblem(events) && seen.size === 0 && now() - began < POLL_MS) return events
      if (isProblem(events)) printError(events.problem)
      else {
        readAt = readsAt
        for (const event of events.filter(({ id }) => !seen.has(id))) {
          seen.add(event.id)
          await tell(event)
        }
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
