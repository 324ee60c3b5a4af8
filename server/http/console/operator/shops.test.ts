import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ShopAnswer } from '#contract/console/operator.ts'
import { statusAndCode } from '../../../../proof/harness/error-answers.ts'
import { openTestOperator, type TestOperator } from '../../../../proof/harness/test-operator.ts'

describe('an operator and the shops', () => {
  let operator: TestOperator
  before(async () => {
    operator = await openTestOperator()
  })
  const call: TestOperator['call'] = (...sent) => operator.call(...sent)
  const OWNER = { email: 'taro@example.com', locale: 'ja' }

  test('opens a shop and invites its first owner, whom the link makes one', async () => {
    const shop = { label: 'rice', shopName: 'Aoyama Rice', shopEmail: 'rice@example.com', owner: OWNER }
    const answer = await call('POST', '/shops', shop)
    assert.equal(answer.statusCode, 201, answer.body)
    const { link = '', ...opened } = answer.json<ShopAnswer & { link?: string }>()
    assert.deepEqual([opened.label, opened.name, opened.pages], ['rice', 'Aoyama Rice', 'http://rice.localhost:3000'])
    const invitations = await operator.server.deps.database.rows(
      'SELECT email, role FROM person_links WHERE merchant_id = (SELECT id FROM merchants WHERE label = $1)',
      'rice',
    )
    assert.deepEqual(
      invitations.map(({ email, role }) => [email, role]),
      [['taro@example.com', 'owner']],
    )
    // No mail is sent in this test, so that the link is passed on by hand.
    const { origin, pathname } = new URL(link)
    assert.equal(origin, 'http://console.localhost:3000')
    const token = pathname.split('/').at(-1)
    const used = await operator.app.inject({
      method: 'POST',
      url: '/console/v1/links/use',
      headers: { host: 'console.localhost:3000', 'sec-fetch-site': 'same-origin' },
      payload: { token, name: 'Taro', locale: 'ja' },
    })
    assert.equal(used.statusCode, 200, used.body)
    assert.ok((await operator.audited('rice')).includes('shop_opened by operator'))
  })

  test('reads every shop in the list, one whose settings this release cannot read by its label', async () => {
    const { database } = operator.server.deps
    const names = async () =>
      (await call('GET', '/shops'))
        .json<{ items: readonly { label: string; name: string }[] }>()
        .items.map(({ label, name }) => [label, name])
    const before = await names()
    const [settings] = await database.rows("SELECT settings FROM merchants WHERE label = 'tea'")
    await database.rows("UPDATE merchants SET settings = '[]' WHERE label = 'tea'")
    assert.deepEqual(
      await names(),
      before.map(([label = '', name = '']) => [label, label === 'tea' ? 'tea' : name]),
    )
    await database.rows("UPDATE merchants SET settings = $1 WHERE label = 'tea'", String(settings?.['settings']))
  })

  test('opens no shop that cannot be, and no shop without an owner', async () => {
    const owned = { owner: OWNER }
    assert.deepEqual(statusAndCode(await call('POST', '/shops', { label: 'tea', shopName: 'Tea', ...owned })), [
      409,
      'label_taken',
    ])
    for (const [field, body] of [
      ['label', { label: 'console', shopName: 'Tea', ...owned }],
      ['shopName', { label: 'soba', shopName: '4242424242424242', ...owned }],
      ['email', { label: 'soba', shopName: 'Soba', owner: { email: 'nobody', locale: 'ja' } }],
    ] as const) {
      const answer = await call('POST', '/shops', body)
      assert.deepEqual(statusAndCode(answer), [400, 'invalid_field'], answer.body)
      assert.equal(answer.json<{ params: { field: string } }>().params.field, field)
    }
  })

  test('opens more shops for one owner in an hour than one shop may invite the same address', async () => {
    const labels = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `soba-${letter}`)
    const statuses: number[] = []
    for (const label of labels)
      statuses.push(
        (await call('POST', '/shops', { label, shopName: 'Soba', owner: { ...OWNER, email: 'many@example.com' } }))
          .statusCode,
      )
    assert.deepEqual(new Set(statuses), new Set([201]))
  })

  test('closes and reopens a shop, which its owners read in their audit list', async () => {
    assert.equal(typeof (await call('POST', '/shops/books/close')).json<ShopAnswer>().closedAt, 'string')
    assert.equal((await call('POST', '/shops/books/reopen')).json<ShopAnswer>().closedAt, undefined)
    assert.deepEqual((await operator.audited('books')).toSorted(), [
      'shop_closed by operator',
      'shop_reopened by operator',
    ])
    assert.deepEqual(statusAndCode(await call('POST', '/shops/nowhere/close')), [404, 'shop_not_found'])
  })

  test('lists all shops by label, page by page', async () => {
    const labels: string[] = []
    let after: string | null = null
    do {
      const more: string = after === null ? '' : `&after=${after}`
      const page = (await call('GET', `/shops?limit=3${more}`)).json<{ items: ShopAnswer[]; after: string | null }>()
      labels.push(...page.items.map(({ label }) => label))
      ;({ after } = page)
    } while (after !== null)
    assert.deepEqual(labels, labels.toSorted())
    assert.ok(labels.includes('tea') && labels.includes('books') && labels.length > 3)
  })
})
