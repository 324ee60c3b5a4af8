import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { COALESCED_MAX, coalesceReads } from './coalesced-reads.ts'
import type { Row } from '../engine/database.ts'

const STORED = ['a', 'b', 'c']

/** A database that holds checkouts of the merchant "tea", and notes what it is asked. */
const openReads = () => {
  const sent: string[] = []
  const rowOf = (merchantId: string, id: string): Row[] =>
    merchantId === 'tea' && (STORED.includes(id) || id.startsWith('n')) ? [{ merchant_id: merchantId, id }] : []
  const read = coalesceReads(
    async (merchantId, id) => {
      sent.push(`one: ${id}`)
      return rowOf(merchantId, id)
    },
    async (merchantIds, ids) => {
      sent.push(`many: ${ids.join()}`)
      // In another order than asked, and each once, as a database may answer.
      const keys = new Map(
        ids.map((id, place) => [`${merchantIds[place]} ${id}`, [merchantIds[place] ?? '', id] as const]),
      )
      return [...keys.values()].toReversed().flatMap(([merchantId, id]) => rowOf(merchantId, id))
    },
  )
  return { sent, idsOf: async (merchantId: string, id: string) => (await read(merchantId, id)).map((row) => row['id']) }
}

test('readings of one turn of the event loop are one statement, and each gets its own row', async () => {
  const { sent, idsOf } = openReads()
  const answers = await Promise.all(['b', 'a', 'gone', 'c'].map((id) => idsOf('tea', id)))
  assert.deepEqual(answers, [['b'], ['a'], [], ['c']])
  assert.deepEqual(sent, ['many: b,a,gone,c'])
})

test('readings that begin a few promises later belong to the same turn', async () => {
  const { sent, idsOf } = openReads()
  const later = async (id: string) => {
    for (let step = 0; step < 10; step += 1) await Promise.resolve()
    return idsOf('tea', id)
  }
  assert.deepEqual(await Promise.all([idsOf('tea', 'a'), later('b')]), [['a'], ['b']])
  assert.deepEqual(sent, ['many: a,b'])
})

test('one alone is a statement of its own, and so is one of a later turn', async () => {
  const { sent, idsOf } = openReads()
  assert.deepEqual(await idsOf('tea', 'a'), ['a'])
  const second = idsOf('tea', 'b')
  await nextTurn()
  assert.deepEqual([await second, await idsOf('tea', 'gone')], [['b'], []])
  assert.deepEqual(sent, ['one: a', 'one: b', 'one: gone'])
})

test('the same checkout is read by many at once, and by no other merchant', async () => {
  const { idsOf } = openReads()
  assert.deepEqual(await Promise.all([idsOf('tea', 'a'), idsOf('books', 'a'), idsOf('tea', 'a')]), [['a'], [], ['a']])
})

test('nothing is sent before the turn ends: what is committed until then is seen', async () => {
  const { sent, idsOf } = openReads()
  const both = [idsOf('tea', 'a'), idsOf('tea', 'b')]
  await Promise.resolve()
  assert.deepEqual(sent, [])
  await Promise.all(both)
})

for (const [asked, statements] of [
  [COALESCED_MAX, [COALESCED_MAX]],
  [COALESCED_MAX + 1, [COALESCED_MAX, 1]],
] as const)
  test(`${asked} readings are ${statements.length} statements`, async () => {
    const { sent, idsOf } = openReads()
    const ids = Array.from({ length: asked }, (_none, place) => `n${place}`)
    assert.deepEqual(
      await Promise.all(ids.map((id) => idsOf('tea', id))),
      ids.map((id) => [id]),
    )
    assert.deepEqual(
      sent.map((statement) => statement.split(',').length),
      statements,
    )
  })

test('an error is told to all of them, and the next ones are read again', async () => {
  let isAway = true
  const answer = async (): Promise<Row[]> => {
    if (isAway) throw new Error('away')
    return []
  }
  const read = coalesceReads(answer, answer)
  const outcomes = await Promise.allSettled([read('tea', 'a'), read('tea', 'b')])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  isAway = false
  assert.deepEqual(await Promise.all([read('tea', 'a'), read('tea', 'b')]), [[], []])
})
