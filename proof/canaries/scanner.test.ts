import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { createPostgresDatabase, openSqliteInMemory } from '../harness/databases.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { openSqlite } from '../../server/store/engine/sqlite.ts'
import { createCanaries, type Canary } from './canary.ts'
import { readFolder, readMailbox, readTables, openPostgresFiles, textOutput } from './server-outputs.ts'
import { CVC_LEAKS, NUMBER_LEAKS } from './planted-leaks.ts'
import { createScanner, type ServerOutput } from './scanner.ts'

interface Leak {
  readonly name: string
  readonly what: 'card number' | 'cvc'
  readonly canary: Canary
  readonly text: string
}

/** Planted leaks: every form of a leak, each with a canary of its own, so that a hit shows which one was found. */
const newLeaks = (isWritable: (text: string) => boolean = () => true): Leak[] => {
  const forms = [
    ...Object.entries(NUMBER_LEAKS).map(([name, write]) => ({ name, what: 'card number' as const, write })),
    ...Object.entries(CVC_LEAKS).map(([name, write]) => ({ name, what: 'cvc' as const, write })),
  ]
  const canaries = createCanaries(forms.length * 4, 'planted').filter(({ cvc }) => cvc.length === 4)
  return forms.flatMap(({ name, what, write }, place) => {
    const canary = canaries[place]
    if (canary === undefined) throw new Error('too few canaries')
    const text = write(canary)
    return isWritable(text) ? [{ name, what, canary, text }] : []
  })
}

let planted = 0
const assertAllFound = (leaks: readonly Leak[], output: readonly ServerOutput[], place: RegExp): void => {
  const bystanders = createCanaries(40, 'flows')
  const scanner = createScanner([...leaks.map(({ canary }) => canary), ...bystanders])
  const hits = output.flatMap((each) => scanner.scan(each))
  const missed = leaks.filter(
    ({ canary, what }) => !hits.some((hit) => hit.canary === canary && hit.what === what && place.test(hit.place)),
  )
  assert.deepEqual(
    missed.map(({ name, what }) => `${what} ${name}`),
    [],
  )
  assert.ok(leaks.length > 0)
  // Their codes are left out: a planted number in groups of four may contain another canary's code by chance.
  const invented = hits
    .filter(({ canary }) => canary !== null && bystanders.includes(canary))
    .filter(({ what }) => what === 'card number')
  assert.deepEqual(invented, [], 'a card was found that nobody wrote')
  planted += leaks.length
}

const LEAK_TABLE = 'CREATE TABLE leaks (note TEXT, leak TEXT)'

const insertAll = async (database: Database, leaks: readonly Leak[]): Promise<void> => {
  for (const { canary, text } of leaks)
    await database.rows('INSERT INTO leaks (note, leak) VALUES ($1, $2)', canary.holderName, text)
}

describe('a leak that was planted is found', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-leaks-'))
  })
  after(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  test('in a log line', () => {
    const leaks = newLeaks()
    const lines = leaks.map(({ text }) =>
      JSON.stringify({ level: 'warn', time: '2026-11-15T05:22:33.123Z', msg: text }),
    )
    assertAllFound(leaks, [textOutput('log', lines.join('\n'))], /^log$/)
  })

  test('in the body and in the headers of an answer', () => {
    const leaks = newLeaks()
    for (const part of ['body', 'header']) {
      const answers = leaks.map(({ text }) =>
        textOutput(part, `{"code":"invalid_field","message":${JSON.stringify(text)}}`),
      )
      assertAllFound(leaks, answers, new RegExp(`^${part}$`))
    }
  })

  test('in a mail, though its body is encoded on its way', async () => {
    const leaks = newLeaks()
    const mails = leaks.map(({ text }) => ({
      from: 'receipts@pay.example.com',
      recipients: ['taro@example.com'],
      source: `Subject: Receipt\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}\r\n`,
    }))
    assertAllFound(leaks, await readMailbox({ mails: async () => mails }), /^mailbox$/)
  })

  for (const kind of ['mail', 'webhook']) {
    test(`in the outbox, in a ${kind}`, async () => {
      const database = await openSqliteInMemory()
      const leaks = newLeaks()
      for (const [place, { text }] of leaks.entries()) {
        const body = JSON.stringify({ checkoutId: 'x', note: text })
        const row = `INSERT INTO outbox (merchant_id, id, checkout_id, kind, event, body, created_at) VALUES ('m', $1, 'c', $2, 'e', $3, 0)`
        await database.rows(row, String(place), kind, body)
      }
      assertAllFound(leaks, await readTables(database), new RegExp(`^SQLite outbox, ${kind}$`))
      await database.close()
    })
  }

  test('in a row of the embedded database, in its write-ahead log before any checkpoint, and in its file after one', async () => {
    const path = join(folder, 'rows.sqlite')
    const database = openSqlite(path, null)
    await database.rows(LEAK_TABLE)
    const leaks = newLeaks()
    await insertAll(database, leaks)
    assertAllFound(leaks, await readTables(database), /^SQLite table leaks$/)
    assertAllFound(leaks, await readFolder('data', folder), /rows\.sqlite-wal$/)
    await database.close()
    assertAllFound(leaks, await readFolder('data', folder), /rows\.sqlite$/)
  })

  test('on a free page of the database file that a deleted row was on', async () => {
    const path = join(folder, 'deleted.sqlite')
    const database = new DatabaseSync(path)
    database.exec(LEAK_TABLE)
    const leaks = newLeaks()
    const insert = database.prepare('INSERT INTO leaks (note, leak) VALUES (?, ?)')
    for (const { canary, text } of leaks) insert.run(canary.holderName, text)
    database.exec('DROP TABLE leaks')
    database.close()
    assertAllFound(leaks, await readFolder('data', folder), /deleted\.sqlite$/)
  })

  test('as an integer in a column, which a database stores as bytes', async () => {
    const path = join(folder, 'numbers.sqlite')
    const database = new DatabaseSync(path)
    database.exec('CREATE TABLE numbers (whole BIGINT, loose)')
    const canaries = createCanaries(12, 'planted')
    for (const { number } of canaries.slice(0, 6))
      database.prepare('INSERT INTO numbers VALUES (?, 0)').run(BigInt(number))
    for (const { number } of canaries.slice(6))
      database.prepare('INSERT INTO numbers VALUES (0, ?)').run(Number(number))
    database.close()
    const leaks = canaries.map((canary): Leak => ({ name: 'as bytes', what: 'card number', canary, text: '' }))
    assertAllFound(leaks, await readFolder('data', folder), /numbers\.sqlite$/)
  })

  test('in a file that a crash has left, and in its name', async () => {
    const leaks = newLeaks()
    await writeFile(
      join(folder, 'core'),
      leaks.map(({ text, canary }) => `\0\u0001${canary.email}\u0002${text}\0\0`).join('\0'),
    )
    assertAllFound(leaks, await readFolder('data', folder), /core$/)
    const named = newLeaks((text) => !/[/\0\n]/.test(text) && Buffer.byteLength(text) < 250)
    for (const { text } of named) await writeFile(join(folder, text), '')
    assertAllFound(named, await readFolder('data', folder), /file names$/)
  })

  test('in a row on PostgreSQL, and in the write-ahead log when the row is deleted', async (t) => {
    const postgres = await createPostgresDatabase()
    const files = await openPostgresFiles(postgres.url)
    const database = await openPostgres(postgres.url)
    try {
      await database.rows(LEAK_TABLE)
      const leaks = newLeaks((text) => !text.includes('\0'))
      await insertAll(database, leaks)
      assertAllFound(leaks, await readTables(database), /^PostgreSQL table leaks$/)
      await database.rows('DELETE FROM leaks')
      if (files.unreadable === null) {
        assertAllFound(leaks, await files.read(), /^PostgreSQL WAL$/)
      } else t.diagnostic(`the files of PostgreSQL cannot be read here: ${files.unreadable}`)
    } finally {
      await files.close()
      await database.close()
      await postgres.drop()
    }
  })
})

test('a leak is found although the byte after it is a digit by chance', () => {
  const [one, two, three, four] = createCanaries(4, 'planted')
  assert.ok(one !== undefined && two !== undefined && three !== undefined && four !== undefined)
  const leaks: Leak[] = [
    { name: 'code of four', what: 'cvc', canary: one, text: `${one.holderName} ${one.cvc}` },
    { name: 'code of three', what: 'cvc', canary: four, text: `${four.holderName} ${four.cvc}` },
    { name: 'last ten', what: 'card number', canary: two, text: two.number.slice(-10) },
    {
      name: 'two columns',
      what: 'card number',
      canary: three,
      text: `${three.number.slice(0, 8)}\u0013${three.number.slice(8)}`,
    },
  ]
  assert.deepEqual([one.cvc.length, four.cvc.length], [4, 3])
  const bytes = Buffer.from(leaks.map(({ text }) => `\u0002${text}7\0`).join(' '.repeat(500)))
  assertAllFound(leaks, [{ place: 'log', kind: 'bytes', bytes }], /^log$/)
})

test('every form of a leak was planted in every place', (t) => {
  assert.ok(planted >= 400, `${planted} leaks are too few`)
  t.diagnostic(`${planted} planted leaks, all found`)
})

test('brand, first six and last four digits are no leak, nor are years, yen, ids and milliseconds', () => {
  const canaries = createCanaries(300, 'flows')
  const scanner = createScanner(canaries)
  const lines = canaries.map(({ number, cvc, holderName, email }) => {
    const bin = number.slice(0, 6)
    const last = number.slice(-4)
    return `{"approvedAt":"2026-11-15T05:22:33.${cvc.slice(0, 3)}Z","card":{"brand":"visa","number":"•••• ${last}"},"masked":"${bin}******${last}","name":"${holderName}","email":"${email}","at":${Date.now()},"ms":213,"amount":1980,"id":"0213a4b5-0213-4213-8213-021302130213","orderCode":"seirpcvn${Number(cvc)}w7rki6q3vhrp67ipnc2ig","time":"2026-11-15T05:22:33.021Z"}`
  })
  for (const kind of ['text', 'bytes'] as const)
    assert.deepEqual(scanner.scan({ place: 'allowed', kind, bytes: Buffer.from(lines.join('\n')) }), [])
})
