import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { CONSOLE_API } from '#contract/console/api.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import type { CreationOptions, RequestOptions } from '#contract/console/webauthn.ts'
import type { SessionAnswer } from '#contract/console/person.ts'
import { workOnce } from '../../server/background/worker.ts'
import type { Letter, Mailer } from '../../server/background/mail/mailer.ts'
import { openSetup } from '../../server/operations/people/operator-people.ts'
import { CONSOLE_ROUTES, type ConsoleCallName } from '#contract/console/paths.ts'
import {
  addressOf,
  CONSOLE_HOST,
  CONSOLE_ORIGIN,
  openConsoleBrowser,
  type ConsoleBrowser,
} from '../harness/console-browser.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { BOOKS_MERCHANT, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

const isCall = (name: string): name is ConsoleCallName => name in CONSOLE_ROUTES
const callNames = Object.keys(CONSOLE_API).filter(isCall)

const TABLES = [
  'person_sessions',
  'passkeys',
  'passkey_challenges',
  'person_links',
  'person_mails',
  'audit_lines',
  'memberships',
  'people',
]

const OWNER = 'owner@example.com'
const tea = { merchant: 'tea' }

interface People {
  readonly people: readonly {
    readonly id: string
    readonly email: string
    readonly role: string
    readonly hasPasskey?: boolean
    readonly waitingPasskeys?: readonly { readonly id: string }[]
  }[]
  readonly invitations: readonly { readonly id: string; readonly email: string }[]
}

describe('people of the console', { concurrency: 1 }, () => {
  let server: TestServer
  let letters: Letter[]
  const mailer: Mailer = {
    isSandbox: true,
    send: async (letter) => {
      letters.push(letter)
      return { outcome: 'sent', answer: '250' }
    },
  }
  const open = async (consoleSignIn: 'link' | 'passkey'): Promise<TestServer> =>
    openTestServer({ gateway: fakeGateway(), sendsMail: true, consoleSignIn })
  before(async () => {
    server = await open('link')
  })
  /** One server for all: to open another takes longer than a test. */
  beforeEach(async () => {
    letters = []
    for (const table of TABLES) await server.deps.database.rows(`DELETE FROM ${table}`)
    // So that this network may try again.
    server.clock.advance(HOUR_MS)
  })

  const browser = (): ConsoleBrowser => openConsoleBrowser(server.app)
  /** The same person at another device, which has the same passkeys. */
  const otherBrowserOf = ({ authenticator }: ConsoleBrowser): ConsoleBrowser =>
    openConsoleBrowser(server.app, authenticator)

  /** What is mailed to an address, after the worker has sent it. */
  const mailTo = async (email: string): Promise<Letter> => {
    await workOnce(server.deps, mailer)
    return letters.findLast(({ recipient }) => recipient === email) ?? assert.fail(`no mail to ${email}`)
  }
  const tokenIn = ({ text }: Letter): string =>
    /\/(?:sign-in|invitation)\/([a-z2-7]{32})/.exec(text)?.[1] ?? assert.fail('no link in the mail')

  /** The first owner, with a passkey that confirms. */
  const setUp = async (email = OWNER): Promise<ConsoleBrowser> => {
    const token = (await openSetup(server.deps, TEA_MERCHANT.id)) ?? assert.fail('there are people')
    const owner = browser()
    await owner.done('consumeLink', { body: { token, email, name: 'Aoyama', locale: 'ja' } })
    await owner.enrol()
    return owner
  }
  const peopleOf = (owner: ConsoleBrowser): Promise<People> => owner.done<People>('listPeople', tea)
  const idOf = async (owner: ConsoleBrowser, email: string): Promise<string> =>
    (await peopleOf(owner)).people.find((each) => each.email === email)?.id ?? assert.fail(`${email} is no member`)

  /** Another person of the shop, with a passkey. */
  const join = async (owner: ConsoleBrowser, email: string, role = 'staff'): Promise<ConsoleBrowser> => {
    await owner.done('invitePerson', { ...tea, body: { email, role, locale: 'ja' } })
    const joining = browser()
    await joining.done('consumeLink', { body: { token: tokenIn(await mailTo(email)), name: 'Someone' } })
    await joining.enrol()
    return joining
  }
  const askForLink = async (asking: ConsoleBrowser, email: string): Promise<string> => {
    await asking.done('askForLink', { body: { email, locale: 'ja' } })
    return tokenIn(await mailTo(email))
  }
  const session = (signedIn: ConsoleBrowser): Promise<SessionAnswer> => signedIn.done<SessionAnswer>('readSession')

  test('the link of the first start makes the first owner and operator, once', async () => {
    const first = (await openSetup(server.deps, TEA_MERCHANT.id)) ?? assert.fail('no link')
    const token = (await openSetup(server.deps, TEA_MERCHANT.id)) ?? assert.fail('no link')
    const owner = browser()
    assert.equal(
      await owner.refused('consumeLink', { body: { token: first, email: OWNER, name: 'A' } }),
      'link_not_usable',
    )
    assert.deepEqual(await owner.done('readLink', { body: { token } }), {
      kind: 'setup',
      email: null,
      shop: 'Aoyama Tea',
      role: 'owner',
      isKnown: false,
      isRecovery: false,
    })
    // Nothing was entered, and the link is not consumed by it.
    assert.equal(await owner.refused('consumeLink', { body: { token } }), 'invalid_field')
    const body = { token, email: 'Owner@Example.com', name: 'Aoyama', locale: 'ja' }
    await owner.done('consumeLink', { body })
    const read = await session(owner)
    assert.deepEqual([read.person.email, read.person.isOperator, read.passkeys], [OWNER, true, 0])
    assert.deepEqual(read.shops, [{ label: 'tea', name: 'Aoyama Tea', role: 'owner', isLive: false, isClosed: false }])
    assert.equal(
      await browser().refused('consumeLink', { body: { ...body, email: 'b@example.com' } }),
      'link_not_usable',
    )
    assert.equal(await openSetup(server.deps, TEA_MERCHANT.id), null)
  })

  test('a person signs in with a passkey, sees and ends the own sessions, and signs out', async () => {
    const owner = await setUp()
    assert.equal((await session(owner)).confirmation.state, 'confirmed')
    const phone = otherBrowserOf(owner)
    assert.equal(await phone.refused('readSession'), 'signed_out')
    await phone.signIn()
    const { items } = await phone.done<{ items: { id: string; browser: string; isThis: boolean }[] }>('listSessions')
    assert.deepEqual(items.map(({ browser: name, isThis }) => `${name} ${isThis}`).toSorted(), [
      'Chrome, Android false',
      'Chrome, Android true',
    ])
    const other = items.find(({ isThis }) => !isThis)?.id ?? ''
    await phone.done('endOtherSession', { params: { sessionId: other } })
    assert.equal(await owner.refused('readSession'), 'signed_out')
    assert.equal(await phone.refused('endOtherSession', { params: { sessionId: other } }), 'person_not_found')
    const kept = new Map(phone.cookies)
    await phone.done('endSession')
    assert.equal(phone.cookies.size, 0)
    for (const [name, value] of kept) phone.cookies.set(name, value)
    assert.equal(await phone.refused('readSession'), 'signed_out')
  })

  test('a session ends after half an hour without use and after twelve hours with it', async () => {
    const owner = await setUp()
    server.clock.advance(29 * MINUTE_MS)
    await owner.done('readSession')
    await server.deps.database.rows('SELECT hash FROM person_sessions')
    server.clock.advance(29 * MINUTE_MS)
    await owner.done('readSession')
    server.clock.advance(31 * MINUTE_MS)
    assert.equal(await owner.refused('readSession'), 'signed_out')
    await owner.signIn()
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      server.clock.advance(20 * MINUTE_MS)
      await owner.done('readSession')
    }
    server.clock.advance(20 * MINUTE_MS)
    assert.equal(await owner.refused('readSession'), 'signed_out')
    await workOnce(server.deps)
    assert.deepEqual(await server.deps.database.rows('SELECT hash FROM person_sessions'), [])
  })

  test('a passkey is refused that signed at another host, another origin, in a frame, without verification, or twice', async () => {
    const owner = await setUp()
    const { authenticator } = owner
    const phone = otherBrowserOf(owner)
    const options = async (): Promise<RequestOptions> =>
      (await phone.done<{ options: RequestOptions }>('beginSignIn')).options
    for (const deviation of [
      { rpId: 'tea.localhost' },
      { rpId: 'localhost' },
      { origin: 'http://tea.localhost:3000' },
      { crossOrigin: true },
      { isVerified: false },
    ]) {
      const passkey = authenticator.sign(await options(), deviation)
      assert.equal(await phone.refused('finishSignIn', { body: { passkey } }), 'passkey_refused')
    }
    const passkey = authenticator.sign(await options())
    const changed = { ...passkey, response: { ...passkey.response, signature: 'MEUCIQ' } }
    assert.equal(await phone.refused('finishSignIn', { body: { passkey: changed } }), 'passkey_refused')
    // The challenge is gone with the first answer.
    assert.equal(await phone.refused('finishSignIn', { body: { passkey } }), 'passkey_refused')
    const good = authenticator.sign(await options())
    await phone.done('finishSignIn', { body: { passkey: good } })
    assert.equal(await browser().refused('finishSignIn', { body: { passkey: good } }), 'passkey_refused')
    const late = authenticator.sign(await options())
    server.clock.advance(5 * MINUTE_MS)
    assert.equal(await browser().refused('finishSignIn', { body: { passkey: late } }), 'passkey_refused')
    assert.equal(await owner.refused('finishConfirmation', { body: { passkey: good } }), 'passkey_refused')
  })

  test('counters are stored and decide nothing: a passkey on two devices counts on each', async () => {
    const owner = await setUp()
    for (const counter of [7, 3, 0]) {
      const { options } = await owner.done<{ options: RequestOptions }>('beginSignIn')
      await owner.done('finishSignIn', { body: { passkey: owner.authenticator.sign(options, { counter }) } })
      assert.deepEqual(
        (await server.deps.database.rows('SELECT counter FROM passkeys')).map(({ counter: stored }) => stored),
        [counter],
      )
    }
  })

  test('a passkey that was made for another host or origin is not enrolled, and one with certificates is not asked about them', async () => {
    const token = (await openSetup(server.deps, TEA_MERCHANT.id)) ?? assert.fail('there are people')
    const owner = browser()
    await owner.done('consumeLink', { body: { token, email: OWNER, name: 'Aoyama' } })
    const options = async (): Promise<CreationOptions> =>
      (await owner.done<{ options: CreationOptions }>('beginEnrolment')).options
    for (const deviation of [{ rpId: 'tea.localhost' }, { origin: 'http://tea.localhost:3000' }, { isVerified: false }])
      assert.equal(
        await owner.refused('finishEnrolment', {
          body: { passkey: owner.authenticator.create(await options(), deviation), name: 'x' },
        }),
        'passkey_refused',
      )
    const asked = await options()
    assert.deepEqual([asked.rp.id, asked.attestation], ['console.localhost', 'none'])
    const passkey = owner.authenticator.create(asked, { format: 'packed' })
    await owner.done('finishEnrolment', { body: { passkey, name: 'key' } })
    assert.equal(await owner.refused('finishEnrolment', { body: { passkey, name: 'key' } }), 'passkey_refused')
  })

  test('after five minutes refunds and people need the passkey again, and that of another person does not do', async () => {
    const owner = await setUp()
    const staff = await join(owner, 'staff@example.com', 'owner')
    const invite = { ...tea, body: { email: 'x@example.com', role: 'viewer', locale: 'ja' } }
    server.clock.advance(5 * MINUTE_MS + 1)
    assert.equal((await session(owner)).confirmation.state, 'passkey_needed')
    assert.equal(await owner.refused('invitePerson', invite), 'passkey_needed')
    assert.equal(await owner.refused('beginEnrolment'), 'passkey_needed')
    const { options } = await owner.done<{ options: RequestOptions }>('beginConfirmation')
    assert.equal(options.allowCredentials.length, 1)
    const theirs = staff.authenticator.sign(options)
    assert.equal(await owner.refused('finishConfirmation', { body: { passkey: theirs } }), 'passkey_refused')
    // What another session was asked to sign is not taken in this one.
    const again = otherBrowserOf(owner)
    await again.signIn()
    const asked = await again.done<{ options: RequestOptions }>('beginConfirmation')
    const passkey = owner.authenticator.sign(asked.options)
    assert.equal(await owner.refused('finishConfirmation', { body: { passkey } }), 'passkey_refused')
    await owner.confirm()
    await owner.done('invitePerson', invite)
  })

  test('a link by mail signs in once, within ten minutes, in the browser that asked; a passkey is enrolled there', async () => {
    const owner = await setUp()
    await owner.done('invitePerson', { ...tea, body: { email: 'new@example.com', role: 'staff', locale: 'en-US' } })
    const joining = browser()
    const invitation = tokenIn(await mailTo('new@example.com'))
    await joining.done('consumeLink', { body: { token: invitation, name: 'New', locale: 'en-US' } })
    await joining.done('endSession')
    const token = await askForLink(joining, 'new@example.com')
    assert.equal(await browser().refused('readLink', { body: { token } }), 'link_not_usable')
    assert.equal(await browser().refused('consumeLink', { body: { token } }), 'link_not_usable')
    const seen = await joining.done<{ kind: string; isRecovery: boolean }>('readLink', { body: { token } })
    assert.deepEqual([seen.kind, seen.isRecovery], ['sign_in', false])
    await joining.done('consumeLink', { body: { token } })
    assert.equal(await joining.refused('consumeLink', { body: { token } }), 'link_not_usable')
    const { confirmsFrom } = await joining.enrol()
    assert.ok(Date.parse(confirmsFrom) <= server.clock.now())
    await joining.done('endSession')
    const late = await askForLink(joining, 'new@example.com')
    server.clock.advance(10 * MINUTE_MS)
    assert.equal(await joining.refused('consumeLink', { body: { token: late } }), 'link_not_usable')
  })

  test('no token stays in the database once its mail was sent', async () => {
    const owner = await setUp()
    const token = await askForLink(owner, OWNER)
    const { database } = server.deps
    assert.deepEqual(await database.rows('SELECT id FROM person_mails'), [])
    const links = await database.rows('SELECT hash FROM person_links')
    assert.ok(!JSON.stringify(links).includes(token))
  })

  test('recovery: a link ends all sessions, the owners are told, and the new passkey confirms after a day', async () => {
    const owner = await setUp()
    const staff = await join(owner, 'staff@example.com')
    const mailbox = browser()
    const token = await askForLink(mailbox, OWNER)
    assert.equal((await mailbox.done<{ isRecovery: boolean }>('readLink', { body: { token } })).isRecovery, true)
    await mailbox.done('consumeLink', { body: { token } })
    assert.equal(await owner.refused('readSession'), 'signed_out')
    await staff.done('readSession')
    assert.match((await mailTo(OWNER)).subject, /Aoyama/)
    assert.ok(
      !letters.some(({ recipient, subject }) => recipient === 'staff@example.com' && /Aoyama さん/.test(subject)),
    )
    const { isRecovery, confirmation } = await session(mailbox)
    assert.deepEqual([isRecovery, confirmation.state], [true, 'passkey_needed'])
    const { id, confirmsFrom } = await mailbox.enrol('stolen')
    assert.equal(Date.parse(confirmsFrom) > server.clock.now() + DAY_MS - MINUTE_MS, true)
    const enrolled = await session(mailbox)
    assert.deepEqual([enrolled.isRecovery, enrolled.confirmation.state], [false, 'passkey_too_new'])
    const invite = { ...tea, body: { email: 'x@example.com', role: 'owner', locale: 'ja' } }
    assert.equal(await mailbox.refused('invitePerson', invite), 'passkey_too_new')
    // Signed in with it, nothing changes: it enrols no other, and removes none.
    const again = otherBrowserOf(mailbox)
    await again.signIn(id)
    assert.equal(await again.refused('beginEnrolment'), 'passkey_too_new')
    const passkeys = await again.done<{ items: { id: string }[] }>('listPasskeys')
    const first = passkeys.items.find((each) => each.id !== id)?.id ?? ''
    assert.equal(await again.refused('removePasskey', { params: { passkeyId: first } }), 'passkey_too_new')
    // Nobody approves the own passkey, and a day later it confirms.
    await owner.signIn()
    const own = { ...tea, params: { personId: (await session(owner)).person.id, passkeyId: id } }
    assert.equal(await owner.refused('approvePasskey', own), 'approval_not_allowed')
    server.clock.advance(DAY_MS)
    await again.signIn(id)
    await again.done('invitePerson', invite)
    await again.done('removePasskey', { params: { passkeyId: first } })
    assert.equal(await again.refused('removePasskey', { params: { passkeyId: id } }), 'last_passkey')
  })

  test('another owner of all shops of the person approves a passkey at once; an owner of one of them does not', async () => {
    const owner = await setUp()
    const second = await join(owner, 'second@example.com', 'owner')
    const recovered = browser()
    await recovered.done('consumeLink', { body: { token: await askForLink(recovered, 'second@example.com') } })
    const { id } = await recovered.enrol()
    const member = (await peopleOf(owner)).people.find(({ email }) => email === 'second@example.com')
    assert.deepEqual(
      member?.waitingPasskeys?.map((each) => each.id),
      [id],
    )
    const approval = { ...tea, params: { personId: member?.id ?? '', passkeyId: id } }
    const { database } = server.deps
    const atBooks = [BOOKS_MERCHANT.id, member?.id ?? '', 'viewer', 0] as const
    await database.rows(
      'INSERT INTO memberships (merchant_id, person_id, role, created_at) VALUES ($1, $2, $3, $4)',
      ...atBooks,
    )
    await owner.confirm()
    assert.equal(await owner.refused('approvePasskey', approval), 'approval_not_allowed')
    await database.rows('DELETE FROM memberships WHERE merchant_id = $1', BOOKS_MERCHANT.id)
    await owner.done('approvePasskey', approval)
    await recovered.confirm(id)
    await recovered.done('invitePerson', { ...tea, body: { email: 'y@example.com', role: 'viewer', locale: 'ja' } })
    assert.equal(second.cookies.size > 0, true)
  })

  test('an unknown address is answered as a known one, with as many statements, and no mail', async () => {
    await setUp()
    const { database } = server.deps
    const asked: unknown[] = []
    for (const email of [OWNER, 'nobody@example.com']) {
      const rowsBefore = await database.rows('SELECT id FROM person_mails')
      const answer = await browser().call('askForLink', { body: { email, locale: 'ja' } })
      const { 'set-cookie': cookie, 'request-id': request, date, ...headers } = answer.headers
      assert.ok(cookie !== undefined && request !== undefined)
      void date
      const rows = (await database.rows('SELECT id FROM person_mails')).length - rowsBefore.length
      asked.push([answer.statusCode, answer.body, headers, rows])
    }
    assert.deepEqual(asked[0], asked[1])
    await workOnce(server.deps, mailer)
    assert.deepEqual(
      letters.map(({ recipient }) => recipient),
      [OWNER],
    )
  })

  test('a network gets four links an hour for an address and asks for twenty, and either is answered without a word about the address', async () => {
    await setUp()
    const asking = browser()
    const body = { email: OWNER, locale: 'ja' }
    for (let asked = 0; asked < 5; asked += 1) await asking.done('askForLink', { body })
    await workOnce(server.deps, mailer)
    assert.equal(letters.length, 4)
    server.clock.advance(HOUR_MS / 2)
    await asking.done('askForLink', { body })
    await workOnce(server.deps, mailer)
    assert.equal(letters.length, 4)
    server.clock.advance(HOUR_MS)
    for (let asked = 0; asked < 20; asked += 1)
      await asking.done('askForLink', { body: { ...body, email: `${asked}@x.jp` } })
    const refused = await asking.call('askForLink', { body })
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '100'])
  })

  test('with CONSOLE_SIGN_IN=passkey a link signs in nobody who has a passkey, and still enrols the first one', async () => {
    const ofLinks = server
    server = await open('passkey')
    const owner = await setUp()
    const asking = browser()
    await asking.done('askForLink', { body: { email: OWNER, locale: 'ja' } })
    await workOnce(server.deps, mailer)
    assert.equal(letters.length, 0)
    assert.equal((await asking.done<{ sendsLinks: boolean }>('beginSignIn')).sendsLinks, false)
    await owner.done('invitePerson', { ...tea, body: { email: 'new@example.com', role: 'staff', locale: 'ja' } })
    const joining = browser()
    await joining.done('consumeLink', { body: { token: tokenIn(await mailTo('new@example.com')), name: 'New' } })
    const token = await askForLink(joining, 'new@example.com')
    await joining.enrol()
    // It was sent before there was a passkey.
    assert.equal(await joining.refused('consumeLink', { body: { token } }), 'link_not_usable')
    server = ofLinks
  })

  test('an invitation works once, for 72 hours, until it is withdrawn; a person who exists accepts it in the own session', async () => {
    const owner = await setUp()
    const body = { email: 'new@example.com', role: 'viewer', locale: 'ja' }
    const first = await owner.done<{ id: string; link?: string }>('invitePerson', { ...tea, body })
    assert.equal(first.link, undefined)
    const withdrawn = tokenIn(await mailTo('new@example.com'))
    await owner.done('withdrawInvitation', { ...tea, params: { invitationId: first.id } })
    assert.equal(await browser().refused('readLink', { body: { token: withdrawn } }), 'link_not_usable')
    assert.equal(
      await owner.refused('withdrawInvitation', { ...tea, params: { invitationId: first.id } }),
      'person_not_found',
    )
    await owner.done('invitePerson', { ...tea, body })
    const late = tokenIn(await mailTo('new@example.com'))
    server.clock.advance(72 * HOUR_MS)
    assert.equal(await browser().refused('consumeLink', { body: { token: late, name: 'New' } }), 'link_not_usable')
    await owner.signIn()
    const staff = await join(owner, 'new@example.com')
    assert.equal(await owner.refused('invitePerson', { ...tea, body }), 'already_a_member')
    const person = (await session(staff)).person.id
    await server.deps.database.rows(
      'INSERT INTO memberships (merchant_id, person_id, role, created_at) VALUES ($1, $2, $3, $4)',
      BOOKS_MERCHANT.id,
      person,
      'owner',
      0,
    )
    await owner.done('removePerson', { ...tea, params: { personId: person } })
    await owner.done('invitePerson', { ...tea, body })
    const again = browser()
    const token = tokenIn(await mailTo('new@example.com'))
    assert.equal((await again.done<{ isKnown: boolean }>('readLink', { body: { token } })).isKnown, true)
    assert.equal(await again.refused('consumeLink', { body: { token } }), 'signed_out')
    assert.equal(await again.refused('readSession'), 'signed_out')
    assert.equal(await staff.refused('listPeople', tea), 'role_not_allowed')
    await staff.done('consumeLink', { body: { token } })
    await staff.done('listPeople', tea)
    assert.equal(await staff.refused('consumeLink', { body: { token } }), 'link_not_usable')
  })

  test('a shop invites fifty times a day, those that were withdrawn counted', async () => {
    const owner = await setUp()
    const invite = (name: string): Promise<LightMyRequestResponse> => {
      server.clock.advance(1000)
      return owner.call('invitePerson', {
        ...tea,
        body: { email: `${name}@example.com`, role: 'viewer', locale: 'ja' },
      })
    }
    for (let invited = 0; invited < 50; invited += 1) {
      if (invited % 20 === 0) await owner.confirm()
      const { id } = (await invite(`a${invited}`)).json<{ id: string }>()
      await owner.done('withdrawInvitation', { ...tea, params: { invitationId: id } })
    }
    const refused = await invite('one-more')
    assert.deepEqual([refused.statusCode, refused.json<{ code: string }>().code], [429, 'too_many_tries'])
    server.clock.advance(DAY_MS)
    await owner.signIn()
    assert.equal((await invite('one-more')).statusCode, 201)
  })

  test('roles: a viewer reads, an owner changes, a stranger learns nothing of a shop', async () => {
    const owner = await setUp()
    const viewer = await join(owner, 'viewer@example.com', 'viewer')
    // Whose mailbox alone would do to sign in is told to owners alone.
    const toldOf = async (signedIn: ConsoleBrowser) =>
      (await peopleOf(signedIn)).people.map(({ hasPasskey, waitingPasskeys }) => [hasPasskey, waitingPasskeys])
    assert.deepEqual(await toldOf(owner), [
      [true, []],
      [true, []],
    ])
    assert.deepEqual(await toldOf(viewer), [
      [undefined, undefined],
      [undefined, undefined],
    ])
    const ownersOnly = callNames.filter((name) => CONSOLE_ROUTES[name].access === 'owner')
    assert.ok(ownersOnly.length >= 5)
    for (const name of ownersOnly) assert.equal(await viewer.refused(name, tea), 'role_not_allowed', name)
    for (const merchant of ['books', 'nobody', '']) {
      const answer = await owner.call('listPeople', { merchant })
      assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [403, 'role_not_allowed'])
    }
  })

  test('the last owner is neither removed nor demoted, also not by two at once; whoever is removed is out at once', async () => {
    const owner = await setUp()
    const first = await idOf(owner, OWNER)
    assert.equal(await owner.refused('removePerson', { ...tea, params: { personId: first } }), 'last_owner')
    const demotion = { ...tea, params: { personId: first }, body: { role: 'viewer' } }
    assert.equal(await owner.refused('changeRole', demotion), 'last_owner')
    const second = await join(owner, 'second@example.com', 'owner')
    const other = await idOf(owner, 'second@example.com')
    const both = await Promise.all([
      owner.call('removePerson', { ...tea, params: { personId: other } }),
      second.call('changeRole', demotion),
    ])
    assert.equal(both.filter(({ statusCode }) => statusCode === 200).length, 1)
    const owners = (await server.deps.database.rows("SELECT person_id FROM memberships WHERE role = 'owner'")).length
    assert.equal(owners, 1)
    const staff = await join(owner, 'staff@example.com')
    await staff.done('listPeople', tea)
    const staffId = (await session(staff)).person.id
    await owner.done('removePerson', { ...tea, params: { personId: staffId } })
    assert.equal(await staff.refused('listPeople', tea), 'signed_out')
    assert.deepEqual(await server.deps.database.rows('SELECT id FROM people WHERE id = $1', staffId), [])
  })

  test('what people have changed is in the audit list of the shop', async () => {
    const owner = await setUp()
    const staff = await join(owner, 'staff@example.com')
    await staff.done('changePerson', { body: { name: 'Hanako' } })
    const personId = await idOf(owner, 'staff@example.com')
    await owner.done('changeRole', { ...tea, params: { personId }, body: { role: 'viewer' } })
    const rows = await server.deps.database.rows(
      'SELECT person, action, subject, details FROM audit_lines WHERE merchant_id = $1 ORDER BY at, id',
      TEA_MERCHANT.id,
    )
    const lines = rows.map(({ person, action, subject, details }) => `${person} ${action} ${subject} ${details}`.trim())
    for (const line of [
      'Aoyama person_joined owner@example.com owner',
      'Aoyama passkey_enrolled owner@example.com',
      'Aoyama person_invited staff@example.com staff',
      'Someone person_joined staff@example.com staff',
      'Hanako person_changed staff@example.com Someone → Hanako',
      'Aoyama role_changed staff@example.com staff → viewer',
    ])
      assert.ok(lines.includes(line), `${line} is missing in ${lines.join('\n')}`)
  })

  test('no call of the console is taken from a shop’s page, another site, a frame of another host or a program', async () => {
    const owner = await setUp()
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const forged: readonly Readonly<Record<string, string>>[] = [
      { 'sec-fetch-site': 'same-site', origin: 'http://tea.localhost:3000' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin, same-site' },
      { origin: 'http://tea.localhost:3000' },
      { origin: 'null' },
      {},
      { host: 'tea.localhost:3000', 'sec-fetch-site': 'same-origin' },
      { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' },
    ]
    for (const name of callNames)
      for (const headers of forged) {
        const answer = await server.app.inject({
          method: CONSOLE_ROUTES[name].method,
          url: addressOf(name),
          headers: { host: CONSOLE_HOST, cookie, merchant: 'tea', ...headers },
        })
        assert.equal(answer.json<{ code: string }>().code, 'not_from_the_console', `${name} ${JSON.stringify(headers)}`)
      }
    await owner.done('readSession', { headers: { 'sec-fetch-site': 'same-origin' } })
    const old = await server.app.inject({
      method: 'GET',
      url: addressOf('readSession'),
      headers: { host: CONSOLE_HOST, cookie, origin: CONSOLE_ORIGIN },
    })
    assert.equal(old.statusCode, 200)
  })
})
