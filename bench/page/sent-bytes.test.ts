import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { listenDuring } from '../../proof/harness/end-server.ts'
import { brotliCompressSync } from 'node:zlib'
import { firstScripts, sentBytes } from './sent-bytes.ts'

const HTML = `<link rel="icon" href="/a/i.svg"><link rel="modulepreload" href="/a/main.js" nonce="n">
<link rel="modulepreload" href="/a/ja.js"><link rel="modulepreload" fetchpriority="low" href="/a/later.js">
<script nonce="n">inline()</script><script type="module" src="/a/main.js"></script>`

test('each script that the document names counts once, and what has low priority does not', () => {
  assert.deepEqual(firstScripts(HTML), ['/a/main.js', '/a/ja.js'])
})

test('bytes are counted as they are sent, compressed or not', async (t) => {
  const document = brotliCompressSync(HTML)
  const server = createServer((request, response) => {
    if (request.url === '/?locale=ja') response.writeHead(200, { 'content-encoding': 'br' }).end(document)
    else response.end('x'.repeat(request.url === '/a/main.js' ? 300 : 20))
  })
  const port = await listenDuring(t, server)
  const sent = await sentBytes(`http://demo.localhost:${port}/?locale=ja`)
  assert.deepEqual(sent, { documentBytes: document.length, scriptBytes: 320 })
})
