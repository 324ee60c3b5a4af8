import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecentlyRead } from './recently-read.ts'

const KEPT_MS = 60_000
const BYTES_MAX = 1024

/** A database of pictures of this length; it knows every hash that does not begin with `no`. */
const openRecent = (length = 1) => {
  const read: string[] = []
  const time = { now: 0 }
  const find = async (merchantId: string, hash: string): Promise<Buffer | null> => {
    read.push(`${merchantId} ${hash}`)
    if (hash === 'fault') throw new Error('gone')
    return hash.startsWith('no') ? null : Buffer.alloc(length)
  }
  const options = { find, lengthOf: (file: Buffer) => file.length, bytesMax: BYTES_MAX, elapsed: () => time.now }
  return { read, time, find: createRecentlyRead(options) }
}

test('a picture is read once a minute, however many ask for it, and all share one copy', async () => {
  const { read, time, find } = openRecent()
  const [first, second] = await Promise.all([find('tea', 'a'), find('tea', 'a')])
  assert.ok(first !== null && first === second)
  time.now = KEPT_MS - 1
  assert.equal(await find('tea', 'a'), first)
  assert.equal(read.length, 1)
  time.now = KEPT_MS
  await find('tea', 'a')
  assert.equal(read.length, 2)
})

test('another merchant’s is another one', async () => {
  const { read, find } = openRecent()
  await find('tea', 'a')
  await find('books', 'a')
  assert.deepEqual(read, ['tea a', 'books a'])
})

test('one that is not there, or that could not be read, is asked for again', async () => {
  const { read, find } = openRecent()
  for (let times = 0; times < 2; times += 1) {
    assert.equal(await find('tea', 'none'), null)
    await assert.rejects(find('tea', 'fault'), /gone/)
  }
  assert.equal(read.length, 4)
})

test('no more bytes are kept than the limit, and the one that was read first goes first', async () => {
  const { read, find } = openRecent(BYTES_MAX / 4)
  for (const hash of ['a', 'b', 'c', 'd']) await find('tea', hash)
  for (const hash of ['a', 'b', 'c', 'd']) await find('tea', hash)
  assert.equal(read.length, 4)
  await find('tea', 'e')
  for (const hash of ['b', 'c', 'd', 'e']) await find('tea', hash)
  assert.equal(read.length, 5)
  await find('tea', 'a')
  assert.equal(read.length, 6)
})
