import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { CONSOLE_BASE, CONSOLE_ROUTES, type ConsoleCallName } from '#contract/console/paths.ts'
import { DAY_MS, MINUTE_MS } from '#contract/jst.ts'
import { deleteSession } from '../../server/store/people/sessions.ts'
import { hashToken, type Person } from '../../server/store/people/people.ts'
import { routesIn } from '../fuzz/route-table.ts'
import { statusAndCode } from '../harness/error-answers.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import {
  consoleHeaders,
  FORGED_HEADERS,
  headersSent,
  openSession,
  savePersonWithPasskey,
} from '../harness/test-people.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/** Console access: every call of the console, made by everybody who can sign in, and as a forged call. */
const WHO = ['owner', 'staff', 'viewer', 'operator', 'nobody', 'owner of another shop'] as const
type Who = (typeof WHO)[number]

const OF_THE_SHOP: readonly Who[] = ['owner', 'staff', 'viewer']
const OWNERS: readonly Who[] = ['owner']
const OPERATORS: readonly Who[] = ['operator']

/** Who makes each call at the shop. `anybody`: also whoever has not signed in. A call that is not named here fails the test. */
const ALLOWED: Readonly<Record<ConsoleCallName, readonly Who[] | 'anybody'>> = {
  askForLink: 'anybody',
  readLink: 'anybody',
  consumeLink: 'anybody',
  beginSignIn: 'anybody',
  finishSignIn: 'anybody',
  readSession: WHO,
  endSession: WHO,
  changePerson: WHO,
  listSessions: WHO,
  endOtherSession: WHO,
  beginConfirmation: WHO,
  finishConfirmation: WHO,
  listPasskeys: WHO,
  beginEnrolment: WHO,
  finishEnrolment: WHO,
  removePasskey: WHO,
  listPeople: OF_THE_SHOP,
  invitePerson: OWNERS,
  withdrawInvitation: OWNERS,
  changeRole: OWNERS,
  removePerson: OWNERS,
  approvePasskey: OWNERS,
  listKeys: OWNERS,
  createKey: OWNERS,
  rollKey: OWNERS,
  revokeKey: OWNERS,
  listAudit: OWNERS,
  listShops: OPERATORS,
  openShop: OPERATORS,
  closeShop: OPERATORS,
  reopenShop: OPERATORS,
  listDoubts: OPERATORS,
  listOutbox: OPERATORS,
  retryOutbox: OPERATORS,
  listSetAside: OPERATORS,
  decideSetAside: OPERATORS,
  runDoctor: OPERATORS,
  listInstallationAudit: OPERATORS,
}

/** Calls that give access or close a shop: the passkey must have been asked for within five minutes. */
const CONFIRMED: readonly ConsoleCallName[] = [
  'removePasskey',
  'invitePerson',
  'withdrawInvitation',
  'changeRole',
  'removePerson',
  'approvePasskey',
  'createKey',
  'rollKey',
  'revokeKey',
  'openShop',
  'closeShop',
  'reopenShop',
]

const REFUSED = ['signed_out', 'role_not_allowed', 'not_from_the_console', 'passkey_needed', 'passkey_too_new']
const NAMES = Object.keys(CONSOLE_ROUTES) as ConsoleCallName[]

describe('every call of the console', () => {
  let server: TestServer
  const people = new Map<Who, Person>()

  before(async () => {
    people.clear()
    const clock = virtualClock()
    server = await openTestServer({ gateway: fakeGateway(), clock })
    const save = async (who: Who, more: object = {}): Promise<void> => {
      people.set(who, await savePersonWithPasskey(server.deps.database, { name: who, ...more }, clock.now()))
    }
    for (const role of ['owner', 'staff', 'viewer'] as const)
      await save(role, { member: { merchantId: 'tea-id', role } })
    await save('operator', { isOperator: true })
    await save('nobody')
    await save('owner of another shop', { member: { merchantId: 'books-id', role: 'owner' } })
  })

  /** Somebody without a passkey yet reads who has signed in, enrols one, confirms with one, and signs out. */
  const needsPasskey = (name: ConsoleCallName): boolean =>
    CONSOLE_ROUTES[name].access !== 'anybody' && CONSOLE_ROUTES[name].access !== 'session'

  const session = (who: Who, beganBy?: 'link'): Promise<string> =>
    openSession(server.deps.database, people.get(who) ?? assert.fail(), server.clock.now(), beganBy)

  /** About things that do not exist, and without a body: what a caller may do is asked before. */
  const send = (
    name: ConsoleCallName,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<LightMyRequestResponse> => {
    const { method, path } = CONSOLE_ROUTES[name]
    // So that no limit of tries is in the way, which would look alike for everybody.
    server.clock.advance(1000)
    const url = CONSOLE_BASE + path.replaceAll(/:\w+/g, 'a'.repeat(32))
    return server.app.inject({ method, url, headers: headersSent(headers) })
  }
  const wasRefused = (answer: LightMyRequestResponse): boolean =>
    REFUSED.includes(answer.json<{ code?: string }>().code ?? '')
  /** Somebody who may make a call. */
  const allowed = (name: ConsoleCallName): Who => {
    const who = ALLOWED[name]
    return who === 'anybody' ? 'owner' : (who[0] ?? assert.fail())
  }

  test('is a route of the server, and no other is', () => {
    const routes = routesIn(server.app.printRoutes()).filter((route) => route.split(' ')[1]?.startsWith(CONSOLE_BASE))
    const calls = Object.values(CONSOLE_ROUTES).map(({ method, path }) => `${method} ${CONSOLE_BASE}${path}`)
    assert.deepEqual(routes, [...calls, `GET ${CONSOLE_BASE}/*`].toSorted())
  })

  test('is made by whom its table names, with a new session each, and by nobody else', async () => {
    for (const name of NAMES)
      for (const who of WHO) {
        const answer = await send(name, consoleHeaders(await session(who), { merchant: 'tea' }))
        const what = `${name} by ${who}: ${answer.statusCode} ${answer.body.slice(0, 200)}`
        const may = ALLOWED[name]
        if (may !== 'anybody' && !may.includes(who))
          assert.deepEqual(statusAndCode(answer), [403, 'role_not_allowed'], what)
        else assert.ok(!wasRefused(answer) && answer.statusCode < 500 && answer.statusCode !== 405, what)
      }
  })

  test('that gives access asks for the passkey, and no other does', async () => {
    for (const name of NAMES) {
      const token = await session(allowed(name))
      server.clock.advance(5 * MINUTE_MS)
      const answer = await send(name, consoleHeaders(token, { merchant: 'tea' }))
      const what = `${name}: ${answer.statusCode} ${answer.body.slice(0, 200)}`
      if (CONFIRMED.includes(name)) assert.deepEqual(statusAndCode(answer), [403, 'passkey_needed'], what)
      // Whoever has a passkey enrols another one with it alone.
      else if (!name.endsWith('Enrolment')) assert.ok(!wasRefused(answer), what)
    }
  })

  test('is refused to a session that began by a link and has no passkey yet, but what signs in and out', async () => {
    const open = NAMES.filter((name) => CONSOLE_ROUTES[name].access === 'session')
    assert.deepEqual(open, [
      'readSession',
      'endSession',
      'beginConfirmation',
      'finishConfirmation',
      'beginEnrolment',
      'finishEnrolment',
    ])
    for (const name of NAMES) {
      const answer = await send(name, consoleHeaders(await session(allowed(name), 'link'), { merchant: 'tea' }))
      const what = `${name}: ${answer.statusCode} ${answer.body.slice(0, 200)}`
      if (needsPasskey(name)) assert.deepEqual(statusAndCode(answer), [403, 'passkey_needed'], what)
      else if (!name.endsWith('Enrolment')) assert.ok(!wasRefused(answer), what)
    }
  })

  test('that changes people, keys or the installation is refused by a passkey that waits after a recovery, however lately it was asked for', async () => {
    const { database } = server.deps
    await database.rows('UPDATE passkeys SET confirms_from = $1', server.clock.now() + DAY_MS)
    const refused: ConsoleCallName[] = []
    for (const name of NAMES) {
      const answer = await send(name, consoleHeaders(await session(allowed(name)), { merchant: 'tea' }))
      if (answer.json<{ code?: string }>().code === 'passkey_too_new') refused.push(name)
    }
    await database.rows('UPDATE passkeys SET confirms_from = 0')
    // Of those two the operation asks, where the session holds a passkey.
    const asked = ['beginEnrolment', ...CONFIRMED, 'retryOutbox', 'decideSetAside', 'runDoctor']
    assert.deepEqual(refused.toSorted(), asked.toSorted())
  })

  test('is refused where it was forged, or the person has signed out', async () => {
    const accepted: string[] = []
    for (const name of NAMES) {
      const token = await session(allowed(name))
      const headers = consoleHeaders(token, { merchant: 'tea' })
      const needsNobody = ALLOWED[name] === 'anybody'
      const tryAs = async (how: string, changed: object): Promise<void> => {
        const answer = await send(name, { ...headers, ...changed })
        if (answer.statusCode !== 401 && answer.statusCode !== 403)
          accepted.push(`${name} ${how}: ${answer.statusCode}`)
      }
      for (const [how, changed] of Object.entries(FORGED_HEADERS))
        if (!needsNobody || !how.includes('session')) await tryAs(how, changed)
      if (needsNobody) continue
      await deleteSession(server.deps.database, hashToken(token))
      await tryAs('after signing out', {})
    }
    assert.deepEqual(accepted, [])
  })

  test('about a shop that does not exist is answered as about one the person does not belong to', async () => {
    for (const name of NAMES) {
      const token = await session('owner')
      const about = async (merchant: string): Promise<string> => {
        const { statusCode, body } = await send(name, consoleHeaders(token, { merchant }))
        return `${statusCode} ${body}`
      }
      const may = ALLOWED[name]
      if (may === OWNERS || may === OF_THE_SHOP) assert.equal(await about('nowhere'), await about('books'), name)
    }
  })
})
