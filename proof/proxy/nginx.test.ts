import assert from 'node:assert/strict'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { ROOT } from '../../tools/root.ts'
import { temporaryFolder } from '../../tools/testing/temporary-folder.ts'
import { findNginx, renderNginxFile, type NginxTestSettings } from './nginx.ts'

const DEPLOYED = readFileSync(join(ROOT, 'deploy', 'nginx.conf'), 'utf8')
const CADDYFILE = readFileSync(join(ROOT, 'deploy', 'Caddyfile'), 'utf8')

const SETTINGS: NginxTestSettings = {
  folder: '/test/nginx',
  ports: { http: 10_080, https: 10_443, server: 13_000, sandbox: 13_001 },
  baseName: 'pay.test',
  certificateFile: '/test/server.pem',
  keyFile: '/test/server-key.pem',
  user: 'root',
}

/** The directives of a file, without comments and indentation. */
const directivesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')

test('nginx is the first program of that name on the PATH, else one in a folder of the system', (t) => {
  const folder = temporaryFolder(t, { 'a/nginx': '', 'b/nginx': '', 'sbin/nginx': '' })
  const at = (name: string): string => join(folder, name)
  for (const name of ['b', 'sbin']) chmodSync(at(`${name}/nginx`), 0o755)
  assert.equal(findNginx(`${at('none')}:${at('a')}:${at('b')}`, [at('sbin')]), at('b/nginx'))
  assert.equal(findNginx(at('a'), [at('sbin')]), at('sbin/nginx'))
  assert.equal(findNginx('', [at('a')]), undefined)
})

test('the file that the proof runs listens on loopback alone and writes into its own folder alone', () => {
  const directives = directivesOf(renderNginxFile(DEPLOYED, SETTINGS))
  const listens = directives.filter((line) => line.startsWith('listen '))
  assert.equal(listens.length, 5)
  for (const line of listens) assert.match(line, /^listen 127\.0\.0\.1:(10080|10443)\b/)
  assert.ok(directives.includes('pid /test/nginx/nginx.pid;'))
  // Behind `location` stands a path of an address, not of a file.
  const ofFiles = directives.filter((line) => !line.startsWith('location '))
  const paths = ofFiles.join('\n').match(/(?<=\s)\/[^\s;]+/g) ?? []
  assert.deepEqual(
    paths.filter((path) => !path.startsWith('/test/')),
    [],
  )
  assert.deepEqual(
    directives.filter((line) => /example|:3000|:3001/.test(line)),
    [],
  )
  assert.ok(directives.includes('user root;'))
  const unprivileged = directivesOf(renderNginxFile(DEPLOYED, { ...SETTINGS, user: null }))
  assert.deepEqual(
    unprivileged.filter((line) => line.startsWith('user ')),
    [],
  )
})

test('apart from ports, names and files the proof runs what is delivered', () => {
  const adapted =
    /^(user|pid|error_log|access_log|ssl_certificate|ssl_certificate_key|listen|server|server_name) |_temp_path /
  const unchanged = (text: string): string[] => directivesOf(text).filter((line) => !adapted.test(line))
  assert.deepEqual(
    unchanged(renderNginxFile(DEPLOYED, SETTINGS)),
    unchanged(DEPLOYED).map((line) => line.replace('Host $host;', 'Host $host:10443;')),
  )
})

test('a delivered file that has lost a piece is refused, not run without it', () => {
  for (const piece of ['listen [::]:', '127.0.0.1:3001', 'Host $host;', '/etc/ssl/kaikei/privkey.pem'])
    assert.throws(() => renderNginxFile(DEPLOYED.replaceAll(piece, ''), SETTINGS), CommandError)
})

const CLEARED = ['X-Forwarded-Host', 'X-Forwarded-Port', 'Forwarded', 'X-Real-IP']

test('nginx overwrites what Kaikei believes, and passes on nothing that the browser sent about itself', () => {
  const headers = directivesOf(DEPLOYED).filter((line) => line.startsWith('proxy_set_header '))
  assert.deepEqual(headers.toSorted(), [
    'proxy_set_header Connection "";',
    'proxy_set_header Forwarded "";',
    'proxy_set_header Host $host;',
    'proxy_set_header X-Forwarded-For $remote_addr;',
    'proxy_set_header X-Forwarded-Host "";',
    'proxy_set_header X-Forwarded-Port "";',
    'proxy_set_header X-Forwarded-Proto $scheme;',
    'proxy_set_header X-Real-IP "";',
  ])
  // Below a server or a location one such line would switch off all of them.
  assert.ok(DEPLOYED.lastIndexOf('proxy_set_header X') < DEPLOYED.indexOf('\n  server {'))
})

test('Caddy overwrites and removes the same headers for both upstreams', () => {
  const headers = directivesOf(CADDYFILE).filter((line) => line.startsWith('header_up '))
  assert.deepEqual(headers.toSorted(), [
    ...CLEARED.map((name) => `header_up -${name}`).toSorted(),
    'header_up Host {host}',
    'header_up X-Forwarded-For {remote_host}',
    'header_up X-Forwarded-Proto {scheme}',
  ])
  assert.match(CADDYFILE, /reverse_proxy 127\.0\.0\.1:3000 \{\s+import to_kaikei\n/)
  assert.match(CADDYFILE, /reverse_proxy 127\.0\.0\.1:3001 \{\s+import to_kaikei\n/)
})

test('both files serve every host: the base, all below it, and the two of the sandbox', () => {
  const names = directivesOf(DEPLOYED).filter((line) => line.startsWith('server_name '))
  assert.deepEqual(
    [...new Set(names)],
    ['server_name pay.example.com *.pay.example.com;', 'server_name 3ds-server.pay.example.com bank.pay.example.com;'],
  )
  assert.match(CADDYFILE, /^pay\.example\.com, \*\.pay\.example\.com \{$/m)
  assert.match(CADDYFILE, /^3ds-server\.pay\.example\.com, bank\.pay\.example\.com \{$/m)
})

test('both wait longer than the 30 seconds that a payment may wait for its outcome', () => {
  for (const [text, name] of [
    [DEPLOYED, 'proxy_read_timeout'],
    [CADDYFILE, 'response_header_timeout'],
  ] as const) {
    const seconds = [...text.matchAll(new RegExp(`^\\s*${name} (\\d+)s`, 'gm'))].map(([, value]) => Number(value))
    assert.ok(seconds.length > 0 && seconds.every((value) => value > 30), `${name} ${seconds.join()}`)
  }
})

test('nginx writes no body to a file: its buffer is as large as the largest body, of calls and of pictures', () => {
  const valuesOf = (name: string): (string | undefined)[] =>
    [...DEPLOYED.matchAll(new RegExp(`^\\s*${name} (\\w+);`, 'gm'))].map(([, value]) => value)
  assert.deepEqual(valuesOf('client_max_body_size'), ['128k', '4m'])
  assert.deepEqual(valuesOf('client_body_buffer_size'), valuesOf('client_max_body_size'))
})

test('each file begins by saying whether it was run here', () => {
  for (const text of [DEPLOYED, CADDYFILE]) assert.match(text, /^#.* was run here/)
})
