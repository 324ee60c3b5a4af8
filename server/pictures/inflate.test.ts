import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { inflateAtMost, inflateExactly } from './inflate.ts'

const MEGABYTE = 1024 * 1024

test('pixels of exactly the expected length are accepted, of a byte more or less refused', async () => {
  const packed = deflateSync(Buffer.alloc(1000))
  assert.equal(await inflateExactly(packed, 1000), packed.length)
  assert.deepEqual(await inflateExactly(packed, 999), {
    why: 'damaged',
    part: 'it holds more pixels than its header says',
  })
  assert.deepEqual(await inflateExactly(packed, 1001), {
    why: 'damaged',
    part: 'it holds fewer pixels than its header says',
  })
})

test('what stands behind the packed pixels is not counted', async () => {
  const packed = deflateSync(Buffer.alloc(1000))
  assert.equal(await inflateExactly(Buffer.concat([packed, Buffer.from('<script>')]), 1000), packed.length)
})

test('a bomb of half a gigabyte is left after its first piece, without memory for the rest', async () => {
  const bomb = deflateSync(Buffer.alloc(512 * MEGABYTE), { level: 1 })
  const before = process.memoryUsage.rss()
  const started = process.cpuUsage()
  await inflateExactly(bomb, 1000)
  const { user, system } = process.cpuUsage(started)
  assert.ok((user + system) / 1000 < 100, `${(user + system) / 1000} ms`)
  assert.ok(process.memoryUsage.rss() - before < 64 * MEGABYTE)
})

test('pictures are unpacked one after another, and one that is refused does not stop those behind it', async () => {
  const packed = deflateSync(Buffer.alloc(8 * MEGABYTE))
  const order: number[] = []
  const sizes = [8 * MEGABYTE, 1, 8 * MEGABYTE]
  await Promise.all(sizes.map((size, place) => inflateExactly(packed, size).then(() => order.push(place))))
  assert.deepEqual(order, [0, 1, 2])
})

test('short data are unpacked up to a limit and not beyond it', () => {
  const packed = deflateSync(Buffer.alloc(1000, 'a'))
  assert.equal(inflateAtMost(packed, 1000)?.toString(), 'a'.repeat(1000))
  assert.equal(inflateAtMost(packed, 999), null)
  assert.equal(inflateAtMost(Buffer.from('no zlib'), 999), null)
})
