import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { clearCookie, readCookie, setCookie } from './cookies.ts'

const TOKEN = 'a'.repeat(32)

const cookieAt = async (base: string, sent: string): Promise<[string, string | null]> => {
  const app = fastify()
  let read: string | null = null
  app.get('/', async (request, reply) => {
    read = readCookie(request, 'session', new URL(base))
    return setCookie(reply, 'session', TOKEN, new URL(base)).send('')
  })
  app.delete('/', async (_request, reply) => clearCookie(reply, 'session', new URL(base)).send(''))
  const { headers } = await app.inject({ url: '/', headers: { cookie: sent } })
  const cleared = await app.inject({ method: 'DELETE', url: '/' })
  assert.match(String(cleared.headers['set-cookie']), /=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict/)
  return [String(headers['set-cookie']), read]
}

test('the cookie of a session is of the console’s host alone: over TLS no other host can set or read it', async () => {
  const [set, read] = await cookieAt('https://pay.example.com', `__Host-kaikei-session=${TOKEN}`)
  // Without Domain a browser sends it to this host alone; __Host- demands that there is none.
  assert.equal(set, `__Host-kaikei-session=${TOKEN}; Path=/; HttpOnly; SameSite=Strict; Secure`)
  assert.equal(read, TOKEN)
  // A merchant's host can set a cookie without the prefix for the whole site: it is not ours.
  assert.equal((await cookieAt('https://pay.example.com', `kaikei-session=${TOKEN}`))[1], null)
})

test('on loopback without TLS the cookie has no prefix, and one that was sent twice is none', async () => {
  const [set, read] = await cookieAt('http://localhost:3000', `a=b; kaikei-session=${TOKEN}`)
  assert.equal(set, `kaikei-session=${TOKEN}; Path=/; HttpOnly; SameSite=Strict`)
  assert.equal(read, TOKEN)
  const twice = `kaikei-session=${TOKEN}; kaikei-session=${'b'.repeat(32)}`
  assert.equal((await cookieAt('http://localhost:3000', twice))[1], null)
  assert.equal((await cookieAt('http://localhost:3000', 'kaikei-session=../../etc'))[1], null)
})
