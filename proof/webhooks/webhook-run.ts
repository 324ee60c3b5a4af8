/** Webhook run: so many events to endpoints that misbehave, while processes die; what it counted, and what broke. */
import { mock } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { integer, text } from '../../server/store/engine/columns.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { WEBHOOK_PARTS } from '../harness/webhook-parts.ts'
import type { CrashPoint } from '../simulation/process.ts'
import { endpointIdOf, openWebhookWorld, type Behaviour, type WebhookWorld } from './webhook-world.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const answered = (status: number, retryAfter: string | null = null): WebhookAnswer => ({
  outcome: 'answered',
  status,
  retryAfter,
  body: '',
})
const OK = answered(200)
const SILENT: WebhookAnswer = { outcome: 'unreachable', why: 'no answer within 15 s' }
const GONE_AFTER = 50

const healthy: Behaviour = () => ({ afterMs: 50, answer: OK })
const hanging: Behaviour = () => ({ afterMs: 15 * SECOND_MS, answer: SILENT })

/** How the endpoints of a run behave. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  healthy,
  down: ({ sinceStartMs }) => ({ afterMs: 1, answer: sinceStartMs < 20 * HOUR_MS ? SILENT : OK }),
  slow: () => ({ afterMs: 2 * SECOND_MS, answer: OK }),
  flaky: ({ random, sinceStartMs }) => ({
    afterMs: 100,
    answer: sinceStartMs < DAY_MS && random.chance(0.5) ? answered(500) : OK,
  }),
  redirecting: ({ sinceStartMs }) => ({ afterMs: 20, answer: sinceStartMs < 3 * HOUR_MS ? answered(302) : OK }),
  gone: ({ received }) => ({ afterMs: 50, answer: received < GONE_AFTER ? OK : answered(410) }),
  limited: ({ random, sinceStartMs }) => ({
    afterMs: 10,
    answer: sinceStartMs < DAY_MS && random.chance(0.6) ? answered(429, '60') : OK,
  }),
  hangingForADay: ({ sinceStartMs }) =>
    sinceStartMs < DAY_MS ? { afterMs: 15 * SECOND_MS, answer: SILENT } : { afterMs: 10, answer: OK },
}

const EVENTS_OF_CHECKOUT = 4
const CRASH_CHANCE = 1 / 400
/** At the first passing: some moments, such as the notice of a 410, are come past once or twice only. */
const DIES_AT_PASSING = 1

const writeAll = async (world: WebhookWorld, checkouts: number, everyMs: number): Promise<void> => {
  let written = 0
  const failures: unknown[] = []
  for (let each = 0; each < checkouts; each += 1)
    void (async () => {
      await world.time.sleep(each * everyMs)
      await world.writeEvents()
      written += 1
      world.time.noteActivity()
    })().catch((error: unknown) => failures.push(error))
  // Without the failures a run whose events cannot be written would never end.
  await world.time.run(() => written === checkouts || failures.length > 0)
  const [failure] = failures
  if (failure !== undefined) throw failure
}

const runFor = async ({ time }: WebhookWorld, ms: number): Promise<void> => {
  const end = time.now() + ms
  await time.run(() => time.now() >= end)
}

/** The independent library reads the clock itself. */
const verifies = ({ at, request, endpoint }: WebhookWorld['received'][number]): boolean => {
  mock.timers.setTime(at)
  try {
    new Webhook(WEBHOOK_PARTS.webhookSecret(endpointIdOf(endpoint), 1)).verify(request.body, { ...request.headers })
    return true
  } catch {
    return false
  }
}

const unverified = (received: WebhookWorld['received']): number => {
  mock.timers.enable({ apis: ['Date'] })
  try {
    // Its time can only go forward.
    return received.toSorted((one, other) => one.at - other.at).filter((each) => !verifies(each)).length
  } finally {
    mock.timers.reset()
  }
}

/** At random, and at every moment that a process comes past often enough. */
const dyingEverywhere = (random: { chance(of: number): boolean }): ((point: CrashPoint) => boolean) => {
  const passed = new Map<CrashPoint, number>()
  return (point) => {
    const times = (passed.get(point) ?? 0) + 1
    passed.set(point, times)
    return times === DIES_AT_PASSING || random.chance(CRASH_CHANCE)
  }
}

const sequenceProblems = async (database: Database, events: number): Promise<string[]> => {
  const rows = await database.rows('SELECT checkout_id, sequence FROM events')
  const ofCheckouts = [...Map.groupBy(rows, (row) => text(row, 'checkout_id')).values()]
  const broken = ofCheckouts
    .map((ofOne) => ofOne.map((row) => integer(row, 'sequence')).toSorted((one, other) => one - other))
    .filter((sequences) => sequences.length !== EVENTS_OF_CHECKOUT || sequences.some((each, at) => each !== at + 1))
  return [
    ...(rows.length === events ? [] : [`${rows.length} of ${events} events were written`]),
    ...broken.map((sequences) => `a checkout has the sequences ${sequences.join()}`),
  ]
}

const deliveryProblems = async (world: WebhookWorld, name: string, events: number): Promise<string[]> => {
  const { database, received } = world
  const accepted = received.filter(({ endpoint, isAccepted }) => endpoint === name && isAccepted)
  const missed = events - new Set(accepted.map(({ id }) => id)).size
  const left = await database.rows(
    `SELECT event_id FROM deliveries WHERE endpoint_id = $1 AND state <> 'delivered'`,
    endpointIdOf(name),
  )
  return [
    ...(missed === 0 ? [] : [`${name} has missed ${missed} events`]),
    ...(left.length === 0 ? [] : [`${name} has ${left.length} deliveries that are not delivered`]),
  ]
}

const goneProblems = async ({ database, received }: WebhookWorld): Promise<string[]> => {
  const [gone = {}] = await database.rows('SELECT * FROM webhook_endpoints WHERE id = $1', endpointIdOf('gone'))
  if (gone['disabled_why'] !== 'gone') return ['the endpoint that answered 410 is not disabled']
  const disabledAt = integer(gone, 'disabled_at')
  const late = received.filter(({ endpoint, at }) => endpoint === 'gone' && at > disabledAt)
  return late.length === 0 ? [] : [`${late.length} were sent after 410`]
}

export const runWebhooks = async (database: Database, events: number, seed: number) => {
  const random = seededRandom(seed)
  const world = await openWebhookWorld(database, random, BEHAVIOURS, dyingEverywhere(random.split()))
  await writeAll(world, events / EVENTS_OF_CHECKOUT, 100)
  await runFor(world, 10 * 60 * SECOND_MS)
  world.settle()
  await runFor(world, 6 * DAY_MS)
  const { received, crashes, processes: simulated } = world
  const deliveries = await Promise.all(
    Object.keys(BEHAVIOURS)
      .filter((name) => name !== 'gone')
      .map((name) => deliveryProblems(world, name, events)),
  )
  const notAccepted = unverified(received)
  return {
    events,
    tries: received.length,
    crashes,
    moments: simulated.crashPointsPassed.size,
    momentsOfDeath: simulated.crashPointsHit.size,
    crashPointsHit: [...simulated.crashPointsHit],
    problems: [
      ...(await sequenceProblems(database, events)),
      ...deliveries.flat(),
      ...(await goneProblems(world)),
      ...(notAccepted === 0 ? [] : [`${notAccepted} were not accepted by the independent library`]),
    ],
  }
}

const longestWait = async (database: Database, others: Readonly<Record<string, Behaviour>>): Promise<number> => {
  const world = await openWebhookWorld(database, seededRandom(7), { ...others, healthy }, () => false)
  await writeAll(world, 30, SECOND_MS)
  await runFor(world, 60 * SECOND_MS)
  const own = world.received.filter(({ endpoint }) => endpoint === 'healthy')
  if (new Set(own.map(({ id }) => id)).size !== 30 * EVENTS_OF_CHECKOUT) throw new Error('the healthy one missed some')
  return Math.max(...own.map(({ at, createdAt }) => at - createdAt))
}

/** How long an event waits at most for a healthy endpoint, alone and beside ten that hang, in virtual milliseconds. */
export const measureWaits = async (open: () => Promise<Database>): Promise<{ alone: number; besideTen: number }> => ({
  alone: await longestWait(await open(), {}),
  besideTen: await longestWait(
    await open(),
    Object.fromEntries(Array.from({ length: 10 }, (_none, n) => [`hanging${n}`, hanging])),
  ),
})
