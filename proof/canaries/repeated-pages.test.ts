import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutRepeatedPages } from './repeated-pages.ts'
import type { ServerOutput } from './scanner.ts'

const PAGE_BYTES = 512

const pageOf = (text: string): Buffer => Buffer.concat([Buffer.from(text), Buffer.alloc(PAGE_BYTES - text.length)])

/** The first page of a database names the size of all. */
const databaseOf = (...pages: readonly Buffer[]): Buffer => {
  const first = pageOf('SQLite format 3')
  first.writeUInt16BE(PAGE_BYTES, 16)
  return Buffer.concat([first, ...pages])
}

const logOf = (...pages: readonly Buffer[]): Buffer => {
  const header = Buffer.alloc(32)
  header.writeUInt32BE(PAGE_BYTES, 8)
  return Buffer.concat([header, ...pages.flatMap((page) => [Buffer.alloc(24, 0xff), page])])
}

const output = (place: string, bytes: Buffer): ServerOutput => ({ place, kind: 'bytes', bytes })

test('a page of a database is scanned once, in its file or in its log, and one that has changed is scanned again', () => {
  const [same, before, after] = [pageOf('same'), pageOf('before'), pageOf('a card number')]
  const found = withoutRepeatedPages([
    output('running, kaikei.sqlite', databaseOf(same, before)),
    output('running, kaikei.sqlite-wal', logOf(same, after)),
    output('stopped, kaikei.sqlite', databaseOf(same, after)),
    output('stopped, kaikei.sqlite-wal', Buffer.alloc(0)),
    output('logs', same),
  ])
  assert.deepEqual(
    found.map(({ bytes }) => bytes),
    [databaseOf(same, before), after, Buffer.alloc(0), Buffer.alloc(0), same],
  )
})

test('the last page of a log that a kill has cut off is scanned too', () => {
  const cut = logOf(pageOf('whole'), pageOf('a card number')).subarray(0, -100)
  const [log] = withoutRepeatedPages([output('after SIGKILL, kaikei.sqlite-wal', cut)])
  assert.ok(log?.bytes.includes('a card number'))
})
