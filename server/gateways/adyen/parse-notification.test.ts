import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { hmacValidator } from '@adyen/api-library'
import { isSigned, sign, signedText } from './hmac.ts'
import { DISPUTE_EVENTS } from './dispute-events.ts'
import { readNotifications, readSaid, type ReadNotifications } from './parse-notification.ts'
import { accountAt, bodyOf, HMAC_KEY, itemOf, ORDER, PSP } from './testing/adyen-fixtures.ts'

const vendor: {
  readonly examples: Readonly<Record<string, { notificationItems: { NotificationRequestItem: never }[] }>>
} = JSON.parse(await readFile(new URL('vendor/webhooks-v1.json', import.meta.url), 'utf8'))

const RECEIVED_AT = Date.parse('2026-11-15T12:05:00+09:00')
const account = { merchantId: 'm1', mode: 'test', account: accountAt('https://ca-test.adyen.com') } as const
const read = (body: unknown): ReadNotifications => readNotifications(body, account, RECEIVED_AT)
const onlyOf = (body: unknown) => {
  const answer = read(body)
  return answer.is === 'ours' ? answer.notifications : assert.fail(answer.is)
}

describe('HMAC', () => {
  test('is the one of Adyen’s own library, for each of Adyen’s examples and for odd fields', () => {
    const items = [
      ...Object.values(vendor.examples).flatMap(({ notificationItems }) =>
        notificationItems.map(({ NotificationRequestItem }) => NotificationRequestItem),
      ),
      itemOf() as never,
      itemOf({ merchantReference: 'a:b\\c', success: 'false' }) as never,
      itemOf({ merchantReference: '', amount: { value: 0, currency: 'JPY' } }) as never,
    ]
    const library = new hmacValidator()
    for (const item of items) {
      assert.equal(signedText(item), library.getDataToSign(item))
      assert.equal(sign(item, HMAC_KEY), library.calculateHmac(item, HMAC_KEY))
      assert.equal(isSigned(item, library.calculateHmac(item, HMAC_KEY), HMAC_KEY), true)
    }
  })

  test('of another key, cut, empty or of other fields is wrong', () => {
    const item = itemOf()
    const right = sign(item, HMAC_KEY)
    for (const wrong of ['', 'x', right.slice(0, -4), `AAAA${right}`, sign(item, 'AB'.repeat(32))])
      assert.equal(isSigned(item, wrong, HMAC_KEY), false)
    for (const forged of [
      itemOf({ success: 'false' }),
      itemOf({ amount: { value: 501, currency: 'JPY' } }),
      itemOf({ merchantReference: `r2.${ORDER.slice(0, 15)}` }),
      itemOf({ originalReference: 'ABCDEFGH12345678' }),
    ])
      assert.equal(isSigned(forged, right, HMAC_KEY), false)
  })
})

describe('a notification', () => {
  test('of a refund names the refund and its order', () => {
    const [told, ...more] = onlyOf(bodyOf([itemOf()]))
    assert.deepEqual(more, [])
    assert.deepEqual(
      { ...told, id: '' },
      {
        merchantId: 'm1',
        mode: 'test',
        id: '',
        event: 'REFUND',
        success: true,
        orderCode: ORDER.slice(0, 15),
        refundId: 'r1',
        amountYen: 500,
        originalReference: PSP,
        pspReference: 'QFQTPCQ8HXSKGK82',
        disputeId: null,
        respondBy: null,
        reason: null,
        reportAddress: null,
        occurredAt: Date.parse('2026-11-15T12:01:00+09:00'),
        receivedAt: RECEIVED_AT,
        handledAt: null,
      },
    )
  })

  test('that is sent again with other words or another time, which nobody has signed, is the same', () => {
    const again = itemOf({ reason: 'https://evil.example/', eventDate: '1970-01-01T00:00:00Z' })
    assert.equal(onlyOf(bodyOf([again]))[0]?.id, onlyOf(bodyOf([itemOf()]))[0]?.id)
    assert.notEqual(onlyOf(bodyOf([itemOf({ success: 'false' })]))[0]?.id, onlyOf(bodyOf([itemOf()]))[0]?.id)
  })

  test('in another currency has no amount in yen, and one without a time has that of its arrival', () => {
    const [told] = onlyOf(bodyOf([itemOf({ amount: { value: 500, currency: 'EUR' }, eventDate: 'yesterday' })]))
    assert.deepEqual([told?.amountYen, told?.occurredAt], [null, RECEIVED_AT])
  })

  test('of a report has its address; of an event that nobody needs nothing is kept', () => {
    const report = itemOf({
      eventCode: 'REPORT_AVAILABLE',
      merchantReference: '',
      originalReference: '',
      pspReference: 'settlement_detail_report_batch_4.csv',
      reason:
        'https://ca-test.adyen.com/reports/download/MerchantAccount/TeaShopJP/settlement_detail_report_batch_4.csv',
    })
    const [told, ...more] = onlyOf(bodyOf([report, itemOf({ eventCode: 'AUTHORISATION' })]))
    assert.deepEqual([told?.reportAddress, told?.reason, told?.handledAt, more], [report.reason, null, RECEIVED_AT, []])
  })

  test('of a dispute is kept with Adyen’s id of the dispute and the time until which the shop can answer', () => {
    const told = (more: object) =>
      onlyOf(bodyOf([itemOf({ eventCode: 'CHARGEBACK', merchantReference: ORDER, ...more })]))[0]
    const endsAt = '2026-11-30T12:00:00+09:00'
    const dispute = told({ additionalData: { defensePeriodEndsAt: endsAt } })
    assert.deepEqual(
      [dispute?.event, dispute?.orderCode, dispute?.disputeId, dispute?.respondBy, dispute?.handledAt],
      ['CHARGEBACK', ORDER, 'QFQTPCQ8HXSKGK82', Date.parse(endsAt), null],
    )
    for (const defensePeriodEndsAt of [undefined, 'soon', '9999-01-01T00:00:00Z'])
      assert.equal(told({ additionalData: { defensePeriodEndsAt } })?.respondBy, null)
    assert.equal(told({ success: 'false' })?.disputeId, null)
    for (const eventCode of DISPUTE_EVENTS) assert.equal(told({ eventCode })?.disputeId, 'QFQTPCQ8HXSKGK82')
    assert.equal(told({ eventCode: 'NOTIFICATION_OF_FRAUD' }), undefined)
  })

  test('that is forged, of another account or of another mode is refused, with all that came with it', () => {
    const signed = bodyOf([itemOf()])
    const [first = assert.fail()] = signed.notificationItems
    const unsigned = { NotificationRequestItem: itemOf() }
    for (const body of [
      bodyOf([itemOf()], 'AB'.repeat(32)),
      bodyOf([itemOf({ merchantAccountCode: 'AnotherShop' })]),
      bodyOf([itemOf()], HMAC_KEY, 'true'),
      { ...signed, notificationItems: [first, unsigned] },
      {
        ...signed,
        notificationItems: [{ NotificationRequestItem: { ...first.NotificationRequestItem, success: 'false' } }],
      },
    ])
      assert.equal(read(body).is, 'forged')
  })

  test('that cannot be read and is not signed is refused', () => {
    const item = itemOf()
    const of = (more: object) => ({
      live: 'false',
      notificationItems: [{ NotificationRequestItem: { ...item, ...more } }],
    })
    for (const body of [
      null,
      'x',
      [],
      {},
      { live: 'false', notificationItems: [] },
      { live: 'false', notificationItems: [null] },
      of({ pspReference: 'a:b' }),
      of({ originalReference: 'a:b' }),
      of({ eventCode: 'REFUND:true' }),
      of({ amount: { value: '500', currency: 'JPY' } }),
      of({ amount: { value: 1.5, currency: 'JPY' } }),
      of({ success: 'maybe' }),
      of({ additionalData: { hmacSignature: 7 } }),
      of({ merchantReference: 'x'.repeat(1001) }),
    ])
      assert.deepEqual(read(body), { is: 'unreadable' }, JSON.stringify(body)?.slice(0, 80))
  })

  const YEN = { currency: 'JPY' }
  const CHARGEBACK = { eventCode: 'CHARGEBACK', merchantReference: ORDER }

  /** One signed item among two good ones. */
  const amongGood = (more: object) => {
    const good = ['AAAAAAAAAAAAAAA1', 'AAAAAAAAAAAAAAA2'].map((pspReference) => itemOf({ pspReference }))
    const [before = itemOf(), behind = itemOf()] = good
    const found = read(bodyOf([before, { ...itemOf(), ...more }, behind]))
    if (found.is !== 'ours') assert.fail(found.is)
    return { kept: found.notifications.map(({ pspReference }) => pspReference).join(' '), unreadable: found.unreadable }
  }

  test('that is signed and cannot be read is set aside alone, and those beside it are kept', () => {
    for (const [more, why] of [
      [{ amount: { ...YEN, value: 100_000_000 } }, 'amount.value is no amount of yen'],
      [{ amount: { ...YEN, value: 2 ** 53 } }, 'amount.value is no amount of yen'],
      [{ amount: { ...YEN, value: -1 } }, 'amount.value is no amount of yen'],
      [{ amount: { ...YEN, value: 1.5 } }, 'the field amount.value cannot be read'],
      [{ amount: { ...YEN, value: '500' } }, 'the field amount.value cannot be read'],
      [{ pspReference: 'a:b' }, 'the field pspReference cannot be read'],
      [{ success: 'maybe' }, 'the field success cannot be read'],
      [{ ...CHARGEBACK, pspReference: 'lower' }, 'a dispute has no reference of Adyen'],
      [{ ...CHARGEBACK, amount: { value: 5, currency: 'USD' } }, 'a dispute is in another currency than yen'],
    ] as const) {
      const { kept, unreadable } = amongGood(more)
      assert.equal(kept, 'AAAAAAAAAAAAAAA1 AAAAAAAAAAAAAAA2')
      assert.deepEqual(
        unreadable.map((each) => each.why),
        [why],
        JSON.stringify(more),
      )
    }
  })

  test('with the least and the most yen is kept', () => {
    for (const value of [0, 99_999_999]) assert.deepEqual(amongGood({ amount: { ...YEN, value } }).unreadable, [])
  })

  test('of an event that is not kept is not set aside, whatever its amount', () => {
    const { kept, unreadable } = amongGood({ eventCode: 'AUTHORISATION', amount: { ...YEN, value: 2 ** 53 } })
    assert.deepEqual([kept, unreadable], ['AAAAAAAAAAAAAAA1 AAAAAAAAAAAAAAA2', []])
  })

  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

  test('that is set aside keeps what it said as it came, without its signature', () => {
    const [one] = amongGood({ success: 'maybe', pspReference: '8515131751004933', other: 'x' }).unreadable
    const said = one?.said ?? ''
    assert.ok(said.includes('"pspReference":"8515131751004933"'), said)
    for (const never of ['hmacSignature', 'other']) assert.ok(!said.includes(never), said)
  })

  test('with lists in each other is set aside or kept as any other, and those beside it are kept', () => {
    const huge = { amount: { ...YEN, value: 2 ** 53 } }
    for (const [more, names] of [
      [{ ...huge, reason: nested(4000) }, 1],
      [{ ...huge, reason: nested(30_000), eventDate: nested(30_000), additionalData: { x: nested(1000) } }, 1],
      [{ amount: nested(4000) }, 1],
      [{ pspReference: nested(4000) }, 1],
      [{ reason: nested(4000) }, 0],
    ] as const) {
      const { kept, unreadable } = amongGood(more)
      assert.ok(kept.includes('AAAAAAAAAAAAAAA1') && kept.includes('AAAAAAAAAAAAAAA2'))
      assert.equal(unreadable.length, names)
    }
  })

  test('that comes again with another reason, time or deadline is the same one', () => {
    const huge = { amount: { ...YEN, value: 2 ** 53 } }
    const ids = [{}, { reason: 'other' }, { eventDate: 'x' }, { additionalData: { defensePeriodEndsAt: 'x' } }].map(
      (more) => amongGood({ ...huge, ...more }).unreadable[0]?.id,
    )
    assert.equal(new Set(ids).size, 1)
  })

  const AT = { merchantId: 'm1', mode: 'test' } as const

  test('that was set aside is read again as it came: with long references, numbers and the time to respond', () => {
    const item = {
      ...CHARGEBACK,
      pspReference: '8515131751004933',
      reason: `Fraud ${'x'.repeat(300)}`,
      amount: { ...YEN, value: 2 ** 53 },
      additionalData: { defensePeriodEndsAt: '2026-11-29T12:00:00+09:00' },
    }
    const [one] = amongGood(item).unreadable
    // As a release reads it that takes the amount.
    const said = (one?.said ?? '').replace(String(2 ** 53), '500')
    const again = readSaid(said, AT, RECEIVED_AT)
    const [told] = onlyOf(bodyOf([itemOf({ ...item, amount: { ...YEN, value: 500 } })]))
    assert.deepEqual(again, told)
    assert.equal(told?.respondBy, Date.parse('2026-11-29T12:00:00+09:00'))
    assert.equal(readSaid(one?.said ?? '', AT, RECEIVED_AT), 'unreadable')
  })

  test('of which a part is too long to be kept is never read again as another one', () => {
    for (const more of [{ pspReference: 'A'.repeat(1001) }, { merchantReference: 'A'.repeat(1001) }, { amount: [] }]) {
      const [one] = amongGood(more).unreadable
      assert.equal(readSaid(one?.said ?? '', AT, RECEIVED_AT), 'cut')
    }
    const [short] = amongGood({ pspReference: 'A'.repeat(201) }).unreadable
    assert.equal(readSaid(short?.said ?? '', AT, RECEIVED_AT), 'unreadable')
  })

  test('that says a time before 1970 or after 2100 happened when it was received', () => {
    for (const eventDate of ['1969-12-31T23:59:59Z', '-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z']) {
      const found = read(bodyOf([itemOf({ eventDate })]))
      assert.equal(found.is === 'ours' && found.notifications[0]?.occurredAt, RECEIVED_AT, eventDate)
    }
  })
})
