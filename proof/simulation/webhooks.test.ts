import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { WebhookAnswer } from '#payment/delivery.ts'
import { integer, text } from '../../server/store/database.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { WEBHOOK_PARTS } from '../harness/webhook-parts.ts'
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

/** As a proof: WEBHOOK_EVENTS=10000. */
const EVENTS = Number(process.env['WEBHOOK_EVENTS'] ?? 160)
const EVENTS_OF_CHECKOUT = 4

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
  assert.deepEqual(failures, [])
}

const runFor = async ({ time }: WebhookWorld, ms: number): Promise<void> => {
  const end = time.now() + ms
  await time.run(() => time.now() >= end)
}

/** The independent library reads the clock itself. */
const verifies = ({ at, request, endpoint }: WebhookWorld['received'][number]): boolean => {
  mock.timers.enable({ apis: ['Date'], now: at })
  try {
    new Webhook(WEBHOOK_PARTS.webhookSecret(endpointIdOf(endpoint), 1)).verify(request.body, { ...request.headers })
    return true
  } catch {
    return false
  } finally {
    mock.timers.reset()
  }
}

test(`${EVENTS} events reach every endpoint, whatever it does and whenever a process dies`, async (t) => {
  const random = seededRandom(16)
  const crashing = random.split()
  const world = await openWebhookWorld(await openSqliteInMemory(), random, BEHAVIOURS, () => crashing.chance(1 / 300))
  const { database, received, process: simulated } = world
  await writeAll(world, EVENTS / EVENTS_OF_CHECKOUT, 100)
  await runFor(world, 10 * 60 * SECOND_MS)
  world.settle()
  await runFor(world, 6 * DAY_MS)

  const events = await database.rows('SELECT id, checkout_id, sequence FROM events')
  assert.equal(events.length, EVENTS)
  for (const [checkoutId, rows] of Map.groupBy(events, (row) => text(row, 'checkout_id')))
    assert.deepEqual(
      rows.map((row) => integer(row, 'sequence')).toSorted((one, other) => one - other),
      [1, 2, 3, 4],
      checkoutId,
    )
  for (const name of Object.keys(BEHAVIOURS).filter((each) => each !== 'gone')) {
    const accepted = received.filter(({ endpoint, isAccepted }) => endpoint === name && isAccepted)
    assert.equal(new Set(accepted.map(({ id }) => id)).size, EVENTS, `${name} has missed some`)
    const left = await database.rows(
      `SELECT event_id FROM deliveries WHERE endpoint_id = $1 AND state <> 'delivered'`,
      endpointIdOf(name),
    )
    assert.deepEqual(left, [], name)
  }
  const [gone] = await database.rows('SELECT * FROM webhook_endpoints WHERE id = $1', endpointIdOf('gone'))
  assert.equal(gone?.['disabled_why'], 'gone')
  const late = received.filter(({ endpoint, at }) => endpoint === 'gone' && at > integer(gone ?? {}, 'disabled_at'))
  assert.deepEqual(late, [], 'sent after 410')
  assert.deepEqual(
    received.filter((each) => !verifies(each)),
    [],
    'not accepted by the independent library',
  )
  assert.ok(world.crashes >= EVENTS / 10, `${world.crashes} crashes`)
  for (const point of ['send', 'SELECT events', 'UPDATE deliveries', 'INSERT INTO deliveries, UPDATE events'])
    assert.ok(
      [...simulated.crashPointsHit].some((hit) => hit.includes(point)),
      `nobody died at ${point}: ${[...simulated.crashPointsHit].join('; ')}`,
    )
  t.diagnostic(
    `${received.length} tries, ${world.crashes} crashes at ${simulated.crashPointsHit.size} of ${simulated.crashPointsPassed.size} points`,
  )
})

const longestWait = async (others: Readonly<Record<string, Behaviour>>): Promise<number> => {
  const world = await openWebhookWorld(await openSqliteInMemory(), seededRandom(7), { ...others, healthy }, () => false)
  await writeAll(world, 30, SECOND_MS)
  await runFor(world, 60 * SECOND_MS)
  const own = world.received.filter(({ endpoint }) => endpoint === 'healthy')
  assert.equal(new Set(own.map(({ id }) => id)).size, 30 * EVENTS_OF_CHECKOUT)
  return Math.max(...own.map(({ at, createdAt }) => at - createdAt))
}

test('a healthy endpoint waits at most one second longer beside ten that hang', async (t) => {
  const alone = await longestWait({})
  const beside = await longestWait(
    Object.fromEntries(Array.from({ length: 10 }, (_none, n) => [`hanging${n}`, hanging])),
  )
  t.diagnostic(`alone ${alone} ms, beside ten that hang ${beside} ms`)
  assert.ok(beside <= alone + SECOND_MS, `${beside} ms instead of ${alone} ms`)
})
