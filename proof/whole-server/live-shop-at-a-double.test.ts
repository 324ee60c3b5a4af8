import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { createRouter } from '../../sandbox/http/router.ts'
import { createTiming, openThreeDS } from '../../sandbox/open-three-ds.ts'
import { openStripe } from '../../sandbox/stripe/stripe.ts'
import { readConfig } from '../../server/config/config.ts'
import { createSealing } from '../../server/config/sealed.ts'
import { systemClock, systemElapsed } from '../../server/dependencies.ts'
import { createGateways } from '../../server/gateways/accounts.ts'
import { createAcquirerAdapters } from '../../server/gateways/adapters.ts'
import { createActiveServer } from '../../server/three-ds/active-server/three-ds-server.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { activeServerOptions } from '../harness/fake-active-server.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { listenOnFreePort } from '../harness/server-process.ts'
import { silentLog } from '../harness/silent-log.ts'
import { saveCheckedAccount, TEST_SECRET_KEY } from '../harness/test-accounts.ts'
import { API_KEYS, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/** Passes every check of a card number, and is nobody's. */
const LOOKS_REAL = '4539578763621486'
const CHALLENGED = '4100000000005000'

/** Everything that the database holds. */
const dumpOf = async (database: Database): Promise<string> => {
  const tables = await database.rows(`SELECT name FROM sqlite_master WHERE type = 'table'`)
  const rows = await Promise.all(tables.map(({ name }) => database.rows(`SELECT * FROM ${String(name)}`)))
  return JSON.stringify(rows)
}

describe('a live shop whose acquirer is a double on this machine', { concurrency: 1 }, () => {
  let folder: string
  let server: TestServer
  let database: Database
  let received: string[]
  let stop: () => Promise<void>
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-double-'))
    const stripe = openStripe(folder, 0.1)
    const origins = { threeDS: 'http://3ds.test', bank: 'http://bank.test', checkouts: 'http://*.localhost:3000' }
    const threeDS = openThreeDS(createTiming(0.1), origins, false)
    const route = createRouter([...stripe.routes, ...threeDS.api])
    const doubles = createServer((request, response) => {
      received.push(`${request.method} ${request.url}`)
      route(request, response)
    })
    const port = await listenOnFreePort(doubles)
    database = await openSqliteInMemory()
    const reading = readConfig({ SANDBOX_PORT: String(port) })
    const config = reading.ok ? reading.config : assert.fail(reading.problem)
    const { gateways, threeDSCredentialsOf } = createGateways({
      sql: database,
      elapsed: systemElapsed,
      log: silentLog,
      sealing: createSealing([TEST_SECRET_KEY]),
      adapters: createAcquirerAdapters({ ...config, clock: systemClock, sql: database }),
      sandbox: null,
      wrap: (gateway) => gateway,
      config,
    })
    const options = { ...activeServerOptions(`http://127.0.0.1:${port}`), credentialsOf: threeDSCredentialsOf }
    server = await openTestServer({
      gateway: fakeGateway(),
      gateways,
      database,
      threeDSServer: createActiveServer(options),
    })
    const account = { merchantId: TEA_MERCHANT.id, mode: 'live' } as const
    await saveCheckedAccount(database, account, { apiBase: `http://127.0.0.1:${port}/stripe` })
    stop = async () => {
      doubles.closeAllConnections()
      doubles.close()
      stripe.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
  after(() => stop())
  beforeEach(() => {
    received = []
  })
  const createLive = () => server.createCheckout({}, API_KEYS.live)

  test('marks its checkouts, and starts a payment with a published test card at both doubles', async () => {
    const id = await createLive()
    assert.equal((await server.readCheckout(id)).json<CheckoutAnswer>().testCardsOnly, true)
    await server.startAttempt(id, CHALLENGED)
    assert.deepEqual(
      received.map((line) => line.replace(/\?.*/, '')),
      ['GET /stripe/v1/balance', 'POST /api/v2/auth/enrol', 'POST /api/v2/auth/brw/init'],
    )
  })

  test('refuses any other number before it leaves the process: nobody is asked, and it stands nowhere', async () => {
    const id = await createLive()
    const answer = await server.submitCard(id, { number: LOOKS_REAL })
    assert.equal(answer.statusCode, 400)
    assert.equal(answer.json<{ code: string }>().code, 'not_a_test_card')
    assert.deepEqual(received, [])
    assert.equal(await server.countAttempts(id), 0)
    const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'latin1')))
    const written = [answer.body, ...server.logLines, await dumpOf(database), ...files]
    for (const text of written) assert.ok(!text.includes(LOOKS_REAL))
  })
})
