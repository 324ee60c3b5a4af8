import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { SetAsideAnswer } from '#contract/console/operator.ts'
import { openTestOperator, type TestOperator } from '../../../../proof/harness/test-operator.ts'
import { sealSaid } from '../../../store/merchant/set-aside-said.ts'
import { listAuditLines } from '../../../store/people/audit.ts'

const SAID = { pspReference: 'QFQTPCQ8HXSKGK82', eventCode: 'CAPTURE', amount: { value: -1, currency: 'JPY' } }

describe('an operator and what cannot be read', () => {
  let operator: TestOperator
  before(async () => {
    operator = await openTestOperator()
    const insert = `INSERT INTO set_aside (merchant_id, queue, id, why, said, at) VALUES ($1, $2, $3, 'why', $4, $5)`
    const { database } = operator.server.deps
    const unread = { merchantId: 'tea-id', id: 'test unread.1' }
    const { sealing } = operator.server.deps
    await database.rows(
      insert,
      'tea-id',
      'notifications',
      unread.id,
      sealSaid(sealing, unread, JSON.stringify(SAID)),
      1,
    )
    await database.rows(insert, 'tea-id', 'notifications', 'test n2', null, 2)
    await database.rows(
      `INSERT INTO acquirer_notifications (merchant_id, mode, id, event, success, psp_reference, occurred_at, received_at, handled_at)
       VALUES ('tea-id', 'test', 'n2', 'CAPTURE', 1, 'P', 0, 0, 2)`,
    )
    await database.rows(insert, 'tea-id', 'inquiries', 'x', null, 3)
    await database.rows(insert, '', 'person_mails', 'm1', null, 4)
  })

  const listed = async (): Promise<SetAsideAnswer[]> =>
    (await operator.call('GET', '/set-aside')).json<{ items: SetAsideAnswer[] }>().items
  const decide = async (body: object): Promise<object> =>
    (await operator.call('POST', '/set-aside', body)).json<object>()
  const audited = async (): Promise<string[]> =>
    (await listAuditLines(operator.server.deps.database, null, { after: null, limit: 10 })).items.map(
      ({ action, subject, details }) => `${action} ${subject} ${details}`,
    )

  test('reads the list, the oldest first, with the shop of each', async () => {
    assert.deepEqual(
      (await listed()).map(({ shop = 'none', queue, id }) => `${shop} ${queue} ${id}`),
      ['tea notifications test unread.1', 'tea notifications test n2', 'tea inquiries x', 'none person_mails m1'],
    )
  })

  test('looks at what was said, and that is written down', async () => {
    const one = { shop: 'tea', queue: 'notifications', id: 'test unread.1' }
    assert.deepEqual(await decide({ ...one, decision: 'look' }), { outcome: 'looked at', said: JSON.stringify(SAID) })
    assert.deepEqual(await audited(), ['set_aside_read notifications test unread.1 tea: why'])
  })

  test('has one tried again: what still cannot be read stays, and a row goes back into its queue', async () => {
    const unread = { shop: 'tea', queue: 'notifications', id: 'test unread.1', decision: 'retry' }
    assert.deepEqual(await decide(unread), { outcome: 'still unreadable' })
    assert.deepEqual(await decide({ ...unread, id: 'test n2' }), { outcome: 'put back' })
    assert.deepEqual(await decide({ ...unread, id: 'test n2' }), { outcome: 'gone' })
    assert.ok((await audited()).includes('set_aside_retried notifications test n2 tea: why'))
  })

  test('is shown no card number, and has what is readable again stored as it was said', async () => {
    const { database, sealing } = operator.server.deps
    const store = (id: string, said: object) =>
      database.rows(
        `INSERT INTO set_aside (merchant_id, queue, id, why, said, at) VALUES ('tea-id', 'notifications', $1, 'why', $2, 9)`,
        id,
        sealSaid(sealing, { merchantId: 'tea-id', id }, JSON.stringify(said)),
      )
    const whole = {
      pspReference: '8515131751004933',
      originalReference: 'QFQTPCQ8HXSKGK82',
      merchantAccountCode: 'Tea',
      merchantReference: 'x',
      amount: { value: 500, currency: 'JPY' },
      eventCode: 'CAPTURE',
      success: 'true',
      reason: 'card 4111 1111 1111 1111',
    }
    await store('test unread.2', whole)
    await store('test unread.3', { ...whole, cut: ['reason'] })
    await database.rows(
      "UPDATE set_aside SET said = (SELECT said FROM set_aside WHERE id = 'test unread.2') WHERE id = 'test unread.1'",
    )
    const rows = await database.rows('SELECT said FROM set_aside WHERE said IS NOT NULL')
    assert.ok(
      rows.every((row) => !String(row['said']).includes('{')),
      'sealed',
    )
    const one = { shop: 'tea', queue: 'notifications', id: 'test unread.2' }
    const { said = '' } = Object(await decide({ ...one, decision: 'look' }))
    assert.ok(!String(said).includes('4111') && String(said).includes('QFQTPCQ8HXSKGK82'), String(said))
    assert.deepEqual(await decide({ ...one, decision: 'retry' }), { outcome: 'put back' })
    const [told] = await database.rows(
      "SELECT psp_reference, amount_yen, handled_at FROM acquirer_notifications WHERE id LIKE 'CAPTURE.%'",
    )
    assert.deepEqual({ ...told }, { psp_reference: '8515131751004933', amount_yen: 500, handled_at: null })
    for (const id of ['test unread.3', 'test unread.1'])
      assert.deepEqual(await decide({ ...one, id, decision: 'retry' }), { outcome: 'not whole' }, id)
    await decide({ ...one, id: 'test unread.3', decision: 'drop' })
  })

  test('drops what is no payment, and never what is one', async () => {
    assert.deepEqual(await decide({ shop: 'tea', queue: 'inquiries', id: 'x', decision: 'drop' }), {
      outcome: 'never dropped',
    })
    assert.deepEqual(await decide({ queue: 'person_mails', id: 'm1', decision: 'drop' }), { outcome: 'dropped' })
    assert.deepEqual(
      (await listed()).map(({ id }) => id),
      ['test unread.1', 'x'],
    )
    assert.ok((await audited()).includes('set_aside_dropped person_mails m1 why'))
  })
})
