import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { isRefusal } from '#contract/errors.ts'
import { MINUTE_MS } from '#contract/jst.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { randomId } from '../../ids.ts'
import type { Database } from '../../store/engine/database.ts'
import { hashToken, insertPerson } from '../../store/people/people.ts'
import { insertSession } from '../../store/people/sessions.ts'
import { browserName } from './browser-name.ts'
import { readCookie, setCookie } from './cookies.ts'
import { createSessionCheck } from './session-check.ts'

const PUBLIC = new URL('https://pay.example.com')
const clock = virtualClock()
const token = randomId()
let database: Database
let app: FastifyInstance

before(async () => {
  database = await openSqliteInMemory()
  const person = { id: 'p', email: 'a@example.com', name: 'A', locale: 'ja', isOperator: false } as const
  await insertPerson(database, person, clock.now())
  const session = { hash: hashToken(token), personId: 'p', passkeyId: null, isRecovery: false, browser: 'x' }
  await insertSession(database, session, clock.now())
  app = fastify()
  const check = createSessionCheck({ database, clock, publicBase: PUBLIC })
  app.get('/', async (request, reply) => {
    setCookie(reply, 'session', token, PUBLIC)
    const found = await check(request)
    return { is: isRefusal(found) ? found.refused : found.person.name, cookie: readCookie(request, 'session', PUBLIC) }
  })
})

const ask = async (headers: Readonly<Record<string, string>>): Promise<string> => {
  const sent = { host: 'console.pay.example.com', 'sec-fetch-site': 'same-origin', ...headers }
  return (await app.inject({ url: '/', headers: sent })).json<{ is: string }>().is
}

const GOOD = `__Host-kaikei-session=${token}`

test('a session is taken by its cookie from the console’s own page, and never by two cookies of one name', async () => {
  assert.equal(await ask({ cookie: GOOD }), 'A')
  assert.equal(await ask({ cookie: `other=1; ${GOOD}; more=2` }), 'A')
  for (const cookie of [
    '',
    `kaikei-session=${token}`,
    `__Host-kaikei-session=${randomId()}`,
    `__Host-kaikei-session=${token}x`,
    `${GOOD}; ${GOOD}`,
    `__Host-kaikei-session=${hashToken(token)}`,
  ])
    assert.equal(await ask({ cookie }), 'signed_out', cookie)
  assert.equal(await ask({ cookie: GOOD, 'sec-fetch-site': 'same-site' }), 'not_from_the_console')
  assert.equal(await ask({ cookie: GOOD, host: 'pay.example.com' }), 'not_from_the_console')
})

test('its cookie is for this host alone, hidden from scripts, and sent from no other site', async () => {
  const { headers } = await app.inject({ url: '/', headers: { host: 'x' } })
  assert.equal(headers['set-cookie'], `${GOOD}; Path=/; HttpOnly; SameSite=Strict; Secure`)
})

test('its last use is written at most once a minute', async () => {
  const lastUse = async (): Promise<unknown> =>
    (await database.rows('SELECT last_used_at FROM person_sessions'))[0]?.['last_used_at']
  const begun = await lastUse()
  clock.advance(MINUTE_MS - 1)
  await ask({ cookie: GOOD })
  assert.equal(await lastUse(), begun)
  clock.advance(1)
  await ask({ cookie: GOOD })
  assert.equal(await lastUse(), clock.now())
})

test('a browser is called by names of ours, whatever it sends', () => {
  const agents: Readonly<Record<string, string>> = {
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1':
      'Safari, iPhone',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0':
      'Edge, Windows',
    'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0': 'Firefox, Linux',
    '<script>': 'another browser',
  }
  for (const [agent, name] of Object.entries(agents)) assert.equal(browserName(agent), name)
  assert.equal(browserName(), 'another browser')
})
