import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { OutboxItemAnswer } from '#contract/console/operator.ts'
import { statusAndCode } from '../../../../proof/harness/error-answers.ts'
import { openTestOperator, type TestOperator } from '../../../../proof/harness/test-operator.ts'

describe('an operator and what waits to be sent', () => {
  let operator: TestOperator
  before(async () => {
    operator = await openTestOperator()
  })
  const call: TestOperator['call'] = (...sent) => operator.call(...sent)

  test('has what failed tried again, and the shop reads it in its audit list', async () => {
    const { database } = operator.server.deps
    await operator.server.createCheckout()
    await database.rows(
      `INSERT INTO mails (merchant_id, id, checkout_id, kind, recipient, locale, state, tries, created_at, ended_at, facts)
       SELECT merchant_id, id || '.receipt', id, 'receipt', 'taro@example.com', 'ja', 'refused', 1, 0, 0, '{}' FROM checkouts LIMIT 1`,
    )
    const list = async (): Promise<OutboxItemAnswer[]> =>
      (await call('GET', '/outbox?state=failed&shop=tea')).json<{ items: OutboxItemAnswer[] }>().items
    const [mail] = await list()
    assert.equal(mail?.kind, 'mail')
    const retried = await call('POST', '/outbox/retry', { mailId: mail?.id })
    assert.deepEqual([retried.statusCode, retried.json()], [200, { deliveries: 0, mails: 1 }])
    assert.deepEqual(await list(), [])
    assert.ok((await operator.audited('tea')).includes('outbox_retried by operator'))
    for (const body of [{ mailId: 'nothing' }, { eventId: `evt_${'a'.repeat(32)}` }])
      assert.deepEqual(statusAndCode(await call('POST', '/outbox/retry', body)), [404, 'nothing_to_retry'])
    const nowhere = await call('GET', '/outbox?shop=nowhere')
    assert.deepEqual(nowhere.json<object>(), { items: [], after: null })
  })

  test('reads the whole outbox page by page, each item once', async () => {
    const { database } = operator.server.deps
    for (const [shop, from] of [
      ['tea', 0],
      ['books', 60],
    ] as const)
      for (let mail = from; mail < from + 60; mail += 1)
        await database.rows(
          `INSERT INTO mails (merchant_id, id, checkout_id, kind, recipient, locale, state, tries, created_at, ended_at, facts)
           VALUES ($1, $2, NULL, 'shop_paid', 'x@example.com', 'ja', 'refused', 1, 0, 0, '{}')`,
          `${shop}-id`,
          `${'b'.repeat(32)}.page.${mail}`,
        )
    interface Page {
      readonly items: OutboxItemAnswer[]
      readonly after: string | null
    }
    const first = (await call('GET', '/outbox?state=failed')).json<Page>()
    assert.equal(first.items.length, 100)
    const second = (await call('GET', `/outbox?state=failed&after=${first.after}`)).json<Page>()
    assert.equal(second.after, null)
    const all = [...first.items, ...second.items].filter(({ id }) => id.includes('.page.'))
    assert.equal(new Set(all.map(({ id }) => id)).size, 120)
    assert.deepEqual([...new Set(all.map(({ shop }) => shop))], ['books', 'tea'])
    for (const place of ['nowhere', Buffer.from('[1,"tea","\\u0000",""]').toString('base64url')])
      assert.deepEqual(statusAndCode(await call('GET', `/outbox?after=${place}`)), [400, 'invalid_field'])
  })
})
