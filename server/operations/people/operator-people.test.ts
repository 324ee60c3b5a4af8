import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { savePersonWithPasskey } from '../../../proof/harness/test-people.ts'
import { systemRandom } from '../../dependencies.ts'
import type { Database } from '../../store/engine/database.ts'
import { listAuditLines } from '../../store/people/audit.ts'
import { hasRecovered, type Person } from '../../store/people/people.ts'
import { consumeLink } from './links.ts'
import { openRecovery, removeEverywhere } from './operator-people.ts'

const SETTINGS = { signIn: 'link', sendsMail: true } as const
const HERE = { browserHash: 'here', browser: 'Firefox, Linux', signedIn: null }
const member = { merchantId: TEA_MERCHANT.id, role: 'owner' } as const

describe('an operator who owns a shop', () => {
  let database: Database
  let operator: Person
  const clock = virtualClock()
  const deps = () => ({ database, clock, random: systemRandom })
  const actions = async (merchantId: string | null): Promise<string[]> =>
    (await listAuditLines(database, merchantId, { after: null, limit: 100 })).items.map(({ action }) => action)

  beforeEach(async () => {
    database = await openSqliteInMemory()
    await saveMerchant(database, TEA_MERCHANT, 0)
    operator = await savePersonWithPasskey(database, { name: 'aki', isOperator: true, member }, clock.now())
    await savePersonWithPasskey(database, { name: 'mai', member }, clock.now())
  })

  test('is recovered in the sight of operators and of the shop', async () => {
    const token = await openRecovery(deps(), operator.email)
    assert.ok(typeof token === 'string')
    await consumeLink(deps(), SETTINGS, { token }, HERE)
    for (const merchantId of [TEA_MERCHANT.id, null])
      assert.deepEqual(await actions(merchantId), ['person_recovered'], String(merchantId))
  })

  test('has not recovered when made, and whoever was made before that was stored counts as recovered', async () => {
    const values = ['old', 'old@example.com', 'Old', 'ja', 0] as const
    await database.rows(
      'INSERT INTO people (id, email, name, locale, created_at) VALUES ($1, $2, $3, $4, $5)',
      ...values,
    )
    assert.deepEqual([await hasRecovered(database, 'old'), await hasRecovered(database, operator.id)], [true, false])
  })

  test('is removed in the sight of operators and of the shop; whoever is no operator, of the shop alone', async () => {
    assert.equal(await removeEverywhere(deps(), operator.email), null)
    for (const merchantId of [TEA_MERCHANT.id, null])
      assert.deepEqual(await actions(merchantId), ['person_removed'], String(merchantId))
    await savePersonWithPasskey(database, { name: 'jun', member }, clock.now())
    assert.equal(await removeEverywhere(deps(), 'mai@example.com'), null)
    assert.deepEqual(await actions(null), ['person_removed'])
  })
})
