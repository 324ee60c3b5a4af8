import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { systemRandom } from '../../dependencies.ts'
import type { Database } from '../../store/engine/database.ts'
import { deleteOldChallenges, insertChallenge, takeChallenge } from '../../store/people/challenges.ts'
import { deleteOldLinks } from '../../store/people/links.ts'
import { membersOf, saveMembership } from '../../store/people/memberships.ts'
import { insertPasskey } from '../../store/people/passkeys.ts'
import { insertPerson, type Person } from '../../store/people/people.ts'
import { deleteOldPersonMails, findPersonMailsDue } from '../../store/people/person-mails.ts'
import { findSession, sessionsOf } from '../../store/people/sessions.ts'
import { hashToken } from '../../store/people/people.ts'
import { askForLink, consumeLink } from './links.ts'
import { openRecovery } from './operator-people.ts'
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

    test('a challenge is answered once, for its purpose and in its session, and forgotten when it has ended', async () => {
      const challenge = { hash: 'challenge', purpose: 'confirm', sessionHash: 'mine' } as const
      await insertChallenge(database, challenge, clock.now())
      const now = clock.now()
      assert.equal(await takeChallenge(database, { ...challenge, sessionHash: 'theirs' }, now), false)
      assert.equal(await takeChallenge(database, { ...challenge, sessionHash: null }, now), false)
      assert.equal(await takeChallenge(database, { ...challenge, purpose: 'enrol' }, now), false)
      const both = await Promise.all([1, 2].map(() => takeChallenge(database, challenge, now)))
      assert.deepEqual(both.map(String).toSorted(), ['false', 'true'])
      await insertChallenge(database, challenge, now - DAY_MS)
      assert.equal(await takeChallenge(database, challenge, now), false)
      await deleteOldChallenges(database, now)
      assert.deepEqual(await database.rows('SELECT hash FROM passkey_challenges'), [])
    })

    test('links and mails are deleted after their end, those to unknown addresses too', async () => {
      for (const email of [AKI.email, 'nobody@example.com'])
        await askForLink(deps(), SETTINGS, { email, locale: 'ja', browserHash: 'here' })
      assert.equal((await findPersonMailsDue(database, clock.now(), 10)).length, 1)
      clock.advance(2 * DAY_MS)
      await deleteOldLinks(database, clock.now())
      await deleteOldPersonMails(database, clock.now())
      for (const table of ['person_links', 'person_mails'])
        assert.deepEqual(await database.rows(`SELECT * FROM ${table}`), [], table)
    })
  })
})
