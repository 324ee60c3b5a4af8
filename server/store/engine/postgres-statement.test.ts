import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { createPostgresDatabase } from '../../../proof/harness/databases.ts'
import { sendStatement } from './postgres-statement.ts'
import { startPostgresProxy } from './testing/postgres-proxy.ts'

/** A proxy to PostgreSQL that keeps what both sides send. */
const startListeningProxy = async (url: string) => {
  let [sent, answered] = ['', '']
  const proxy = await startPostgresProxy(url, ({ driver, server }) => {
    driver.on('data', (bytes) => {
      sent += bytes.toString('latin1')
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      answered += bytes.toString('latin1')
      driver.write(bytes)
    })
  })
  return {
    ...proxy,
    heardDuring: async (work: () => Promise<unknown>): Promise<{ sent: string; answered: string }> => {
      ;[sent, answered] = ['', '']
      await work()
      return { sent, answered }
    },
  }
}

describe('a prepared statement of PostgreSQL', () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  let proxy: Awaited<ReturnType<typeof startListeningProxy>>
  let client: pg.Client
  before(async () => {
    place = await createPostgresDatabase()
    proxy = await startListeningProxy(place.url)
    client = new pg.Client({ connectionString: proxy.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    proxy.close()
    await place.drop()
  })
  beforeEach(async () => {
    await client.query('DROP TABLE IF EXISTS payments; CREATE TABLE payments (id TEXT PRIMARY KEY, amount BIGINT)')
  })

  test('is parsed and described the first time on a connection, and answers the same rows without it from then on', async () => {
    const read = () =>
      sendStatement(
        client,
        `SELECT $1::text AS subject_of_payment, $2::bigint AS amount, $3::int AS lines, $4::text AS note,
           1 = 1 AS is_paid, 1 = 2 AS is_refunded, to_json($1::text) AS quoted FROM generate_series(1, 2)`,
        ['お茶 "A" \\ {x}', 9_007_199_254_740_991, -3, null],
      )
    const row = {
      subject_of_payment: 'お茶 "A" \\ {x}',
      amount: 9_007_199_254_740_991,
      lines: -3,
      note: null,
      is_paid: true,
      is_refunded: false,
      quoted: String.raw`"お茶 \"A\" \\ {x}"`,
    }
    const first = await proxy.heardDuring(async () => assert.deepEqual(await read(), [row, row]))
    assert.match(first.sent, /generate_series/)
    assert.match(first.answered, /subject_of_payment/)
    const second = await proxy.heardDuring(async () => assert.deepEqual(await read(), [row, row]))
    assert.doesNotMatch(second.sent, /generate_series/)
    assert.doesNotMatch(second.answered, /subject_of_payment/)
  })

  test('that answers nothing is sent as often as it is wanted', async () => {
    const insert = (id: string) => sendStatement(client, 'INSERT INTO payments VALUES ($1, $2)', [id, 4980])
    for (const id of ['one', 'two', 'three']) assert.deepEqual(await insert(id), [])
    assert.deepEqual(await sendStatement(client, 'SELECT count(*) AS payments FROM payments', []), [{ payments: 3 }])
  })

  test('that fails, the first time or later, fails alone: the next call on the connection works', async () => {
    const insert = (id: string) =>
      sendStatement(client, 'INSERT INTO payments (id, amount) VALUES ($1, $2)', [id, 4980])
    await client.query("INSERT INTO payments VALUES ('one', 1)")
    await assert.rejects(insert('one'), { code: '23505' })
    await insert('two')
    await assert.rejects(insert('two'), { code: '23505' })
    await insert('three')
    assert.deepEqual(await sendStatement(client, 'SELECT id FROM payments ORDER BY id', []), [
      { id: 'one' },
      { id: 'three' },
      { id: 'two' },
    ])
  })

  test('that its session has forgotten fails once, and is prepared anew', async () => {
    const read = () => sendStatement(client, 'SELECT 1 AS remembered', [])
    await read()
    await client.query('DEALLOCATE ALL')
    await assert.rejects(read(), { code: '26000' })
    assert.deepEqual(await read(), [{ remembered: 1 }])
  })

  test('in a transaction that has failed is refused, known or new, and works when the transaction is over', async () => {
    const readOne = () => sendStatement(client, 'SELECT 1 AS one_of_a_transaction', [])
    const readTwo = () => sendStatement(client, 'SELECT 2 AS two_of_a_transaction', [])
    await readOne()
    await client.query('BEGIN')
    await assert.rejects(sendStatement(client, 'SELECT 1 / $1::int AS divided', [0]), { code: '22012' })
    await assert.rejects(readOne(), { code: '25P02' })
    await assert.rejects(readTwo(), { code: '25P02' })
    await client.query('ROLLBACK')
    assert.deepEqual(await readOne(), [{ one_of_a_transaction: 1 }])
    assert.deepEqual(await readTwo(), [{ two_of_a_transaction: 2 }])
  })

  test('whose commit fails after it has run is an error', async () => {
    await client.query(`CREATE TABLE refunds (payment TEXT REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED)`)
    const insert = () => sendStatement(client, 'INSERT INTO refunds VALUES ($1) RETURNING payment', ['none'])
    await assert.rejects(insert(), { code: '23503' })
    await assert.rejects(insert(), { code: '23503' })
    await client.query('DROP TABLE refunds')
  })

  test('whose connection is lost is an error, and so is every one behind it', async () => {
    const cut = new pg.Client({ connectionString: proxy.url })
    cut.on('error', () => undefined)
    await cut.connect()
    const [{ pid = 0 } = {}] = await sendStatement(cut, 'SELECT pg_backend_pid() AS pid', [])
    const lost = [
      sendStatement(cut, 'SELECT pg_sleep(60)::text AS slept', []),
      sendStatement(cut, 'SELECT 1 AS behind', []),
    ].map((call) => assert.rejects(call, /terminat/))
    await client.query('SELECT pg_terminate_backend($1)', [pid])
    await Promise.all(lost)
    await assert.rejects(sendStatement(cut, 'SELECT 1 AS behind', []), /not queryable|ended/)
  })

  test('of no statement at all answers nothing', async () => {
    assert.deepEqual(await sendStatement(client, '-- nothing', []), [])
    assert.deepEqual(await sendStatement(client, '-- nothing', []), [])
  })

  test('whose columns a migration has changed is refused by PostgreSQL: no value is read as another column', async () => {
    const read = () => sendStatement(client, 'SELECT * FROM payments', [])
    await client.query("INSERT INTO payments VALUES ('one', 4980)")
    assert.deepEqual(await read(), [{ id: 'one', amount: 4980 }])
    await client.query(`ALTER TABLE payments RENAME id TO old_id; ALTER TABLE payments RENAME amount TO id;
      ALTER TABLE payments RENAME old_id TO amount`)
    await assert.rejects(read(), /cached plan must not change result type/)
  })

  test('times out as every other call of the driver', async () => {
    const impatient = new pg.Client({ connectionString: place.url, query_timeout: 50 })
    // Its session is ended below, which it would report.
    impatient.on('error', () => undefined)
    await impatient.connect()
    await assert.rejects(sendStatement(impatient, 'SELECT pg_sleep(60)::text AS slept', []), /timeout/)
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(60)%' AND datname = current_database()",
    )
    await impatient.end().catch(() => undefined)
  })
})
