import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { testPostgresUrl } from '../../proof/harness/databases.ts'
import type { MerchantClient } from '../../proof/harness/merchant-client.ts'
import { besideServer, type BesideServer } from '../../proof/harness/beside-server.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { brokenPromises } from '../../proof/promises/promises.ts'
import { readStoredRecords } from '../../proof/promises/stored-records.ts'
import { workOnce } from '../background/worker.ts'
import type { Database } from '../store/engine/database.ts'
import { text } from '../store/engine/columns.ts'
import { ERASED_TABLES } from '../store/erasure/erase-address.ts'
import { markAsked, registerByOperator } from '../store/outbox/mail-addresses.ts'

const ADDRESS = 'erase-me@shopper.example'
const NEIGHBOUR = 'dont-erase-me@shopper.example'
const WITHOUT_NEIGHBOURS = /(?<!dont-)erase-me@shopper\.example/i

const filesOf = async (folder: string): Promise<Buffer> =>
  Buffer.concat(await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name)))))

/** Every byte of the files of these tables, their indexes and what is stored beside them. */
const heapsOf = async (database: Database, tables: readonly string[]): Promise<Buffer> => {
  await database.rows('CHECKPOINT')
  const list = tables.map((table) => `'${table}'`).join()
  const rows = await database.rows(
    `SELECT encode(pg_read_binary_file(pg_relation_filepath(oid)), 'hex') AS bytes FROM pg_class
     WHERE relkind IN ('r', 'i', 't') AND pg_relation_size(oid) > 0 AND (relname IN (${list})
       OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid IN (SELECT oid FROM pg_class WHERE relname IN (${list})))
       OR oid IN (SELECT reltoastrelid FROM pg_class WHERE relname IN (${list})))`,
  )
  return Buffer.concat(rows.map((row) => Buffer.from(text(row, 'bytes'), 'hex')))
}

/** Whether a command ends while what it must wait for is held: long enough for one that does not wait. */
const endsSoon = (command: Promise<unknown>): Promise<boolean> =>
  Promise.race([command.then(() => true), sleep(1500, false)])

besideServer('erasing an address beside a running server', (whenOpen, engine) => {
  let env: BesideServer['env']
  let database: Database
  let client: MerchantClient
  whenOpen((opened) => {
    ;({ database, env, client } = opened)
  })

  const bytes = (): Promise<Buffer> =>
    engine === 'SQLite' ? filesOf(env['DATA_DIR'] ?? '') : heapsOf(database, ERASED_TABLES)
  /** Not by `assert.match`, which would print a megabyte. */
  const isInFiles = async (): Promise<boolean> => WITHOUT_NEIGHBOURS.test((await bytes()).toString('latin1'))
  const isErased = async (): Promise<boolean> =>
    (await database.rows('SELECT id FROM checkouts WHERE LOWER(shopper_email) = $1', ADDRESS)).length === 0
  const erase = (...more: string[]) => runCommand(['erase', '--email', 'Erase-Me@Shopper.Example', ...more], env)

  test('leaves no byte of it in the files and the logs, and the books as they were', async () => {
    const metadata = { note: `call ${ADDRESS}`, other: NEIGHBOUR }
    const paid = await client.createPaid({ amount: 1980, metadata, subject: `For ${ADDRESS}` }, { email: ADDRESS })
    await client.refund(paid.id, { refundId: 'r1', amount: 980 })
    await client.send(`/checkouts/${paid.id}/receipt`, { method: 'POST' })
    await client.createPaid({ amount: 500 }, { email: 'ERASE-ME@shopper.example' })
    const links = { redirectUrl: `https://shop.example.com/?to=mailto%3A${encodeURIComponent(ADDRESS)}` }
    const written = { remarks: `宛先は${ADDRESS}です`, reference: ADDRESS, links }
    const { id: writtenId } = await client.create({ amount: 60, ...written })
    const neighbour = await client.createPaid({ amount: 70 }, { email: NEIGHBOUR })
    const [event] = await database.rows('SELECT merchant_id, id FROM events LIMIT 1')
    await database.rows(
      `INSERT INTO delivery_tries (merchant_id, endpoint_id, event_id, claim, at, took_ms, status, answer)
         VALUES ($1, 'we_1', $2, 1, 0, 5, 500, $3)`,
      text(event ?? {}, 'merchant_id'),
      text(event ?? {}, 'id'),
      `{"error":"no such customer: ${ADDRESS}"}`,
    )
    await database.rows(
      `INSERT INTO outbox (merchant_id, id, checkout_id, kind, event, body, created_at) VALUES ($1, 'o1', $2, 'mail', 'paid', $3, 0)`,
      text(event ?? {}, 'merchant_id'),
      paid.id,
      JSON.stringify({ to: ADDRESS, amount: 1980 }),
    )
    await registerByOperator(database, { merchantId: 'tea-id', address: ADDRESS }, 0)
    await markAsked(database, { merchantId: 'books-id', address: ADDRESS }, 0)
    await markAsked(database, { merchantId: 'tea-id', address: NEIGHBOUR }, 0)
    assert.equal(await isInFiles(), true)
    const ledger = await database.rows('SELECT * FROM ledger_lines ORDER BY entry, account')

    const { code, printed, errors } = await erase('--json')
    assert.deepEqual([code, errors], [0, []])
    const { erased, inFlight, isCompacted } = JSON.parse(printed[0] ?? '') as Record<string, unknown>
    const rows = { attempts: 2, checkouts: 3, mails: 4, mail_addresses: 2, events: 3, delivery_tries: 1, outbox: 1 }
    assert.deepEqual(erased, rows)
    const registered = await database.rows('SELECT address FROM mail_addresses')
    assert.deepEqual(
      registered.map(({ address }) => address),
      [NEIGHBOUR],
    )
    assert.deepEqual([inFlight, isCompacted], [0, true])

    assert.equal(await isInFiles(), false)
    assert.doesNotMatch(client.server.logLines.join('\n'), WITHOUT_NEIGHBOURS)
    assert.match((await bytes()).toString('latin1'), /dont-erase-me@shopper\.example/)
    assert.deepEqual(await database.rows('SELECT * FROM ledger_lines ORDER BY entry, account'), ledger)
    const kept = await client.get<Record<string, unknown>>(`/checkouts/${paid.id}`)
    assert.deepEqual([kept['status'], kept['refundedAmount'], kept['shopper']], ['paid', 980, { locale: 'ja_JP' }])
    assert.deepEqual(kept['metadata'], { note: 'call [erased]', other: NEIGHBOUR })
    assert.equal(kept['subject'], 'For [erased]')
    assert.deepEqual(kept['card'], paid.card)
    const rewritten = await client.get<Record<string, unknown>>(`/checkouts/${writtenId}`)
    assert.deepEqual([rewritten['remarks'], rewritten['reference']], ['宛先は[erased]です', '[erased]'])
    const untouched = await client.get<Record<string, unknown>>(`/checkouts/${neighbour.id}`)
    assert.deepEqual(untouched['shopper'], { email: NEIGHBOUR, locale: 'ja_JP' })
  })

  test('is followed by refunds, readings and a worker that miss nothing, and by no mail', async () => {
    const [row] = await database.rows(`SELECT id FROM checkouts WHERE amount_yen = 1980`)
    const id = text(row ?? {}, 'id')
    const refunded = await client.refund(id, { refundId: 'r2', amount: 1000 })
    assert.equal(refunded.json<{ status: string }>().status, 'refunded')
    const [again] = await database.rows(
      `SELECT COUNT(*) AS mails FROM mails WHERE checkout_id = $1 AND recipient IS NOT NULL`,
      id,
    )
    assert.equal(again?.['mails'], 0)
    assert.equal((await client.send(`/checkouts/${id}/receipt`, { method: 'POST' })).statusCode, 422)
    for (const path of ['/checkouts', '/events', '/refunds', `/checkouts/${id}/timeline`]) await client.all(path)
    await workOnce(client.server.deps)
    const stored = await readStoredRecords(database)
    const broken = brokenPromises({ stored, acquirerOrders: [] }).filter(({ kind }) => kind === 'unsettled')
    assert.deepEqual(broken, [])
  })

  test('a payment that is under way keeps it until it has ended, and the command says so', async () => {
    const { id } = await client.create({ amount: 300 })
    const order = await client.server.startAttempt(id)
    client.gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
    await client.server.sendRequest({
      method: 'PATCH',
      url: `/api/v1/checkouts/${id}/3ds/${order}/pay`,
      payload: { cvc: '737', locale: 'ja_JP', receiptEmail: ADDRESS },
    })
    client.gateway.chargeOutcome = null
    const { code, printed } = await erase()
    assert.equal(code, 1)
    assert.match(printed.at(-1) ?? '', /^Not complete: 1 payments with it are under way/)
    client.gateway.inquire = async () => ({
      outcome: 'charged',
      transactionId: 'late',
      approvedAt: 0,
      amountYen: 300,
    })
    client.clock.advance(60_000)
    await workOnce(client.server.deps)
    assert.equal((await client.get<{ status: string }>(`/checkouts/${id}`)).status, 'paid')
    assert.equal((await erase()).code, 0)
    assert.equal(await isInFiles(), false)
  })

  if (engine === 'PostgreSQL')
    test('waits for whoever still reads the rows as they were, such as a backup', async () => {
      const reader = new pg.Client({ connectionString: env['DATABASE_URL'] })
      await reader.connect()
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      await reader.query('SELECT id FROM checkouts')
      await client.createPaid({ amount: 800 }, { email: ADDRESS })
      const erasing = erase()
      assert.equal(await endsSoon(erasing), false)
      assert.deepEqual([await isErased(), await isInFiles()], [true, true])
      await reader.query('COMMIT')
      await reader.end()
      assert.equal((await erasing).code, 0)
      assert.equal(await isInFiles(), false)
    })

  if (engine === 'PostgreSQL')
    test('waits for what is written meanwhile, in any database of the server', async () => {
      const elsewhere = new pg.Client({ connectionString: testPostgresUrl() })
      await elsewhere.connect()
      await elsewhere.query('BEGIN')
      await elsewhere.query('SELECT pg_current_xact_id()')
      await client.createPaid({ amount: 900 }, { email: ADDRESS })
      const erasing = erase()
      assert.equal(await endsSoon(erasing), false)
      assert.deepEqual([await isErased(), await isInFiles()], [true, true])
      await elsewhere.query('COMMIT')
      await elsewhere.end()
      assert.equal((await erasing).code, 0)
      assert.equal(await isInFiles(), false)
    })

  test('an address that is nowhere has nothing written anew, unless an earlier erasure was interrupted', async () => {
    const eraseOther = () => runCommand(['erase', '--email', 'mistyped@shopper.example', '--json'], env)
    const rewritten = async (): Promise<unknown[]> => {
      const { code, printed } = await eraseOther()
      const { erased, isCompacted, isRewritten } = JSON.parse(printed[0] ?? '') as Record<string, unknown>
      return [code, erased, isCompacted, isRewritten]
    }
    assert.deepEqual(await rewritten(), [0, {}, true, false])
    const { printed } = await runCommand(['erase', '--email', 'mistyped@shopper.example'], env)
    assert.match(printed[0] ?? '', /^The address is nowhere in the database\. .* files were not written anew: /)
    // As a process leaves it that was killed between a row and the compacting.
    await database.rows("INSERT INTO uncompacted_erasures (id) VALUES ('killed')")
    assert.deepEqual(await rewritten(), [0, {}, true, true])
    assert.deepEqual(await rewritten(), [0, {}, true, false])
  })

  test('what is no address is refused', async () => {
    for (const wrong of ['taro', '@', 'a b@example.com', 'a@b@c'])
      assert.equal((await runCommand(['erase', '--email', wrong], env)).code, 2, wrong)
  })
})
