import { listenDuring } from '../../proof/harness/end-server.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endOfJstDay, jstDate } from '#contract/jst.ts'
import type { Database } from '../store/engine/database.ts'
import { readMigrations } from '../store/engine/migrate.ts'
import { openPostgres } from '../store/engine/postgres.ts'
import { openEmbedded } from '../store/engine/sqlite.ts'
import { startSandbox, type SandboxProcess } from '../../proof/harness/sandbox-process.ts'
import { createPostgresDatabase } from '../../proof/harness/databases.ts'
import { longTimeoutGateway } from '../../proof/harness/long-timeout-gateway.ts'
import { barestEnvironment, freePort } from '../../proof/harness/server-process.ts'
import { API_KEYS } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { isProblem, readArguments } from './command.ts'
import { COMMANDS } from './command-groups.ts'
import { discrepancyLine } from '#payment/discrepancy-words.ts'
import { printedDiscrepancy, unresolvedLine } from './reconcile.ts'

const KAIKEI = fileURLToPath(new URL('../../tools/run/kaikei.ts', import.meta.url))

type Env = Record<string, string>

const BOOKED_THEN_FAILED = '4100000000756008'

/** It exits with 2, prints nothing, and writes one line of error. */
const assertCannot = async (args: readonly string[], env: Env, line: RegExp): Promise<void> => {
  const { code, printed, errors } = await runCommand(args, env)
  assert.deepEqual([code, printed, errors.length], [2, [], 1], errors.join('\n'))
  assert.match(errors[0] ?? '', line)
}

describe('the command line', () => {
  test('without a command it lists all of them', async () => {
    const { code, printed, errors } = await runCommand([], {})
    assert.deepEqual([code, printed, errors[0]], [2, [], 'Say what to do:'])
    assert.match(errors.slice(1).join('\n'), /\n {2}reconcile {8,}compares our ledger/)
  })

  test('to a misspelt command it says in one line which was meant, or where all are listed', async () => {
    const all = 'npm run -s kaikei -- help lists all commands.'
    for (const [args, meant] of [
      [['reconsile'], 'reconcile'],
      [['chekout', 'create', '--amount', '5'], 'checkout create'],
      [['webhok'], 'webhook'],
      [['key', 'lits'], 'key list'],
      [['Listen'], 'listen'],
    ] as const)
      assert.deepEqual(await runCommand(args, {}), {
        code: 2,
        printed: [],
        errors: [`There is no command "${args.slice(0, 2).join(' ')}". Did you mean ${meant}? ${all}`],
      })
    for (const word of ['toString', '', 'constructor'])
      assert.deepEqual((await runCommand([word], {})).errors, [`There is no command "${word}". ${all}`])
  })

  test('help explains one command or those that begin with a word, and the version is that of the release', async () => {
    const one = await runCommand(['help', 'checkout', 'create'], {})
    assert.deepEqual(one, await runCommand(['checkout', 'create', '--help'], {}))
    assert.equal(one.code, 0)
    assert.deepEqual(await runCommand(['help'], {}), await runCommand(['--help'], {}))
    const some = await runCommand(['help', 'picture'], {})
    assert.deepEqual([some.code, some.errors], [0, []])
    assert.match(
      some.printed.join('\n'),
      /^The shop, .*\n {2}picture set .*\n {2}picture remove .*\nEach explains itself: .* help picture set$/s,
    )
    const none = await runCommand(['help', 'pictur'], {})
    assert.equal(none.code, 2)
    assert.match(none.errors.join(), /^There is no command "pictur"\. Did you mean picture\?/)
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    assert.deepEqual(await runCommand(['--version'], {}), { code: 0, printed: [`kaikei v${version}`], errors: [] })
  })
})

const MERCHANT_NAMES = ['merchant create', 'merchant list', 'merchant show', 'merchant close', 'merchant reopen']

/** The arguments of an example as a shell would split them. */
const shellWords = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

const WIDTH = 100

test('every command explains itself with exit codes and an example, which needs no database', async () => {
  assert.ok(COMMANDS.size >= 20)
  for (const name of COMMANDS.keys())
    for (const help of ['--help', '-h']) {
      const { code, printed, errors } = await runCommand([...name.split(' '), '--x', help], {})
      assert.deepEqual([code, errors], [0, []])
      assert.ok((printed[2] ?? '').startsWith(`  npm run -s kaikei -- ${name}`), name)
      assert.match(printed.at(-2) ?? '', /^Exit codes: 0 done; .*2 not done: a line says what to mend\.$/)
      assert.match(printed.at(-1) ?? '', new RegExp(`^Example: npm run -s kaikei -- ${name}`))
      for (const line of printed.slice(0, -1)) assert.ok(line.length <= WIDTH, `${name}: ${line}`)
    }
})

test('every example can be run as it is written', () => {
  for (const [name, command] of COMMANDS) {
    const words = shellWords(command.example)
    const depth = name.split(' ').length
    assert.equal(words.slice(0, depth).join(' '), name)
    const given = readArguments(name, command, words.slice(depth))
    if (isProblem(given)) assert.fail(given.problem)
  }
})

test('help without a command lists all of them in groups with a title, a developer’s first, within the width of a terminal, and half a command those that begin so', async () => {
  const namesIn = (lines: readonly string[]): string[] =>
    lines.flatMap((line) => [...(/^ {2}(\S+(?: \S+)?) {2}/.exec(line) ?? [])].slice(1))
  const all = await runCommand(['--help'], {})
  assert.deepEqual([all.code, namesIn(all.printed)], [0, [...COMMANDS.keys()]])
  for (const line of all.printed) assert.ok(line.length <= WIDTH, line)
  const titles = all.printed.filter((line) => /^[A-Z].*, with /.test(line))
  assert.match(titles[0] ?? '', /^Checkouts, with KAIKEI_URL and KAIKEI_KEY$/)
  assert.ok(titles.length >= 5 && titles.slice(-3).every((title) => title.startsWith('For operators: ')))
  assert.equal(all.printed[0], titles[0])
  assert.equal(all.printed.at(-1), 'The server itself: npm start')
  const half = await runCommand(['merchant'], {})
  assert.deepEqual([half.code, namesIn(half.errors)], [2, MERCHANT_NAMES])
  assert.equal(
    (await runCommand(['merchant', 'delete'], {})).errors[0],
    'There is no command "merchant delete". There is:',
  )
})

test('an address that a line must name is no card number', async () => {
  const env = { PUBLIC_BASE: 'http://192.168.100.101:54321' }
  await assertCannot(['merchant', 'list'], env, /^PUBLIC_BASE is "http:\/\/192\.168\.100\.101:54321": /)
})

test('docs/command-line.md names every command', async () => {
  const page = await readFile(new URL('../../docs/command-line.md', import.meta.url), 'utf8')
  for (const name of COMMANDS.keys()) assert.ok(page.includes(`\`${name}`), name)
})

test('a key or a card number that was typed in the wrong place is not repeated', async () => {
  const key = `sk_test_${'k'.repeat(32)}`
  for (const secret of [key, '4242424242424242', '4242 4242 4242 4242'])
    for (const args of [
      [secret],
      ['checkout', secret],
      ['checkout', 'show', secret],
      ['changes', secret],
      ['key', 'create', '--merchant', 'tea', '--access', 'full', '--mode', secret],
    ]) {
      const { code, printed, errors } = await runCommand(args, { KAIKEI_KEY: key })
      assert.deepEqual([code, printed], [2, []])
      assert.equal(errors.join().includes(secret), false, args.join(' '))
    }
})

/** A proxy to the acquirer that answers HTTP 500 to every request about these orders. */
const startFaultyProxy = (t: TestContext, origin: string, about: ReadonlySet<string>): Promise<number> => {
  const proxy = createServer((request, response) => {
    const path = request.url ?? ''
    if ([...about].some((orderCode) => path.includes(`/orders/${orderCode}`))) {
      response.writeHead(500).end()
      return
    }
    void fetch(`${origin}${path}`).then(async (answer) =>
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
    )
  })
  return listenDuring(t, proxy)
}

describe('npm run kaikei -- reconcile', () => {
  let folder: string
  let acquirer: SandboxProcess
  const opened: Database[] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-commands-'))
    acquirer = await startSandbox()
  })
  after(async () => {
    for (const database of opened) await database.close()
    await acquirer.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const envOf = (name: string): Env => ({
    DATA_DIR: join(folder, name),
    SANDBOX_PORT: new URL(acquirer.origin).port,
  })
  /** Stays open, as a running server's does. */
  const migrated = async (database: Database): Promise<Database> => {
    await database.migrate(await readMigrations(), 0)
    opened.push(database)
    return database
  }
  const testServerOn = (database: Database): Promise<TestServer> =>
    openTestServer({ database, gateway: longTimeoutGateway(acquirer.origin) })
  const paidAndPartlyRefunded = async (server: TestServer): Promise<{ id: string; orderCode: string }> => {
    const id = await server.createCheckout()
    const orderCode = await server.startAttempt(id)
    assert.equal((await server.pay(id, orderCode)).statusCode, 200)
    const answer = await server.app.inject({
      method: 'POST',
      url: `/merchant/v1/checkouts/${id}/refunds`,
      headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
      payload: { refundId: 'r1', amount: 980 },
    })
    assert.equal(answer.statusCode, 201)
    return { id, orderCode }
  }
  const doubleAmounts = 'UPDATE ledger_lines SET amount_yen = amount_yen * 2 WHERE entry = $1'

  test('while a server runs it exits with 0 when all agrees and with 1 when it reports a discrepancy', async () => {
    const env = envOf('embedded')
    const server = await testServerOn(await migrated(await openEmbedded(env['DATA_DIR'] ?? '')))
    const { id, orderCode } = await paidAndPartlyRefunded(server)
    const agreed = { code: 0, printed: ['1 charge and 1 refund agree; 0 breaks; 0 in doubt'], errors: [] }
    assert.deepEqual(await runCommand(['reconcile'], env), agreed)

    await server.deps.database.rows(doubleAmounts, `charge ${orderCode}`)
    const line = `order ${orderCode}, checkout ${id}: our ledger has a charge of 3,960 yen; the acquirer charged 1,980 yen`
    const printed = [line, '0 charges and 1 refund agree; 1 break; 0 in doubt']
    assert.deepEqual(await runCommand(['reconcile'], env), { code: 1, printed, errors: [] })

    const forPrograms = await runCommand(['reconcile', '--json'], env)
    const [value] = forPrograms.printed.map((each) => JSON.parse(each) as Record<string, unknown>)
    assert.deepEqual([forPrograms.code, forPrograms.printed.length], [1, 1])
    const movement = { kind: 'charge', orderCode }
    const sums = { ourYen: 3960, acquirerYen: 1980, isBooked: true }
    const breaks = [{ kind: 'amounts differ', movement, checkoutId: id, ...sums }]
    const counts = { charges: 0, refunds: 1, chargebacks: 0, chargebackReversals: 0, inDoubt: 0, unanswered: 0 }
    assert.deepEqual(value, { isComplete: true, ...counts, breaks, unresolved: [] })

    const asProcess = await new Promise<unknown>((resolve) => {
      const options = { env: { ...barestEnvironment(), ...env } }
      execFile(process.execPath, [KAIKEI, 'reconcile'], options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      )
    })
    assert.deepEqual(asProcess, { code: 1, stdout: `${printed.join('\n')}\n`, stderr: '' })
  })

  test('a chargeback that no worker has read yet is recorded first, and is no break', async () => {
    const own = await startSandbox()
    try {
      const env: Env = { ...envOf('disputed'), SANDBOX_PORT: new URL(own.origin).port }
      const database = await migrated(await openEmbedded(env['DATA_DIR'] ?? ''))
      const server = await openTestServer({ database, gateway: longTimeoutGateway(own.origin) })
      const id = await server.createCheckout()
      assert.equal((await server.pay(id, await server.startAttempt(id))).statusCode, 200)
      const [row] = await database.rows('SELECT transaction_id FROM checkouts WHERE id = $1', id)
      const dispute = async (status: string): Promise<void> => {
        const answer = await fetch(new URL('/acquirer/control/disputes', own.origin), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ transactionId: row?.['transaction_id'], status }),
        })
        assert.equal(answer.status, 200)
      }
      await dispute('open')
      const first = await runCommand(['reconcile'], env)
      const agreed = '1 charge, 0 refunds, 1 chargeback and 0 reversals agree; 0 breaks; 0 in doubt'
      assert.deepEqual([first.code, first.printed], [0, [agreed]])
      await dispute('won')
      await database.rows(
        'UPDATE ledger_lines SET amount_yen = amount_yen * 2 WHERE SUBSTR(entry, 1, 11) = $1',
        'chargeback ',
      )
      const { code, printed } = await runCommand(['reconcile'], env)
      assert.deepEqual([code, printed.length], [1, 2])
      assert.match(
        printed[0] ?? '',
        /our ledger has chargeback \S+ of 3,960 yen; the acquirer took back 1,980 yen as chargeback \S+$/,
      )
      assert.match(printed[1] ?? '', /^1 charge, 0 refunds, 0 chargebacks and 1 reversal agree; 1 break;/)
    } finally {
      await own.stop()
    }
  })

  test('it compares the last 30 days, or the time that it is given, and names a time that cannot be read', async () => {
    const own = await startSandbox()
    try {
      const env: Env = { ...envOf('period'), SANDBOX_PORT: new URL(own.origin).port }
      const database = await migrated(await openEmbedded(env['DATA_DIR'] ?? ''))
      const server = await openTestServer({ database, gateway: longTimeoutGateway(own.origin) })
      await paidAndPartlyRefunded(server)
      const days = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString()
      const printedBy = async (...given: string[]): Promise<string | undefined> =>
        (await runCommand(['reconcile', ...given], env)).printed.at(-1)
      const [all, none] = ['1 charge and 1 refund agree', '0 charges and 0 refunds agree'].map(
        (agree) => `${agree}; 0 breaks; 0 in doubt`,
      )
      assert.equal(await printedBy(), all)
      assert.equal(await printedBy('--from', days(-1)), all)
      assert.equal(await printedBy('--from', days(-1), '--to', days(1)), all)
      assert.equal(await printedBy('--to', days(-1)), none)
      assert.equal(await printedBy('--from', days(1), '--to', days(2)), none)

      // Older than 30 days in our ledger, and not at the acquirer: no discrepancy of this time.
      const older = endOfJstDay(Date.now() - 32 * 86_400_000)
      const day = jstDate(older)
      for (const [account, yen] of [
        ['acquirer', 5],
        ['merchant', -5],
      ] as const)
        await database.rows(
          `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at)
           VALUES ('tea-id', 'charge older', $1, 'c', $2, $3)`,
          account,
          yen,
          older,
        )
      assert.equal(await printedBy(), all)
      const oneBreak = (line: string | undefined): string | undefined => line?.replace('0 breaks', '1 break')
      assert.equal(await printedBy('--from', days(-34)), oneBreak(all))
      assert.equal(await printedBy('--from', day), oneBreak(all), 'a day begins with its first moment')
      assert.equal(await printedBy('--from', day, '--to', day), oneBreak(none), 'and ends with its last')

      await assertCannot(['reconcile', '--from', 'yesterday'], env, /^--from is no time: give one such as 20/)
      await assertCannot(['reconcile', '--to', '2026-11-31'], env, /^--to is no time: give one such as 20/)
      await assertCannot(['reconcile', '--from', days(2)], env, /^--from is not before --to: give an earlier --from\.$/)
    } finally {
      await own.stop()
    }
  })

  test('when the acquirer does not answer about some orders it reports every discrepancy and what is unresolved, and exits with 0, 2 or 1', async (t) => {
    const own = await startSandbox()
    t.after(() => own.stop())
    const unansweredOrders = new Set<string>()
    const port = await startFaultyProxy(t, own.origin, unansweredOrders)
    const env: Env = { ...envOf('gaps'), SANDBOX_PORT: String(port) }
    const database = await migrated(await openEmbedded(env['DATA_DIR'] ?? ''))
    const server = await openTestServer({ database, gateway: longTimeoutGateway(own.origin) })
    const orders = [await paidAndPartlyRefunded(server), await paidAndPartlyRefunded(server)] as const
    const id = await server.createCheckout()
    const orderCode = await server.startAttempt(id, BOOKED_THEN_FAILED)
    assert.equal((await server.pay(id, orderCode)).statusCode, 409)
    unansweredOrders.add(orderCode)
    const inDoubt = new RegExp(
      `^order ${orderCode}, checkout ${id}: a charge of 1,980 yen is in doubt since 20\\d\\d-\\d\\d-\\d\\d [\\d:]+ JST$`,
    )
    const inDoubtOnly = await runCommand(['reconcile'], env)
    assert.deepEqual([inDoubtOnly.code, inDoubtOnly.errors], [0, []])
    assert.match(inDoubtOnly.printed[0] ?? '', inDoubt)
    assert.deepEqual(inDoubtOnly.printed.slice(1), ['2 charges and 2 refunds agree; 0 breaks; 1 in doubt'])

    const [unanswered, doubled] = orders
    unansweredOrders.add(unanswered.orderCode)
    await database.rows(doubleAmounts, `charge ${unanswered.orderCode}`)
    const unansweredLine = `order ${unanswered.orderCode}, checkout ${unanswered.id}: the acquirer did not answer about the charge (HTTP 500)`
    const incomplete =
      '1 movement of money could not be asked about, so the comparison is not complete: run it again when the acquirer answers'
    const partial = await runCommand(['reconcile'], env)
    assert.deepEqual([partial.code, partial.errors], [2, []])
    assert.equal(partial.printed[0], unansweredLine)
    assert.match(partial.printed[1] ?? '', inDoubt)
    assert.deepEqual(partial.printed.slice(2), ['1 charge and 2 refunds agree; 0 breaks; 1 in doubt', incomplete])

    await database.rows(doubleAmounts, `charge ${doubled.orderCode}`)
    const discrepant = await runCommand(['reconcile'], env)
    assert.deepEqual([discrepant.code, discrepant.errors], [1, []])
    const found = `order ${doubled.orderCode}, checkout ${doubled.id}: our ledger has a charge of 3,960 yen; the acquirer charged 1,980 yen`
    assert.deepEqual(discrepant.printed.slice(0, 2), [found, unansweredLine])
    assert.deepEqual(discrepant.printed.slice(3), ['0 charges and 2 refunds agree; 1 break; 1 in doubt', incomplete])
  })

  test('on PostgreSQL it needs no data folder, and reports charges of the acquirer that this database does not have', async () => {
    const place = await createPostgresDatabase()
    try {
      const env: Env = { ...envOf('none'), DATABASE_URL: place.url }
      await assertCannot(['reconcile'], env, /^The database at .* does not have the tables of this release\. Run/)
      const database = await openPostgres(place.url)
      await database.migrate(await readMigrations(), 0)
      const { orderCode } = await paidAndPartlyRefunded(await testServerOn(database))
      const { code, printed } = await runCommand(['reconcile'], env)
      await database.close()
      assert.equal(code, 1)
      assert.match(printed.at(-1) ?? '', /^1 charge and 1 refund agree; \d+ breaks; 0 in doubt$/)
      for (const line of printed.slice(0, -1))
        assert.match(line, /^order \w+, no checkout of ours: the acquirer (charged 1,980|gave back 980) yen/)
      assert.equal(printed.join().includes(orderCode), false)
      assert.equal(existsSync(env['DATA_DIR'] ?? ''), false)
    } finally {
      await place.drop()
    }
  })

  test('when it cannot run it says why in one line, and exits with 2', async () => {
    const env = envOf('cannot')
    await assertCannot(
      ['reconcile', '--all'],
      env,
      /^reconcile has no option --all: see npm run -s kaikei -- reconcile --help\.$/,
    )
    await assertCannot(['reconcile', 'now'], env, /^reconcile takes nothing more than it was given: see /)
    await assertCannot(['reconcile'], { ...env, PORT: 'x' }, /^PORT is "x": set it to a number/)
    await assertCannot(
      ['reconcile'],
      env,
      /^There is no database in DATA_DIR ".*cannot"\. Set DATA_DIR .* npm start\.$/,
    )
    assert.equal(existsSync(env['DATA_DIR'] ?? ''), false, 'a folder was made where nobody asked for one')
    const unreachable = { ...env, DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/x' }
    await assertCannot(['reconcile'], unreachable, /^DATABASE_URL: no connection to 127\.0\.0\.1:1\/x /)

    const database = await migrated(await openEmbedded(env['DATA_DIR'] ?? ''))
    const port = String(await freePort())
    await assertCannot(
      ['reconcile'],
      { ...env, SANDBOX_PORT: port },
      new RegExp(`^The acquirer at 127.0.0.1:${port} .* same PORT`),
    )
    await assertCannot(
      ['reconcile'],
      { ...env, SANDBOX: 'off' },
      /^There is no acquirer to compare with .* Set SANDBOX/,
    )
    await database.rows("DELETE FROM migrations WHERE name = '0003-refunds.sql'")
    await assertCannot(['reconcile'], env, /^The database in DATA_DIR ".*" does not have the tables of this release\./)
    await database.rows('DROP TABLE migrations')
    await assertCannot(['reconcile'], env, /does not have the tables of this release\./)
  })
})

test('an attempt that was not charged is printed as void, the word of every release', () => {
  const movement = { kind: 'charge', orderCode: 'o' } as const
  const found = { kind: 'missing in ledger', movement, checkoutId: 'c', state: 'not_charged', acquirerYen: 1 } as const
  assert.match(discrepancyLine(found), /the attempt is void$/)
  assert.deepEqual(printedDiscrepancy(found), { ...found, state: 'void' })
})

test('each discrepancy is one sentence with its order, its checkout and its yen', () => {
  const charge = { kind: 'charge', orderCode: 'o' } as const
  const refund = { kind: 'refund', orderCode: 'o', refundId: 'r' } as const
  const chargeback = { kind: 'chargeback', orderCode: 'o', movementId: 'm' } as const
  const reversal = { kind: 'chargeback_reversal', orderCode: 'o', movementId: 'm' } as const
  const read = [
    discrepancyLine({ kind: 'unknown order', movement: charge, checkoutId: null, acquirerYen: 1980 }),
    discrepancyLine({ kind: 'unknown order', movement: refund, checkoutId: 'c', acquirerYen: 1980 }),
    discrepancyLine({
      kind: 'missing in ledger',
      movement: charge,
      checkoutId: 'c',
      state: 'declined',
      acquirerYen: 1,
    }),
    discrepancyLine({ kind: 'missing in ledger', movement: refund, checkoutId: 'c', state: 'refused', acquirerYen: 1 }),
    discrepancyLine({ kind: 'missing at acquirer', movement: charge, checkoutId: 'c', ourYen: 1980 }),
    discrepancyLine({ kind: 'missing at acquirer', movement: refund, checkoutId: 'c', ourYen: 1980 }),
    discrepancyLine({
      kind: 'amounts differ',
      movement: refund,
      checkoutId: 'c',
      ourYen: 1,
      acquirerYen: 2,
      isBooked: true,
    }),
    discrepancyLine({
      kind: 'amounts differ',
      movement: charge,
      checkoutId: 'c',
      ourYen: 1,
      acquirerYen: 2,
      isBooked: false,
    }),
    discrepancyLine({
      kind: 'missing on both sides',
      movement: charge,
      checkoutId: 'c',
      state: 'charged',
      ourYen: 1980,
    }),
    discrepancyLine({ kind: 'missing on both sides', movement: refund, checkoutId: 'c', state: 'refunded', ourYen: 1 }),
    discrepancyLine({ kind: 'listed twice', movement: charge, checkoutId: 'c', listedYen: [1980, 1980] }),
    discrepancyLine({ kind: 'listed twice', movement: refund, checkoutId: null, listedYen: [1, 2, 1000] }),
    discrepancyLine({ kind: 'unknown order', movement: chargeback, checkoutId: null, acquirerYen: 1980 }),
    discrepancyLine({ kind: 'missing in ledger', movement: reversal, checkoutId: 'c', state: null, acquirerYen: 5 }),
    discrepancyLine({ kind: 'missing at acquirer', movement: chargeback, checkoutId: 'c', ourYen: 1980 }),
    discrepancyLine({ kind: 'unbalanced', entry: 'charge o', checkoutId: 'c', balanceYen: -1980 }),
    discrepancyLine({ kind: 'unknown entry', entry: 'gift', checkoutId: 'c', ourYen: 1_000_000 }),
  ]
  assert.deepEqual(read, [
    'order o, no checkout of ours: the acquirer charged 1,980 yen; we never asked for it',
    'order o, checkout c: the acquirer gave back 1,980 yen as refund r; we never asked for it',
    'order o, checkout c: the acquirer charged 1 yen; it is not in our ledger, and the attempt is declined',
    'order o, checkout c: the acquirer gave back 1 yen as refund r; it is not in our ledger, and the refund is refused',
    'order o, checkout c: our ledger has a charge of 1,980 yen; the acquirer has none',
    'order o, checkout c: our ledger has refund r of 1,980 yen; the acquirer has none',
    'order o, checkout c: our ledger has refund r of 1 yen; the acquirer gave back 2 yen as refund r',
    'order o, checkout c: a charge of 1 yen is in doubt here; the acquirer charged 2 yen',
    'order o, checkout c: a charge of 1,980 yen is charged by its own record; neither our ledger nor the acquirer has it',
    'order o, checkout c: refund r of 1 yen is refunded by its own record; neither our ledger nor the acquirer has it',
    'order o, checkout c: the acquirer lists the charge 2 times, with 1,980 yen and 1,980 yen',
    'order o, no checkout of ours: the acquirer lists refund r 3 times, with 1 yen and 2 yen and 1,000 yen',
    'order o, no checkout of ours: the acquirer took back 1,980 yen as chargeback m; the payment is none of ours',
    'order o, checkout c: the acquirer returned 5 yen as reversal m of a chargeback; it is not in our ledger',
    'order o, checkout c: our ledger has chargeback m of 1,980 yen; the acquirer has none',
    'entry "charge o", checkout c: its lines add up to -1,980 yen, not to zero',
    'entry "gift", checkout c: 1,000,000 yen in our ledger that are no charge, no refund and no chargeback of a merchant of ours',
  ])
})

test('each unresolved movement is one sentence with its order, its yen and its time', () => {
  const charge = { kind: 'charge', orderCode: 'o' } as const
  const refund = { kind: 'refund', orderCode: 'o', refundId: 'r' } as const
  const doubt = { kind: 'in doubt', checkoutId: 'c', amountYen: 1980, since: 0 } as const
  const read = [
    unresolvedLine({ ...doubt, movement: charge, state: 'unknown' }),
    unresolvedLine({ ...doubt, movement: refund, state: 'unknown' }),
    unresolvedLine({ ...doubt, movement: charge, state: 'charging' }),
    unresolvedLine({ ...doubt, movement: refund, state: 'requested' }),
    unresolvedLine({ kind: 'unanswered', movement: charge, checkoutId: null, why: 'no answer in time' }),
    unresolvedLine({ kind: 'unanswered', movement: refund, checkoutId: 'c', why: 'HTTP 500' }),
  ]
  assert.deepEqual(read, [
    'order o, checkout c: a charge of 1,980 yen is in doubt since 1970-01-01 09:00:00 JST',
    'order o, checkout c: refund r of 1,980 yen is in doubt since 1970-01-01 09:00:00 JST',
    'order o, checkout c: a charge of 1,980 yen is under way, and in doubt from 1970-01-01 09:00:00 JST',
    'order o, checkout c: refund r of 1,980 yen is under way, and in doubt from 1970-01-01 09:00:00 JST',
    'order o, no checkout of ours: the acquirer did not answer about the charge (no answer in time)',
    'order o, checkout c: the acquirer did not answer about refund r (HTTP 500)',
  ])
})
