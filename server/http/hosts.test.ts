import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { merchantOfCall, merchantOfDocument, readHost, type HostRole } from './hosts.ts'
import type { Database } from '../store/engine/database.ts'
import { findMerchant } from '../store/merchant/merchants.ts'
import { openSqliteInMemory } from '../../proof/harness/databases.ts'
import { MERCHANT_SETTINGS } from '../../proof/harness/test-merchants.ts'
import { saveMerchant } from '../../proof/harness/save-records.ts'

const LOCAL = new URL('http://localhost:3000')
const PUBLIC = new URL('https://pay.example.com')
const RESERVED = ['3ds', 'www', 'api', 'console', 'preview', 'admin', 'static', 'bank', '3ds-server']

const hosts: readonly (readonly [string | undefined, URL, HostRole])[] = [
  ['tea.localhost:3000', LOCAL, { host: 'merchant', label: 'tea' }],
  ['tea.localhost', LOCAL, { host: 'merchant', label: 'tea' }],
  ['TEA.LocalHost:3000', LOCAL, { host: 'merchant', label: 'tea' }],
  ['tea.localhost.:3000', LOCAL, { host: 'merchant', label: 'tea' }],
  ['tea-2.pay.example.com', PUBLIC, { host: 'merchant', label: 'tea-2' }],
  [`${'a'.repeat(63)}.pay.example.com`, PUBLIC, { host: 'merchant', label: 'a'.repeat(63) }],
  [`${'a'.repeat(64)}.pay.example.com`, PUBLIC, { host: 'foreign' }],
  ['localhost:3000', LOCAL, { host: 'base' }],
  ['127.0.0.1:3000', LOCAL, { host: 'base' }],
  ['[::1]:3000', LOCAL, { host: 'base' }],
  ['pay.example.com', PUBLIC, { host: 'base' }],
  ['127.0.0.1', PUBLIC, { host: 'foreign' }],
  ['evilpay.example.com', PUBLIC, { host: 'foreign' }],
  ['pay.example.com.evil.example', PUBLIC, { host: 'foreign' }],
  ['a.b.pay.example.com', PUBLIC, { host: 'foreign' }],
  ['-tea.pay.example.com', PUBLIC, { host: 'foreign' }],
  ['tea-.pay.example.com', PUBLIC, { host: 'foreign' }],
  ['te_a.pay.example.com', PUBLIC, { host: 'foreign' }],
  ['.pay.example.com', PUBLIC, { host: 'foreign' }],
  ['example.com', PUBLIC, { host: 'foreign' }],
  ['', PUBLIC, { host: 'foreign' }],
  [undefined, LOCAL, { host: 'foreign' }],
  ['3ds.pay.example.com', PUBLIC, { host: 'bridge' }],
  ['3DS.localhost:3000', LOCAL, { host: 'bridge' }],
  ['console.pay.example.com', PUBLIC, { host: 'console' }],
  ['CONSOLE.localhost:3000', LOCAL, { host: 'console' }],
  ['console.pay.example.com', new URL('http://pay.example.com'), { host: 'foreign' }],
  ['a.console.pay.example.com', PUBLIC, { host: 'foreign' }],
  ['a.3ds.pay.example.com', PUBLIC, { host: 'foreign' }],
  ...RESERVED.filter((label) => label !== '3ds' && label !== 'console').map(
    (label) => [`${label}.pay.example.com`, PUBLIC, { host: 'foreign' }] as const,
  ),
]
for (const [host, base, reading] of hosts) {
  test(`under ${base.host} the host ${JSON.stringify(host)} reads ${JSON.stringify(reading)}`, () => {
    assert.deepEqual(readHost(host, base), reading)
  })
}

describe('the merchant of a page and of a call', () => {
  let database: Database
  before(async () => {
    database = await openSqliteInMemory()
    for (const label of ['tea', 'books', ...RESERVED]) {
      await saveMerchant(database, { id: `${label}-id`, label, settings: MERCHANT_SETTINGS }, 0)
    }
  })

  const find = (label: string) => findMerchant(database, label)
  const tea: HostRole = { host: 'merchant', label: 'tea' }
  const ofCall = async (host: HostRole, header: unknown): Promise<string | undefined> =>
    (await merchantOfCall(find, host, header))?.id
  const ofDocument = async (host: HostRole): Promise<string | undefined> => (await merchantOfDocument(find, host))?.id

  test('a page belongs to the merchant of its host alone', async () => {
    assert.equal(await ofDocument(tea), 'tea-id')
    assert.equal(await ofDocument({ host: 'merchant', label: 'nobody' }), undefined)
    assert.equal(await ofDocument({ host: 'base' }), undefined)
    assert.equal(await ofDocument({ host: 'foreign' }), undefined)
    assert.equal(await ofDocument({ host: 'bridge' }), undefined)
  })

  test('a call belongs to the merchant of its header, with which the host must agree', async () => {
    assert.equal(await ofCall(tea, 'tea'), 'tea-id')
    assert.equal(await ofCall({ host: 'base' }, 'tea'), 'tea-id')
    assert.equal(await ofCall(tea, 'books'), undefined)
    assert.equal(await ofCall({ host: 'merchant', label: 'nobody' }, 'nobody'), undefined)
    assert.equal(await ofCall({ host: 'foreign' }, 'tea'), undefined)
    assert.equal(await ofCall({ host: 'bridge' }, 'tea'), undefined)
  })

  test('a header that is missing, doubled, empty or misspelt names no merchant', async () => {
    for (const header of [undefined, ['tea', 'books'], '', 'TEA', ' tea', 'tea, books', 'tea\0', `${'a'.repeat(64)}`]) {
      assert.equal(await ofCall({ host: 'base' }, header), undefined, JSON.stringify(header))
    }
  })

  test('a reserved label is no merchant even if the database has one of that name', async () => {
    for (const label of RESERVED) assert.equal(await ofCall({ host: 'base' }, label), undefined, label)
  })
})
