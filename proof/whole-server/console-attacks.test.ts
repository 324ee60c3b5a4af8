import assert from 'node:assert/strict'
import { request, type IncomingMessage } from 'node:http'
import { before, beforeEach, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { CreationOptions, NewCredential, RequestOptions } from '#contract/console/webauthn.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import { workOnce } from '../../server/background/worker.ts'
import { COMMAND_LINE } from '../../server/operations/people/change-people.ts'
import { changePerson } from '../../server/operations/people/change-person.ts'
import { openRecovery, openSetup } from '../../server/operations/people/operator-people.ts'
import { finishEnrolment, removePasskey } from '../../server/operations/people/passkeys.ts'
import { invitePerson } from '../../server/operations/people/people-of-shop.ts'
import { membershipsOf, saveMembership } from '../../server/store/people/memberships.ts'
import { findPerson, hashToken, insertPerson, savePerson, type Person } from '../../server/store/people/people.ts'
import { findSession } from '../../server/store/people/sessions.ts'
import { openConsoleBrowser, type ConsoleBrowser } from '../harness/console-browser.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { HOSTILE_CBOR } from '../harness/hostile-cbor.ts'
import { BOOKS_MERCHANT, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/** Attacks on the console: what somebody tries who has signed in nowhere, at another shop, or once upon a time. */
const tea = { merchant: 'tea' }
const TABLES = ['person_sessions', 'passkeys', 'passkey_challenges', 'person_links', 'person_mails', 'audit_lines']

describe('attacks on the console', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let server: TestServer
    before(async () => {
      server = await openTestServer({ gateway: fakeGateway(), database: await open(), sendsMail: false })
    })
    beforeEach(async () => {
      for (const table of [...TABLES, 'memberships', 'people']) await server.deps.database.rows(`DELETE FROM ${table}`)
      server.clock.advance(HOUR_MS)
    })
    const browser = (): ConsoleBrowser => openConsoleBrowser(server.app)
    const ids = async (statement: string): Promise<unknown[]> =>
      (await server.deps.database.rows(statement)).map((row) => Object.values(row)[0])

    /** The first owner and operator, with a passkey that confirms. */
    const setUp = async (): Promise<ConsoleBrowser> => {
      const token = (await openSetup(server.deps, TEA_MERCHANT.id)) ?? assert.fail('there are people')
      const owner = browser()
      await owner.done('consumeLink', { body: { token, email: 'owner@example.com', name: 'Aoyama' } })
      await owner.enrol()
      return owner
    }
    /** The token of an invitation, as an owner is shown it where no mail is sent. */
    const invite = async (owner: ConsoleBrowser, email: string, role = 'staff'): Promise<string> => {
      const body = { email, role, locale: 'ja' }
      const { link = '' } = await owner.done<{ link?: string }>('invitePerson', { ...tea, body })
      return link.split('/').at(-1) ?? ''
    }
    const join = async (owner: ConsoleBrowser, email: string, role?: string): Promise<ConsoleBrowser> => {
      const joining = browser()
      await joining.done('consumeLink', { body: { token: await invite(owner, email, role), name: 'Somebody' } })
      await joining.enrol()
      return joining
    }
    /** The link of an invitation to operate the installation, as the command line prints it. */
    const inviteAsOperator = async (email: string): Promise<string> => {
      const facts = { shop: null, locale: 'ja', by: COMMAND_LINE, invitedBy: null, sendsMail: false } as const
      const invited = await invitePerson(server.deps, { email, ...facts })
      return 'token' in invited ? invited.token : assert.fail(invited.refused)
    }
    const signedInAs = ({ cookies }: ConsoleBrowser): Record<string, string> => ({
      host: 'console.localhost:3000',
      'sec-fetch-site': 'same-origin',
      cookie: `kaikei-session=${cookies.get('kaikei-session')}`,
    })
    const personOf = async (signedIn: ConsoleBrowser): Promise<Person> =>
      (await signedIn.done<{ person: Person }>('readSession')).person

    test('a session that somebody has put into the browser is not taken over by signing in', async () => {
      const owner = await setUp()
      const planted = 'b'.repeat(32)
      owner.cookies.set('kaikei-session', planted)
      assert.equal(await owner.refused('readSession'), 'signed_out')
      await owner.signIn()
      assert.notEqual(owner.cookies.get('kaikei-session'), planted)
      const thief = browser()
      thief.cookies.set('kaikei-session', planted)
      assert.equal(await thief.refused('readSession'), 'signed_out')
    })

    test('whoever is shown the invitation of another shop’s person neither becomes that person nor has them join', async () => {
      const mallory = await setUp()
      const victim: Person = { id: 'victim', email: 'v@example.com', name: 'V', locale: 'ja', isOperator: false }
      await insertPerson(server.deps.database, victim, server.clock.now())
      const membership = { merchantId: BOOKS_MERCHANT.id, personId: victim.id, role: 'owner' } as const
      await saveMembership(server.deps.database, membership, server.clock.now())
      const token = await invite(mallory, victim.email)
      const thief = browser()
      assert.equal(await thief.refused('consumeLink', { body: { token } }), 'signed_out')
      assert.equal(await thief.refused('readSession'), 'signed_out')
      assert.equal(await mallory.refused('consumeLink', { body: { token } }), 'link_not_usable')
      // A mailbox alone does not accept it either.
      const mailbox = browser()
      await mailbox.done('consumeLink', { body: { token: await openRecovery(server.deps, victim.email) } })
      assert.equal(await mailbox.refused('consumeLink', { body: { token } }), 'passkey_needed')
      const shops = await membershipsOf(server.deps.database, victim.id)
      assert.deepEqual(
        shops.map(({ label }) => label),
        ['books'],
      )
      await mailbox.enrol()
      await mailbox.done('consumeLink', { body: { token } })
      assert.equal((await membershipsOf(server.deps.database, victim.id)).length, 2)
    })

    /** Somebody has signed in with this one before. */
    const isOut = async (signedIn: ConsoleBrowser, id: string): Promise<void> => {
      assert.equal(await signedIn.refused('readSession'), 'signed_out')
      await assert.rejects(signedIn.signIn(id), /passkey_refused/)
    }

    test('a recovered person accepts an invitation only with a passkey that confirms, and keeps that one passkey alone', async () => {
      const mallory = await setUp()
      const impostor = browser()
      await impostor.done('consumeLink', { body: { token: await invite(mallory, 'aoki@example.com'), name: 'Aoki' } })
      const first = await impostor.enrol()
      const token = await inviteAsOperator('aoki@example.com')
      const holder = browser()
      await holder.done('consumeLink', { body: { token: await openRecovery(server.deps, 'aoki@example.com') } })
      assert.equal(await holder.refused('consumeLink', { body: { token } }), 'passkey_needed')
      const recovered = await holder.enrol()
      assert.equal(await holder.refused('consumeLink', { body: { token } }), 'passkey_too_new')
      server.clock.advance(DAY_MS)
      await holder.signIn(recovered.id)
      const own = await holder.enrol()
      // The impostor removes what tells of the recovery, and enrols another one.
      await impostor.signIn(first.id)
      await impostor.done('removePasskey', { params: { passkeyId: recovered.id } })
      const second = await impostor.enrol()
      await holder.signIn(own.id)
      await holder.done('consumeLink', { body: { token } })
      assert.equal((await personOf(holder)).isOperator, true)
      const { id: personId } = await personOf(holder)
      assert.deepEqual(await ids(`SELECT id FROM passkeys WHERE person_id = '${personId}'`), [own.id])
      for (const { id } of [first, second]) await isOut(impostor, id)
      const removed = await ids("SELECT details FROM audit_lines WHERE action = 'passkey_removed'")
      assert.equal(removed.length, 3)
    })

    test('a person who has never recovered keeps every passkey when accepting an invitation', async () => {
      const mallory = await setUp()
      const staff = await join(mallory, 'staff@example.com')
      await staff.enrol()
      const token = await inviteAsOperator('staff@example.com')
      await staff.done('consumeLink', { body: { token } })
      const { id } = await personOf(staff)
      assert.equal((await ids(`SELECT id FROM passkeys WHERE person_id = '${id}'`)).length, 2)
    })

    test('an address that an inviter has registered as theirs gets no role when its holder accepts an invitation', async () => {
      const mallory = await setUp()
      const impostor = await join(mallory, 'aoki@example.com', 'viewer')
      const link = await inviteAsOperator('aoki@example.com')
      const holder = browser()
      assert.equal((await holder.done<{ isKnown: boolean }>('readLink', { body: { token: link } })).isKnown, true)
      // Told to sign in as a person that the holder of the address never was.
      assert.equal(await holder.refused('consumeLink', { body: { token: link, name: 'Aoki' } }), 'signed_out')
      assert.equal((await personOf(impostor)).isOperator, false)
    })

    test('an owner who was removed while a call was on its way invites, changes and approves nobody', async () => {
      const owner = await setUp()
      const by = { ...(await personOf(owner)), id: 'removed meanwhile' }
      const shop = { merchantId: TEA_MERCHANT.id, role: 'owner' } as const
      const facts = { email: 'x@example.com', shop, locale: 'ja', by, invitedBy: by.id, sendsMail: false } as const
      assert.deepEqual(await invitePerson(server.deps, facts), {
        refused: 'role_not_allowed',
        params: { needed: 'owner' },
      })
      assert.deepEqual(await ids("SELECT hash FROM person_links WHERE kind = 'invitation'"), [])
    })

    test('a session that is ended while the body of a call is on its way changes nothing', async () => {
      const owner = await setUp()
      const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
      const lastUse = async (): Promise<unknown> => (await ids('SELECT max(last_used_at) FROM person_sessions'))[0]
      for (const [method, path, body] of [
        ['POST', '/console/v1/invitations', { email: 'x@example.com', role: 'owner', locale: 'ja' }],
        ['PATCH', '/merchant/v1/settings', { colorCode: '#000000' }],
      ] as const) {
        await owner.signIn()
        server.clock.advance(2 * MINUTE_MS)
        const sentAt = server.clock.now()
        const headers = { ...signedInAs(owner), ...tea, mode: 'test', 'content-type': 'application/json' }
        const sent = request(address + path, { method, headers })
        sent.flushHeaders()
        const answered = new Promise<IncomingMessage>((resolve) => void sent.once('response', resolve))
        // The call has been let in: its session was used.
        while (Number(await lastUse()) < sentAt) await setImmediate()
        await server.deps.database.rows('DELETE FROM person_sessions')
        sent.end(JSON.stringify(body))
        const response = await answered
        response.resume()
        assert.equal(response.statusCode, 401, path)
      }
      await new Promise((resolve) => void server.app.server.close(resolve))
      assert.deepEqual(await ids("SELECT hash FROM person_links WHERE kind = 'invitation'"), [])
    })

    test('a passkey is not enrolled in a session that a recovery has ended since it was made', async () => {
      const owner = await setUp()
      const { options } = await owner.done<{ options: CreationOptions }>('beginEnrolment')
      const [hash] = await ids('SELECT hash FROM person_sessions')
      const signedIn = (await findSession(server.deps.database, String(hash))) ?? assert.fail('no session')
      const thief = browser()
      await thief.done('consumeLink', { body: { token: await openRecovery(server.deps, 'owner@example.com') } })
      const passkey = owner.authenticator.create(options)
      assert.deepEqual(await finishEnrolment(server.deps, signedIn, { passkey, name: 'x' }), { refused: 'signed_out' })
      const [first] = await ids('SELECT id FROM passkeys')
      assert.deepEqual(await removePasskey(server.deps, signedIn, String(first)), { refused: 'signed_out' })
      assert.equal((await ids('SELECT id FROM passkeys')).length, 1)
    })

    test('recoveries one after another leave one new passkey, and never a person without one that confirms', async () => {
      const owner = await setUp()
      const [first] = await ids('SELECT id FROM passkeys')
      const enrolled: string[] = []
      for (let recovery = 0; recovery < 3; recovery += 1) {
        const thief = browser()
        await thief.done('consumeLink', { body: { token: await openRecovery(server.deps, 'owner@example.com') } })
        enrolled.push((await thief.enrol()).id)
        // A recovery enrols one.
        assert.equal(await thief.refused('beginEnrolment'), 'passkey_too_new')
        server.clock.advance(5 * MINUTE_MS + 1)
        assert.equal(await thief.refused('beginEnrolment'), 'passkey_needed')
      }
      const left = await ids('SELECT id FROM passkeys')
      assert.deepEqual(new Set(left), new Set([first, enrolled[2]]))
      await owner.signIn()
      assert.equal(await owner.refused('removePasskey', { params: { passkeyId: String(first) } }), 'last_passkey')
      // As after a clock was set back: nothing confirms, and nothing is removed.
      await server.deps.database.rows('UPDATE passkeys SET confirms_from = $1', server.clock.now() + DAY_MS)
      const again = browser()
      await again.done('consumeLink', { body: { token: await openRecovery(server.deps, 'owner@example.com') } })
      assert.equal((await ids('SELECT id FROM passkeys')).length, 2)
      assert.ok(Date.parse((await again.enrol()).confirmsFrom) > server.clock.now())
    })

    test('a recovery enrols its passkey beyond the most that a person may have, and nothing else does', async () => {
      const owner = await setUp()
      for (let passkeys = 1; passkeys < 10; passkeys += 1) await owner.enrol()
      assert.equal(await owner.refused('beginEnrolment'), 'too_many_passkeys')
      const recovered = browser()
      await recovered.done('consumeLink', { body: { token: await openRecovery(server.deps, 'owner@example.com') } })
      const { id } = await recovered.enrol()
      server.clock.advance(DAY_MS)
      await recovered.signIn(id)
      assert.equal(await recovered.refused('beginEnrolment'), 'too_many_passkeys')
      assert.equal((await ids('SELECT id FROM passkeys')).length, 11)
    })

    test('a passkey that confirms by the clock of another server is not waited for, and one later is', async () => {
      const owner = await setUp()
      const [first] = await ids('SELECT id FROM passkeys')
      const second = await owner.enrol()
      const remove = { params: { passkeyId: String(first) } }
      const confirmFrom = (at: number) =>
        server.deps.database.rows('UPDATE passkeys SET confirms_from = $1 WHERE id = $2', at, second.id)
      await confirmFrom(server.clock.now() + 11_000)
      await owner.signIn(String(first))
      assert.equal(await owner.refused('removePasskey', remove), 'last_passkey')
      await confirmFrom(server.clock.now() + 10_000)
      const again = browser()
      const token = await openRecovery(server.deps, 'owner@example.com')
      assert.ok(typeof token === 'string')
      // Made by a server whose clock is ahead by as much as two may differ.
      await server.deps.database.rows('UPDATE person_links SET created_at = $1', server.clock.now() + 11_000)
      assert.equal(await again.refused('consumeLink', { body: { token } }), 'link_not_usable')
      await server.deps.database.rows('UPDATE person_links SET created_at = $1', server.clock.now() + 10_000)
      await again.done('consumeLink', { body: { token } })
      assert.equal((await ids('SELECT id FROM passkeys')).length, 2)
      await owner.signIn(String(first))
      await owner.done('removePasskey', remove)
    })

    test('a session is ended once, by one of two at once, and one that is over already is not ended again', async () => {
      const owner = await setUp()
      const other = openConsoleBrowser(server.app, owner.authenticator)
      const sessionOfOther = async (): Promise<{ params: { sessionId: string } }> => {
        await other.signIn()
        const { items } = await owner.done<{ items: { id: string; isThis: boolean }[] }>('listSessions')
        return { params: { sessionId: items.find(({ isThis }) => !isThis)?.id ?? assert.fail() } }
      }
      const ending = await sessionOfOther()
      const answers = await Promise.all([1, 2].map(() => owner.call('endOtherSession', ending)))
      const statuses = answers.map(({ statusCode }) => statusCode)
      assert.deepEqual(new Set(statuses), new Set([200, 404]))
      const over = await sessionOfOther()
      server.clock.advance(29 * MINUTE_MS)
      const sentAt = server.clock.now()
      await owner.done('readSession')
      // The use is noted behind the answer.
      const used = 'SELECT hash FROM person_sessions WHERE last_used_at >= $1'
      while ((await server.deps.database.rows(used, sentAt)).length === 0) await setImmediate()
      server.clock.advance(MINUTE_MS)
      assert.equal(await owner.refused('endOtherSession', over), 'person_not_found')
      assert.equal(
        (await ids("SELECT id FROM audit_lines WHERE action = 'session_ended' AND merchant_id <> ''")).length,
        1,
      )
    })

    test('nobody raises the own role, and nobody is raised by an old invitation', async () => {
      const owner = await setUp()
      const staff = await join(owner, 'staff@example.com')
      const { id: personId } = await personOf(staff)
      const raise = { ...tea, params: { personId }, body: { role: 'owner' } }
      assert.equal(await staff.refused('changeRole', raise), 'role_not_allowed')
      const body = { email: 'staff@example.com', role: 'owner', locale: 'ja' }
      assert.equal(await owner.refused('invitePerson', { ...tea, body }), 'already_a_member')
      for (const access of ['read', 'sales', 'full'])
        assert.equal(
          await staff.refused('createKey', { ...tea, body: { mode: 'test', access } }),
          'role_not_allowed',
          access,
        )
    })

    test('an operator who is made one while the own name is being changed stays one', async () => {
      const owner = await setUp()
      const stale = { ...(await personOf(owner)), isOperator: false }
      await savePerson(server.deps.database, { ...stale, isOperator: true })
      await changePerson(server.deps, stale, { name: 'Other' })
      const after = await findPerson(server.deps.database, stale.id)
      assert.deepEqual([after?.name, after?.isOperator], ['Other', true])
    })

    test('a name cannot pretend to be a line of the audit list, and a line tells who it was beside the name', async () => {
      const owner = await setUp()
      const staff = await join(owner, 'staff@example.com')
      const { id: personId } = await personOf(staff)
      for (const name of [
        'A\nAoyama refund_made',
        'A\u2028B',
        '\u202Eamayoa',
        'A\u2066B',
        'A\u0007',
        'a'.repeat(101),
      ]) {
        assert.equal(await staff.refused('changePerson', { body: { name } }), 'invalid_field', JSON.stringify(name))
        const key = { mode: 'test', access: 'read', name }
        assert.equal(await owner.refused('createKey', { ...tea, body: key }), 'invalid_field', JSON.stringify(name))
      }
      await staff.done('changePerson', { body: { name: 'Aoyama' } })
      interface Line {
        readonly personId: string
        readonly person: string
        readonly action: string
      }
      const { items } = await owner.done<{ items: Line[] }>('listAudit', tea)
      const changed = items.find(({ action }) => action === 'person_changed')
      assert.deepEqual([changed?.person, changed?.personId], ['Aoyama', personId])
    })

    test('a hostile attestation is refused without a fault, whatever it holds', async () => {
      const owner = await setUp()
      for (const [what, bytes] of Object.entries(HOSTILE_CBOR)) {
        server.clock.advance(1000)
        const { options } = await owner.done<{ options: CreationOptions }>('beginEnrolment')
        const honest = owner.authenticator.create(options)
        const attestationObject = bytes.toString('base64url')
        const passkey: NewCredential = { ...honest, response: { ...honest.response, attestationObject } }
        const answer = await owner.call('finishEnrolment', { body: { passkey, name: 'x' } })
        assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [422, 'passkey_refused'], what)
      }
    })

    test('a passkey whose id is too long, or another than it says, is not stored', async () => {
      const owner = await setUp()
      for (const [idLength, sent] of [
        [3000, 'YQ'],
        [16, 'YQ'],
      ] as const) {
        const { options } = await owner.done<{ options: CreationOptions }>('beginEnrolment')
        const honest = owner.authenticator.create(options, { idLength })
        const answer = await owner.call('finishEnrolment', {
          body: { passkey: { ...honest, id: sent, rawId: sent }, name: 'x' },
        })
        assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [422, 'passkey_refused'])
      }
      assert.equal((await ids('SELECT id FROM passkeys')).length, 1)
    })

    test('ids with a character that PostgreSQL cannot hold are refused', async () => {
      const owner = await setUp()
      const params = { personId: '\0', passkeyId: '\0', sessionId: '\0', invitationId: '\0', keyId: '\0', label: '\0' }
      for (const name of [
        'approvePasskey',
        'removePerson',
        'changeRole',
        'withdrawInvitation',
        'removePasskey',
        'endOtherSession',
        'rollKey',
        'revokeKey',
        'closeShop',
      ] as const) {
        const body = { changeRole: { role: 'staff' }, rollKey: {} }[name as string]
        const answer = await owner.call(name, { ...tea, params, ...(body === undefined ? {} : { body }) })
        assert.ok(answer.statusCode === 400 || answer.statusCode === 404, `${name}: ${answer.statusCode}`)
      }
    })

    test('an answer to a question of one kind is none to another: sign-in, confirmation, enrolment', async () => {
      const owner = await setUp()
      const { options } = await owner.done<{ options: RequestOptions }>('beginSignIn')
      const passkey = owner.authenticator.sign(options)
      assert.equal(await owner.refused('finishConfirmation', { body: { passkey } }), 'passkey_refused')
      const asked = await owner.done<{ options: RequestOptions }>('beginConfirmation')
      const confirmed = owner.authenticator.sign(asked.options)
      assert.equal(await owner.refused('finishSignIn', { body: { passkey: confirmed } }), 'passkey_refused')
      const enrolment = await owner.done<{ options: CreationOptions }>('beginEnrolment')
      const signed = owner.authenticator.sign({ ...options, challenge: enrolment.options.challenge })
      assert.equal(await owner.refused('finishConfirmation', { body: { passkey: signed } }), 'passkey_refused')
      // The first one has not been answered yet, and its answer was not taken for anything else.
      await owner.done('finishSignIn', { body: { passkey } })
    })

    test('whoever has signed in changes no more than a hundred things at once, and reads on', async () => {
      const owner = await setUp()
      let refused = ''
      for (let each = 0; each < 110 && refused === ''; each += 1) {
        const answer = await owner.call('beginConfirmation')
        if (answer.statusCode !== 200) refused = answer.json<{ code: string }>().code
      }
      assert.equal(refused, 'too_many_tries')
      await owner.done('readSession')
      server.clock.advance(2000)
      await owner.done('beginConfirmation')
    })

    test('whoever asks for links, opens wrong ones and tries strange passkeys keeps nobody behind the same address from signing in', async () => {
      const owner = await setUp()
      const stranger = browser()
      for (let tries = 0; tries < 100; tries += 1) {
        await stranger.call('askForLink', { body: { email: 'owner@example.com', locale: 'ja' } })
        const token = String(tries).padStart(32, 'a')
        assert.equal(await stranger.refused('readLink', { body: { token } }), 'link_not_usable')
        assert.equal(await stranger.refused('consumeLink', { body: { token } }), 'link_not_usable')
        const { options } = await stranger.done<{ options: RequestOptions }>('beginSignIn')
        const passkey = { ...owner.authenticator.sign(options), id: 'strange', rawId: 'strange' }
        assert.equal(await stranger.refused('finishSignIn', { body: { passkey } }), 'passkey_refused')
      }
      // Nothing is stored of all that but the links that may be sent. The one challenge is of the owner's own passkey.
      assert.equal((await server.deps.database.rows('SELECT hash FROM passkey_challenges')).length, 1)
      assert.equal((await server.deps.database.rows("SELECT hash FROM person_links WHERE kind = 'sign_in'")).length, 4)
      for (let times = 0; times < 12; times += 1) await openConsoleBrowser(server.app, owner.authenticator).signIn()
    })

    test('of one passkey sixty wrong answers are looked at from a network, then one in ten seconds', async () => {
      const owner = await setUp()
      const wrong = async (): Promise<string> => {
        const { options } = await owner.done<{ options: RequestOptions }>('beginSignIn')
        const passkey = owner.authenticator.sign(options, { isVerified: false })
        return owner.refused('finishSignIn', { body: { passkey } })
      }
      for (let tries = 0; tries < 60; tries += 1) assert.equal(await wrong(), 'passkey_refused')
      assert.equal(await wrong(), 'too_many_tries')
      server.clock.advance(10_000)
      await owner.signIn()
    })

    test('a person of a closed shop opens nothing there, and cannot be named for another one', async () => {
      const owner = await setUp()
      const me = async (merchant: string, mode: string): Promise<string> => {
        const headers = { ...signedInAs(owner), merchant, mode }
        return (await server.app.inject({ url: '/merchant/v1/me', headers })).json<{ code?: string }>().code ?? 'ok'
      }
      assert.equal(await me('tea', 'test'), 'ok')
      for (const merchant of ['books', 'TEA', 'tea, books', 'console', '3ds', '../tea', 'tea\u00a0'])
        assert.equal(await me(merchant, 'test'), 'role_not_allowed', merchant)
      for (const mode of ['', 'LIVE', 'test, live', '__proto__', 'constructor'])
        assert.equal(await me('tea', mode), 'invalid_field', mode)
      await owner.done('closeShop', { params: { label: 'tea' } })
      assert.equal(await me('tea', 'test'), 'shop_closed')
      const key = { ...tea, body: { mode: 'test', access: 'read' } }
      assert.equal(await owner.refused('createKey', key), 'shop_closed')
      await owner.done('reopenShop', { params: { label: 'tea' } })
    })

    test('no token, cookie, hash or challenge is in the log of all that, nor in an answer that does not need it', async () => {
      const owner = await setUp()
      const token = await openRecovery(server.deps, 'owner@example.com')
      assert.ok(typeof token === 'string')
      await browser().done('readLink', { body: { token } })
      // As the address of a document: the log names routes, not addresses.
      await server.app.inject({ url: `/sign-in/${token}`, headers: { host: 'console.localhost:3000' } })
      const again = browser()
      await again.done('consumeLink', { body: { token } })
      assert.equal(await owner.refused('readSession'), 'signed_out')
      const invited = await join(await setUpAgain(again, owner), 'new@example.com')
      await workOnce(server.deps)
      const session = invited.cookies.get('kaikei-session') ?? assert.fail('no session')
      const secrets = [token, session, hashToken(token), hashToken(session)]
      const hashes = await ids('SELECT hash FROM person_sessions UNION SELECT hash FROM person_links')
      const log = server.logLines.join('')
      for (const secret of [...secrets, ...hashes.map(String)]) assert.ok(!log.includes(secret))
      assert.doesNotMatch(log, /kaikei-session|__Host|sign-in\/[a-z2-7]{32}|@example\.com/)
    })

    /** The first owner signs in with the passkey from before the recovery. */
    const setUpAgain = async (recovered: ConsoleBrowser, owner: ConsoleBrowser): Promise<ConsoleBrowser> => {
      assert.equal(await recovered.refused('invitePerson', tea), 'passkey_needed')
      await owner.signIn()
      return owner
    }

    test('a passkey of a recovery confirms nothing for a day, enrols no other, and removes none', async () => {
      const owner = await setUp()
      const token = await openRecovery(server.deps, 'owner@example.com')
      const thief = browser()
      await thief.done('consumeLink', { body: { token } })
      const { id } = await thief.enrol()
      assert.equal(await thief.refused('invitePerson', tea), 'passkey_too_new')
      const later = openConsoleBrowser(server.app, thief.authenticator)
      await later.signIn(id)
      assert.equal(await later.refused('beginEnrolment'), 'passkey_too_new')
      const known = (await later.done<{ items: { id: string }[] }>('listPasskeys')).items
      const first = known.find((each) => each.id !== id)?.id ?? ''
      assert.equal(await later.refused('removePasskey', { params: { passkeyId: first } }), 'passkey_too_new')
      // The person finds the strange passkey and removes it: whoever has it is out.
      await owner.signIn()
      await owner.done('removePasskey', { params: { passkeyId: id } })
      assert.equal(await later.refused('readSession'), 'signed_out')
      assert.equal((await later.call('beginSignIn')).statusCode, 200)
      server.clock.advance(DAY_MS)
      await assert.rejects(later.signIn(id), /passkey_refused/)
    })
  })
})
