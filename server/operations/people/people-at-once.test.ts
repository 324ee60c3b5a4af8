import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { systemRandom } from '../../dependencies.ts'
import type { Database } from '../../store/engine/database.ts'
import { deleteOldChallenges, endChallenge } from '../../store/people/challenges.ts'
import { deleteOldLinks, plannedInvitationMails } from '../../store/people/links.ts'
import { membersOf, saveMembership } from '../../store/people/memberships.ts'
import { insertPasskey } from '../../store/people/passkeys.ts'
import { insertPerson, type Person } from '../../store/people/people.ts'
import { deleteOldPersonMails, findPersonMailsDue } from '../../store/people/person-mails.ts'
import { findSession, sessionsOf } from '../../store/people/sessions.ts'
import { hashToken } from '../../store/people/people.ts'
import { askForLink, consumeLink } from './links.ts'
import { openRecovery } from './operator-people.ts'
import { COMMAND_LINE } from './change-people.ts'
import { changeRole, invitePerson, removePerson } from './people-of-shop.ts'

const person = (name: string): Person => ({
  id: name,
  email: `${name}@example.com`,
  name,
  locale: 'ja',
  isOperator: false,
})
const [AKI, MAI] = [person('aki'), person('mai')]
const merchantId = TEA_MERCHANT.id
const SETTINGS = { signIn: 'link', sendsMail: true } as const
const HERE = { browserHash: 'here', browser: 'Firefox, Linux', signedIn: null }

describe('people who are changed at once', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let database: Database
    const clock = virtualClock()
    before(async () => {
      database = await open()
      await saveMerchant(database, TEA_MERCHANT, 0)
    })
    beforeEach(async () => {
      for (const table of ['person_sessions', 'passkeys', 'person_links', 'person_mails', 'memberships', 'people'])
        await database.rows(`DELETE FROM ${table}`)
      for (const each of [AKI, MAI]) {
        await insertPerson(database, each, clock.now())
        await saveMembership(database, { merchantId, personId: each.id, role: 'owner' }, clock.now())
      }
    })
    const deps = () => ({ database, clock, random: systemRandom })
    const givePasskey = (personId: string): Promise<void> =>
      insertPasskey(
        database,
        {
          id: `key-of-${personId}`,
          personId,
          publicKey: 'x',
          transports: [],
          name: 'phone',
          createdAt: 0,
          lastUsedAt: null,
          confirmsFrom: 0,
        },
        0,
      )

    test('of two owners who remove or demote each other one stays', async () => {
      for (const change of [
        (by: Person, other: Person) => removePerson(deps(), { merchantId, by }, other.id),
        (by: Person, other: Person) => changeRole(deps(), { merchantId, by }, other.id, 'viewer'),
      ]) {
        await insertPerson(database, AKI, 0).catch(() => undefined)
        await insertPerson(database, MAI, 0).catch(() => undefined)
        for (const { id: personId } of [AKI, MAI])
          await saveMembership(database, { merchantId, personId, role: 'owner' }, clock.now())
        const both = await Promise.all([change(AKI, MAI), change(MAI, AKI)])
        assert.deepEqual(both.map((refusal) => refusal?.refused ?? 'changed').toSorted(), [
          'changed',
          'role_not_allowed',
        ])
        const owners = (await membersOf(database, merchantId)).filter(({ role }) => role === 'owner')
        assert.equal(owners.length, 1)
      }
    })

    test('a link that is used three times at once begins one session, and as a recovery ends those before it', async () => {
      await givePasskey(AKI.id)
      const before = await openRecovery(deps(), AKI.email)
      assert.ok(typeof before === 'string')
      await consumeLink(deps(), SETTINGS, { token: before }, HERE)
      const token = await openRecovery(deps(), AKI.email)
      assert.ok(typeof token === 'string')
      const used = await Promise.all([1, 2, 3].map(() => consumeLink(deps(), SETTINGS, { token }, HERE)))
      const sessions = used.flatMap((each) => ('refused' in each ? [] : [each.session ?? '']))
      assert.equal(sessions.length, 1)
      const found = await findSession(database, hashToken(sessions[0] ?? ''))
      assert.deepEqual([found?.person, found?.session.isRecovery], [AKI, true])
      assert.equal((await sessionsOf(database, AKI.id)).length, 1)
      // Of each recovery a notice to both owners.
      assert.equal((await findPersonMailsDue(database, clock.now(), 10)).length, 4)
    })

    test('an invitation of an owner who was removed since opens nothing', async () => {
      const invited = await invitePerson(deps(), {
        email: 'new@example.com',
        shop: { merchantId, role: 'owner' },
        locale: 'ja',
        by: MAI,
        invitedBy: MAI.id,
        sendsMail: true,
      })
      assert.ok('token' in invited)
      await removePerson(deps(), { merchantId, by: AKI }, MAI.id)
      const used = await consumeLink(deps(), SETTINGS, { token: invited.token, name: 'New' }, HERE)
      assert.deepEqual(used, { refused: 'link_not_usable' })
    })

    test('of thirty answers to one challenge at once one counts, and it is forgotten when nobody could answer it any more', async () => {
      const answered = await Promise.all(
        Array.from({ length: 30 }, () => database.transact((sql) => endChallenge(sql, 'challenge', clock.now()))),
      )
      assert.equal(answered.filter(Boolean).length, 1)
      const left = async (): Promise<number> => (await database.rows('SELECT hash FROM passkey_challenges')).length
      clock.advance(6 * MINUTE_MS - 1)
      await deleteOldChallenges(database, clock.now())
      assert.equal(await left(), 1)
      clock.advance(1)
      await deleteOldChallenges(database, clock.now())
      assert.equal(await left(), 0)
    })

    const THIRTY = Array.from({ length: 30 }, (_none, place) => place)
    const ask = (email: string, network: string) =>
      askForLink(deps(), SETTINGS, { email, network, locale: 'ja', browserHash: 'here' })
    const linksTo = async (email: string): Promise<number> =>
      (await database.rows('SELECT hash FROM person_links WHERE email = $1', email)).length
    const mailsDue = async (): Promise<number> => (await findPersonMailsDue(database, clock.now(), 100)).length

    test('an address that thirty networks ask links for at once gets five, known or not', async () => {
      for (const email of [AKI.email, 'nobody@example.com']) {
        await Promise.all(THIRTY.map((place) => ask(email, `192.0.2.${place}`)))
        assert.equal(await linksTo(email), 5, email)
      }
      assert.equal(await mailsDue(), 5)
    })

    test('of the five links of an hour one network gets four, however many it asks for at once, and an IPv6 customer counts once', async () => {
      await Promise.all(THIRTY.map(() => ask(AKI.email, '192.0.2.1')))
      assert.equal(await linksTo(AKI.email), 4)
      await ask(AKI.email, '192.0.2.2')
      await ask(AKI.email, '192.0.2.3')
      assert.equal(await linksTo(AKI.email), 5)
      await Promise.all(THIRTY.map((place) => ask(MAI.email, `2001:db8:7:${place}::/64`)))
      assert.equal(await linksTo(MAI.email), 4)
      await ask(MAI.email, '2001:db8:8:0::/64')
      assert.equal(await linksTo(MAI.email), 5)
      clock.advance(HOUR_MS - 1)
      await ask(AKI.email, '192.0.2.1')
      assert.equal(await linksTo(AKI.email), 5)
      clock.advance(1)
      await ask(AKI.email, '192.0.2.1')
      assert.equal(await linksTo(AKI.email), 6)
    })

    const shop = async (label: string): Promise<string> => {
      const found = await database.rows('SELECT id FROM merchants WHERE label = $1', label)
      if (found.length === 0) await saveMerchant(database, { ...TEA_MERCHANT, id: `id-${label}`, label }, 0)
      return `id-${label}`
    }
    const inviteTo = async (id: string): Promise<string> => {
      const facts = { email: 'new@example.com', locale: 'ja', by: COMMAND_LINE, invitedBy: null } as const
      const invited = await invitePerson(deps(), { ...facts, shop: { merchantId: id, role: 'staff' }, sendsMail: true })
      return 'refused' in invited ? invited.refused : 'invited'
    }

    test('a shop that invites an address thirty times at once does so five times, and no other shop learns of it', async () => {
      const asked = await Promise.all(THIRTY.map(() => inviteTo(merchantId)))
      assert.equal(asked.filter((each) => each === 'invited').length, 5)
      assert.equal(asked.filter((each) => each === 'too_many_tries').length, 25)
      const other = await shop('other')
      assert.equal(await inviteTo(other), 'invited')
      const operator = {
        email: 'new@example.com',
        shop: null,
        locale: 'ja',
        by: COMMAND_LINE,
        invitedBy: null,
      } as const
      assert.ok('token' in (await invitePerson(deps(), { ...operator, sendsMail: true })))
      assert.equal(await mailsDue(), 7)
      clock.advance(HOUR_MS)
      assert.equal(await inviteTo(merchantId), 'invited')
    })

    test('the invitations of all shops to one address are mailed twenty an hour, and a further one later', async () => {
      const shops = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(shop))
      for (const id of shops.slice(0, 4)) for (let times = 0; times < 5; times += 1) await inviteTo(id)
      const before = clock.now()
      assert.equal(await mailsDue(), 20)
      clock.advance(1000)
      assert.equal(await inviteTo(shops[4] ?? ''), 'invited')
      assert.equal(await mailsDue(), 20)
      const to = { email: 'new@example.com', limit: 1 }
      assert.deepEqual(await plannedInvitationMails(database, to, clock.now()), [before + HOUR_MS])
      clock.advance(HOUR_MS - 1000)
      assert.equal(await mailsDue(), 21)
      // As after a clock was set back by years: what was planned then is not waited for.
      await database.rows('UPDATE person_links SET mail_at = $1', clock.now() + 365 * DAY_MS)
      assert.equal(await inviteTo(merchantId), 'invited')
      assert.equal(await mailsDue(), 22)
    })

    test('links and mails are deleted after their end, those to unknown addresses too', async () => {
      for (const email of [AKI.email, 'nobody@example.com'])
        await askForLink(deps(), SETTINGS, { email, network: '192.0.2.1', locale: 'ja', browserHash: 'here' })
      assert.equal((await findPersonMailsDue(database, clock.now(), 10)).length, 1)
      clock.advance(2 * DAY_MS)
      await deleteOldLinks(database, clock.now())
      await deleteOldPersonMails(database, clock.now())
      for (const table of ['person_links', 'person_mails'])
        assert.deepEqual(await database.rows(`SELECT * FROM ${table}`), [], table)
    })
  })
})
