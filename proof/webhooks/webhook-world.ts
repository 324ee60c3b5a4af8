/** Webhook world: the real workers in virtual time, with endpoints that misbehave and a process that dies. */
import { AsyncResource } from 'node:async_hooks'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import type { Refund } from '#payment/refund.ts'
import { startWebhookWorker } from '../../server/background/webhooks/webhook-worker.ts'
import type { Dependencies } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import {
  createCheckout,
  lockCheckout,
  saveTransitions,
  type Transitions,
} from '../../server/store/checkout/transitions.ts'
import { endpointWrite } from '../../server/store/merchant/webhook-endpoints.ts'
import type { WebhookRequest } from '../../server/webhooks/send-webhook.ts'
import { freshCheckout } from '../harness/fresh-records.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { seededId, type SeededRandom } from '../harness/seeded-random.ts'
import { openTestServer } from '../harness/test-server.ts'
import { simulatedProcesses, type CrashPoint } from '../simulation/process.ts'
import { virtualTime, withTimeHeld } from '../simulation/virtual-time.ts'

interface ReceivedEvent {
  readonly endpoint: string
  readonly at: number
  readonly id: string
  readonly checkoutId: string
  readonly createdAt: number
  readonly isAccepted: boolean
  readonly request: WebhookRequest
}

/** How an endpoint answers: after how long, and what. */
export type Behaviour = (at: {
  readonly sinceStartMs: number
  readonly received: number
  readonly random: SeededRandom
}) => {
  readonly afterMs: number
  readonly answer: WebhookAnswer
}

const START = Date.parse('2026-11-15T03:00:00Z')
const SETTLED_POLL_MS = 300_000
const AMOUNT_YEN = 1000

const body = Compile(
  Type.Object({
    id: Type.String(),
    timestamp: Type.String(),
    data: Type.Object({ checkout: Type.Object({ id: Type.String() }) }),
  }),
)

export const endpointIdOf = (name: string): string => `we_${name}`

export const openWebhookWorld = async (
  real: Database,
  random: SeededRandom,
  behaviours: Readonly<Record<string, Behaviour>>,
  crashesAt: (point: CrashPoint) => boolean,
) => {
  const time = virtualTime(START)
  const store = withTimeHeld(real, time)
  const [ids, answers] = [random.split(), random.split()]
  const received: ReceivedEvent[] = []
  const counts = new Map<string, number>()
  let [crashes, isSettling] = [0, false]
  let { promise: crashed, resolve: announceCrash } = Promise.withResolvers<'crashed'>()
  const processes = simulatedProcesses(
    time,
    (_step, point) => !isSettling && crashesAt(point),
    () => {
      crashes += 1
      announceCrash('crashed')
      ;({ promise: crashed, resolve: announceCrash } = Promise.withResolvers<'crashed'>())
      queueMicrotask(boot)
    },
  )
  const deliver = async (name: string, request: WebhookRequest): Promise<WebhookAnswer> => {
    const told: unknown = JSON.parse(request.body)
    if (!body.Check(told)) throw new Error(request.body)
    const behaviour = behaviours[name]
    if (behaviour === undefined) throw new Error(`nobody is called ${name}`)
    const at = time.now()
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    const { afterMs, answer } = behaviour({ sinceStartMs: at - START, received: count, random: answers })
    received.push({
      endpoint: name,
      at,
      id: told.id,
      checkoutId: told.data.checkout.id,
      createdAt: Date.parse(told.timestamp),
      isAccepted: answer.outcome === 'answered' && answer.status === 200,
      request,
    })
    await time.sleep(afterMs)
    return answer
  }
  const server = await openTestServer({ database: store, gateway: fakeGateway() })
  const deps: Dependencies = {
    ...server.deps,
    database: processes.database(store),
    clock: {
      now: time.now,
      sleep: (ms) => processes.step('sleep', () => time.sleep(isSettling ? Math.max(ms, SETTLED_POLL_MS) : ms)),
    },
    elapsed: time.now,
    random: { id: () => seededId(ids) },
    sendWebhook: (request) => processes.step('send', () => deliver(new URL(request.url).pathname.slice(1), request)),
  }
  for (const name of Object.keys(behaviours))
    await store.writeAll(
      endpointWrite({
        merchantId: 'tea-id',
        id: endpointIdOf(name),
        mode: 'test',
        url: `https://shop.example.com/${name}`,
        types: null,
        generation: 1,
        previousUntil: null,
        createdAt: START,
        disabled: null,
        failingSince: null,
      }),
    )
  const boot = AsyncResource.bind((): void => {
    void processes.runInProcess(0, async () => void startWebhookWorker(deps))
  })
  boot()

  const transition = (checkoutId: string, next: (now: number) => Transitions): Promise<unknown> =>
    deps.database.transact(async (sql) => {
      const locked = await lockCheckout(sql, { merchantId: 'tea-id', checkoutId })
      if (locked === null) throw new Error('the checkout is gone')
      const now = time.now()
      return saveTransitions(sql, locked, next(now), { actor: 'inquiry', why: 'told', now }, 'http://tea.localhost')
    })
  /** Whether a process lived long enough to hear of it; what it stored is looked at by the caller. */
  const inProcess = (work: () => Promise<unknown>): Promise<unknown> =>
    Promise.race([processes.runInProcess(0, work), crashed])

  return {
    time,
    processes,
    database: store,
    get crashes(): number {
      return crashes
    },
    received,
    /** Writes the four events of one checkout: paid, two refunds, refunded. Goes on after a crash where it stopped. */
    writeEvents: async (): Promise<void> => {
      const checkout = freshCheckout({ merchantId: 'tea-id', id: seededId(ids), amountYen: AMOUNT_YEN })
      await createCheckout(store, checkout)
      const payment = {
        orderCode: checkout.id,
        transactionId: 't1',
        paidAt: time.now(),
        card: { brand: 'visa', lastFour: '4242' },
        invoiceIssuer: null,
      } as const
      const refundOf = (refundId: string, now: number): Refund => ({
        merchantId: 'tea-id',
        checkoutId: checkout.id,
        refundId,
        orderCode: checkout.id,
        amountYen: AMOUNT_YEN / 2,
        taxes: null,
        requestedAt: now,
        state: { name: 'refunded', refundedAt: now },
      })
      const steps: readonly ((now: number) => Transitions)[] = [
        () => ({ checkout: { ...checkout, state: { status: 'paid', payment } } }),
        (now) => ({ refunds: [refundOf('r1', now)] }),
        (now) => ({
          refunds: [refundOf('r2', now)],
          checkout: { ...checkout, state: { status: 'refunded', payment, refundedAt: now } },
        }),
      ]
      /** Every transition writes one line at least. */
      const done = async (): Promise<number> => {
        const sql = 'SELECT DISTINCT version FROM changes WHERE checkout_id = $1'
        return (await store.rows(sql, checkout.id)).length
      }
      for (let next = steps[await done()]; next !== undefined; next = steps[await done()]) {
        const step = next
        await inProcess(() => transition(checkout.id, step))
        await time.sleep(answers.between(0, 200))
      }
    },
    /** From now on nobody dies, and workers look less often: days pass. */
    settle: (): void => {
      isSettling = true
    },
  }
}

export type WebhookWorld = Awaited<ReturnType<typeof openWebhookWorld>>
