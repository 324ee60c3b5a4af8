import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { endApp } from '../../../proof/harness/end-server.ts'
import { OPEN_SERVER_DATABASE } from '../../../proof/harness/server-databases.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { systemClock, systemRandom } from '../../dependencies.ts'
import type { Database } from '../../store/engine/database.ts'
import { isProblem, readArguments, runAndPrint } from '../command.ts'
import { readDatabaseFacts } from './database-check.ts'
import { createDoctor, type DoctorDependencies } from './doctor.ts'
import { createNetwork } from './network.ts'

type Env = Record<string, string>
interface Report {
  readonly checks: readonly { readonly check: string; readonly state: string; readonly says: string }[]
  readonly ok: number
  readonly warnings: number
  readonly failures: number
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Nothing here takes long: a check that hangs fails by the limit of the test. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))

const PARTS: DoctorDependencies = {
  network: createNetwork(),
  clock: systemClock,
  random: systemRandom,
  wait: untilAborted,
  // The PostgreSQL of the tests is fast, and writes nothing safely.
  databaseFactsOf: async (database, config) => {
    const facts = await readDatabaseFacts(database, config)
    return facts.engine === 'SQLite' ? facts : { ...facts, fsync: 'on', fullPageWrites: 'on', synchronousCommit: 'on' }
  },
  gatewayOf: () => ({ ready: async () => 'ready' }),
  mailOutside: { verify: async () => null, textRecords: async () => [] },
}

const runDoctor = async (env: Env, more: Partial<DoctorDependencies>, ...args: string[]) => {
  const command = createDoctor({ ...PARTS, ...more })
  const given = readArguments('doctor', command, args)
  if (isProblem(given)) assert.fail(given.problem)
  const printed: string[] = []
  const terminal = { print: (line: string) => printed.push(line), printError: (line: string) => assert.fail(line) }
  return { code: await runAndPrint(command, given, env, terminal), printed }
}
const reportOf = async (env: Env, more: Partial<DoctorDependencies> = {}) => {
  const { code, printed } = await runDoctor(env, more, '--json')
  assert.equal(printed.length, 1)
  return { code, report: JSON.parse(printed[0] ?? '') as Report }
}

const NAMES = [
  'settings',
  'database',
  'clock',
  'card hold',
  'server',
  'wildcard host',
  'certificate',
  'proxy',
  '3-D Secure',
  'acquirer',
  'acquirer accounts',
  'mail server',
  'acquirer notifications',
  'webhooks',
]

for (const [engine, openPlace] of Object.entries(OPEN_SERVER_DATABASE))
  describe(`doctor beside a running server on ${engine}`, { concurrency: 1 }, () => {
    let folder: string
    let env: Env
    let database: Database
    let close: () => Promise<void>
    let server: TestServer
    let outside: Server
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaikei-doctor-'))
      ;({ database, env, close } = await openPlace(folder))
      server = await openTestServer({ database, gateway: fakeGateway() })
      await server.app.listen({ port: 0, host: '127.0.0.1' })
      outside = createServer((_request, response) => response.end())
      await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
      // The server calls itself localhost:3000, whatever port it has.
      env = { ...env, PORT: String(portOf(server.app.server)), SANDBOX_PORT: String(portOf(outside)) }
    })
    after(async () => {
      await endApp(server.app)
      outside.close()
      outside.closeAllConnections()
      await close()
      await rm(folder, { recursive: true, force: true })
    })
    /** As if the server listened on the port of its base. */
    const at3000: DoctorDependencies['network'] = {
      ...PARTS.network,
      ask: (url, address) => {
        const asked = new URL(`http://${url.hostname}:${env['PORT']}${url.pathname}`)
        return PARTS.network.ask(asked, address)
      },
    }

    test('a server that lacks nothing passes every check', async () => {
      const { code, report } = await reportOf({ ...env, PUBLIC_BASE: 'http://localhost:3000' }, { network: at3000 })
      assert.deepEqual(
        report.checks.map(({ check, state }) => [check, state]),
        NAMES.map((name) => [name, 'ok']),
        JSON.stringify(report.checks),
      )
      assert.deepEqual([code, report.ok, report.warnings, report.failures], [0, NAMES.length, 0, 0])
      const says = report.checks[1]?.says ?? ''
      assert.match(says, engine === 'SQLite' ? /WAL, synchronous FULL/ : /synchronous_commit \w+, fsync on/)
    })

    test('warnings end with 0 and failures with 1, each with its mend, within the width of a terminal', async () => {
      const production = { ...env, NODE_ENV: 'production', SANDBOX: 'on', PUBLIC_BASE: 'http://localhost:3000' }
      const warned = await reportOf(production, { network: at3000 })
      assert.deepEqual([warned.code, warned.report.warnings, warned.report.failures], [0, 2, 0])
      const { code, printed } = await runDoctor(production, {
        network: at3000,
        gatewayOf: () => ({ ready: async () => 'refused' }),
      })
      assert.equal(code, 1)
      assert.match(
        printed.find((line) => / acquirer {2,}/.test(line)) ?? '',
        /^ *fail +acquirer +the sandbox at .* not there\. Mend: /,
      )
      assert.equal(printed.at(-1), `${NAMES.length - 2} ok, 1 warned, 1 failed`)
      for (const line of printed) assert.ok(line.length <= 100, line)
    })

    test('with a mail server it says whether shops can be told by mail', async () => {
      const smtp = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pay@example.com' }
      const mailOutside = { verify: async () => null, textRecords: async () => [] }
      const { report } = await reportOf({ ...env, ...smtp }, { network: at3000, mailOutside })
      const found = report.checks.find(({ check }) => check === 'mails to shops')
      assert.deepEqual([found?.state, found?.says], ['ok', '0 of 2 shops have a registered address'])
    })

    test('a check that hangs fails alone, and the command ends', async () => {
      const network = { ...at3000, resolve: () => new Promise<never>(() => undefined) }
      let waits = 0
      // The time of the wildcard check, the sixth, is up at once; those that hang behind it end with it.
      const wait = (signal: AbortSignal): Promise<unknown> => {
        waits += 1
        return waits === 6 || waits === 8 ? Promise.resolve() : untilAborted(signal)
      }
      const { code, report } = await reportOf({ ...env, PUBLIC_BASE: 'http://localhost:3000' }, { network, wait })
      assert.equal(code, 1)
      assert.deepEqual(
        report.checks.filter(({ state }) => state === 'fail').map(({ check, says }) => [check, says]),
        [
          ['wildcard host', 'no answer in time'],
          ['proxy', 'no answer in time'],
        ],
      )
    })
  })

test('settings that cannot be read are all that is looked at: a port, or a placeholder in place of the secret key', async () => {
  for (const env of [{ PORT: 'x' }, { SECRET_KEY: 'change-me-with-openssl-rand-hex-32' }]) {
    const { code, report } = await reportOf(env)
    assert.deepEqual([code, report.checks.map(({ check, state }) => [check, state])], [1, [['settings', 'fail']]])
  }
})

test('a database that is not there is told, and everything else is looked at all the same', async () => {
  const network = { ...PARTS.network, ask: () => Promise.reject(new Error('ECONNREFUSED')) }
  const env = { DATA_DIR: join(tmpdir(), 'kaikei-doctor-none'), DATABASE_URL: 'postgresql://me:hunter2@127.0.0.1:1/x' }
  const { code, report } = await reportOf({ ...env, SANDBOX: 'off' }, { network })
  assert.equal(code, 1)
  assert.deepEqual(
    report.checks.map(({ check, state }) => `${check} ${state}`),
    [
      'settings ok',
      'database fail',
      'clock fail',
      'card hold ok',
      'server fail',
      'wildcard host ok',
      'certificate ok',
      'proxy fail',
      '3-D Secure warn',
      'acquirer warn',
      'acquirer accounts fail',
      'mail server warn',
      'acquirer notifications fail',
      'webhooks fail',
    ],
  )
  assert.doesNotMatch(JSON.stringify(report), /hunter2/)
})
