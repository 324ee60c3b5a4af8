import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { listenDuring } from '../../../proof/harness/end-server.ts'
import { runCommand } from '../../../proof/harness/run-command.ts'

interface Site {
  readonly url: string
  /** What is answered from now on. */
  html: string
  readonly headers: Record<string, string>
}

const openSite = async (t: TestContext): Promise<Site> => {
  const site = { url: '', html: '<script>pay()</script>', headers: { 'x-frame-options': 'DENY' } }
  const server = createServer((_request, response) => response.writeHead(200, site.headers).end(site.html))
  const port = await listenDuring(t, server)
  return Object.assign(site, { url: `http://shop.localhost:${port}/page` })
}

const folderFor = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-probe-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a page is stored, found unchanged, then found changed by name', async (t) => {
  const site = await openSite(t)
  const env = { INIT_CWD: folderFor(t) }
  const stored = await runCommand(['probe', site.url, '--save', 'page.json'], env)
  // Of no release of ours: its script is none of the inventory.
  assert.equal(stored.code, 1)
  assert.match(stored.printed.join('\n'), /^script inline 1 is none of this release: sha384-/)
  const same = await runCommand(['probe', site.url, '--against', 'page.json'], env)
  assert.deepEqual([same.code, same.printed], [0, ['No change: 1 headers, 1 scripts.']])
  site.html = '<script>skim()</script>'
  delete site.headers['x-frame-options']
  const changed = await runCommand(['probe', site.url, '--against', 'page.json', '--json'], env)
  assert.equal(changed.code, 1)
  const { changes } = JSON.parse(changed.printed.join()) as { changes: string[] }
  assert.equal(changes.length, 2)
  assert.match(changes.join(), /^header x-frame-options is gone,script inline 1 has changed/)
})

test('a page without any script is none of ours, and not in order', async (t) => {
  const site = await openSite(t)
  site.html = '<p>sold out</p>'
  const { code, printed } = await runCommand(['probe', site.url], {})
  assert.deepEqual([code, printed[0]], [1, 'no script was seen: this is no page of ours'])
})

test('what cannot be opened or compared is said in one line', async (t) => {
  const site = await openSite(t)
  const folder = folderFor(t)
  const env = { INIT_CWD: folder }
  writeFileSync(join(folder, 'other.json'), '{"a":1}')
  const refused: [RegExp, ...string[]][] = [
    [/^This is no address of a page/, 'javascript:1'],
    [/^The page cannot be opened \(.*ECONNREFUSED/, 'http://127.0.0.1:1/'],
    [/^--against cannot be read/, site.url, '--against', 'gone.json'],
    [/was not written by .* probe --save/, site.url, '--against', 'other.json'],
  ]
  for (const [line, ...args] of refused) {
    const { code, errors, printed } = await runCommand(['probe', ...args], env)
    assert.deepEqual([code, printed], [2, []])
    assert.match(errors.join('\n'), line)
  }
})
