import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { acceptedEncoding, compressDocument } from './compression.ts'

test('brotli comes before gzip, whatever their order, and nothing is compressed unasked', () => {
  assert.equal(acceptedEncoding('gzip, deflate, br, zstd'), 'br')
  assert.equal(acceptedEncoding('br'), 'br')
  assert.equal(acceptedEncoding('gzip, deflate'), 'gzip')
  assert.equal(acceptedEncoding('GZIP'), 'gzip')
  assert.equal(acceptedEncoding('*'), 'br')
  for (const none of [undefined, '', 'identity', 'deflate', 'brotli', 'zstd, compress'])
    assert.equal(acceptedEncoding(none), undefined)
})

test('an encoding of weight 0 is refused, also when the star would allow it', () => {
  assert.equal(acceptedEncoding('br;q=0, gzip;q=0.1'), 'gzip')
  assert.equal(acceptedEncoding('br; q=0.0, *'), 'gzip')
  assert.equal(acceptedEncoding('*;q=0, br;q=0.001'), 'br')
  assert.equal(acceptedEncoding('*;q=0'), undefined)
  assert.equal(acceptedEncoding('gzip;q=0, br;q=0'), undefined)
})

test('only the first twenty elements of the header are read', () => {
  const others = (count: number): string => Array.from({ length: count }, (_, place) => `x${place}`).join(',')
  assert.equal(acceptedEncoding(`${others(19)},br`), 'br')
  assert.equal(acceptedEncoding(`${others(20)},br`), undefined)
})

test('a compressed document is the same document, and smaller', async () => {
  const html = `<!doctype html>${'<p lang="ja">お支払い金額 ¥1,980</p>'.repeat(200)}`
  const [br, gz] = await Promise.all([compressDocument(html, 'br'), compressDocument(html, 'gzip')])
  assert.equal(brotliDecompressSync(br).toString('utf8'), html)
  assert.equal(gunzipSync(gz).toString('utf8'), html)
  assert.ok(br.length < html.length / 20 && gz.length < html.length / 20)
})
