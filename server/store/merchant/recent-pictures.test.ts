import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredPicture } from './pictures.ts'
import { createRecentPictures, KEPT_BYTES_MAX } from './recent-pictures.ts'

const KEPT_MS = 60_000

/** A database of pictures of this length; it knows every hash that does not begin with `no`. */
const openRecent = (length = 1) => {
  const read: string[] = []
  const time = { now: 0 }
  const find = async (merchantId: string, hash: string): Promise<StoredPicture | null> => {
    read.push(`${merchantId} ${hash}`)
    if (hash === 'fault') throw new Error('gone')
    return hash.startsWith('no') ? null : { type: 'image/png', bytes: Buffer.alloc(length) }
  }
  return { read, time, find: createRecentPictures(find, () => time.now) }
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

test('no more than 64 MiB are kept, and the one that was read first goes first', async () => {
  const { read, find } = openRecent(KEPT_BYTES_MAX / 4)
  for (const hash of ['a', 'b', 'c', 'd']) await find('tea', hash)
  for (const hash of ['a', 'b', 'c', 'd']) await find('tea', hash)
  assert.equal(read.length, 4)
  await find('tea', 'e')
  for (const hash of ['b', 'c', 'd', 'e']) await find('tea', hash)
  assert.equal(read.length, 5)
  await find('tea', 'a')
  assert.equal(read.length, 6)
})
