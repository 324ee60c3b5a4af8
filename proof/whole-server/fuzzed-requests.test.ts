import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Gateway } from '#payment/ports.ts'
import type { ThreeDSServer } from '#payment/three-ds-port.ts'
import { startWebhookWorker } from '../../server/background/webhooks/webhook-worker.ts'
import { systemClock } from '../../server/dependencies.ts'
import { readEvent } from '../../server/three-ds/active-server/answers.ts'
import { requestorTransId } from '../../server/three-ds/active-server/translate.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { endApp } from '../harness/end-server.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { CHALLENGE_URL, decidedOutcome, scriptedThreeDSServer } from '../harness/fake-three-ds-servers.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'
import { countAnswers, errorLines, unreachedRoutes } from '../fuzz/log-lines.ts'
import { routesIn } from '../fuzz/route-table.ts'
import { CHALLENGED_NUMBER } from '../fuzz/fuzzed-cards.ts'
import { signInUnderFuzz } from '../fuzz/fuzz-person.ts'
import { FUZZED_ROUTES } from '../fuzz/routes.ts'
import { runFuzz, type FuzzReport } from '../fuzz/run-fuzz.ts'

/** Fuzzed requests: 5,000 over real sockets, on both databases. `npm run prove -- fuzz` sends a million to the real process. */
const REQUESTS = { SQLite: 4000, PostgreSQL: 500 } as const
const SEED = 5
const CONNECTIONS = 16
/** A few requests in ten thousand, so the proof alone demands them; call-sequences.test.ts and reports.test.ts send them. */
const RARELY_REACHED = /\/(collect|challenge)-error 200|\/exports\/\S+ 200/

const gateway: Gateway = {
  ...fakeGateway(),
  refund: async ({ amountYen }) => ({ outcome: 'refunded', amountYen, refundedAt: 0 }),
}

/** One card is outside 3-D Secure, one is challenged and approved, the others are authenticated at once. */
const threeDSServerByCard = (): ThreeDSServer => {
  const scripted = scriptedThreeDSServer()
  return {
    ...scripted,
    start: async (order) => {
      if (order.card.number.face.lastFour === '5100') return { outcome: 'not_enrolled' }
      const started = await scripted.start(order)
      if (started.outcome !== 'started') return started
      return { ...started, session: { ...started.session, requestorTransId: requestorTransId(order.orderCode) } }
    },
    event: readEvent,
    authenticate: async ({ card, session }) => {
      if (!CHALLENGED_NUMBER.endsWith(card.number.face.lastFour)) return decidedOutcome('Y')
      const challenge = { monitorUrl: null, dsTransId: 'ds-1', messageVersion: '2.2.0' }
      return { outcome: 'challenge', session: { ...session, challenge }, challengeUrl: CHALLENGE_URL }
    },
    result: async () => decidedOutcome('Y'),
  }
}

describe('no request makes the server fail', () => {
  onBothDatabases(({ name, open }) => {
    let server: TestServer
    let report: FuzzReport
    before(async () => {
      const build = await readPageBuild()
      const [asset = ''] = build.assets.keys()
      server = await openTestServer({
        database: await open(),
        gateway,
        build,
        threeDSServer: threeDSServerByCard(),
        trustedProxies: ['127.0.0.1'],
      })
      // The budgets of callers fill again; all of it takes less than the five minutes that a passkey confirms.
      server.app.server.on('request', () => server.clock.advance(60))
      await server.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = server.app.server.address() as AddressInfo
      const console = await signInUnderFuzz(server.deps.database, 'tea-id', { now: server.clock.now(), sessions: 100 })
      const site = { port, base: 'localhost:3000', merchant: 'tea', key: API_KEYS.tea, asset, console }
      // An event can be redelivered once a worker has listed it.
      const worker = startWebhookWorker({
        ...server.deps,
        clock: systemClock,
        sendWebhook: async () => ({ outcome: 'answered', status: 200, retryAfter: null, body: '' }),
      })
      // Connections that the server must end by its own limits take 12 seconds: connection-limits.test.ts has them.
      report = await runFuzz({
        site,
        requests: REQUESTS[name],
        seed: SEED,
        connections: CONNECTIONS,
        heldMax: 0,
        givesWay: false,
      })
      await worker.stop()
    })
    after(() => endApp(server.app))

    test(`${REQUESTS[name]} fuzzed requests, raw bytes and aborted uploads among them, get no 5xx and no silence`, () => {
      assert.deepEqual(report.problems, [])
      assert.equal(report.requests, REQUESTS[name])
      assert.ok(report.rawRequests > REQUESTS[name] / 100, `${report.rawRequests} raw requests`)
    })

    test('none of them writes an error line', () => {
      assert.deepEqual(errorLines(server.logLines), [])
    })

    test('every route of the app has a valid call among the fuzzed ones, and it got through', () => {
      assert.deepEqual(routesIn(server.app.printRoutes()), Object.keys(FUZZED_ROUTES).toSorted())
      // Were everything refused by the first check, nothing behind it would have been tested.
      const unreached = unreachedRoutes(countAnswers(server.logLines), 1)
      if (name === 'SQLite')
        assert.deepEqual(
          unreached.filter((route) => !RARELY_REACHED.test(route)),
          [],
        )
      for (const status of [200, 201, 303, 400, 401, 404, 405, 409, 415])
        assert.ok(report.statuses.has(status), `no ${status} among ${[...report.statuses.keys()].join()}`)
    })
  })
})
