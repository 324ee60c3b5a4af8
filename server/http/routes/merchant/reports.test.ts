import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Check } from 'typebox/value'
import { SummaryAnswer } from '#contract/merchant/reports.ts'
import { DAY_MS, jstDate } from '#contract/jst.ts'
import { onBothDatabases } from '../../../../proof/harness/databases.ts'
import { assertInvalidField } from '../../../../proof/harness/error-answers.ts'
import { openMerchantClient, type MerchantClient } from '../../../../proof/harness/merchant-client.ts'
import { API_KEYS } from '../../../../proof/harness/test-merchants.ts'
import { integer } from '../../../store/engine/columns.ts'

describe('refunds and reports of a merchant', () => {
  onBothDatabases(({ open }) => {
    const openClient = async (): Promise<MerchantClient> => openMerchantClient(await open())

    test('refunds are listed newest first, of one checkout and of all, and read one by one', async () => {
      const client = await openClient()
      const first = await client.createPaid({ amount: 100 })
      const second = await client.createPaid({ amount: 100 })
      for (const [checkout, refundId] of [
        [first, 'r1'],
        [second, 'r1'],
        [first, 'R_2'],
        [first, 'r-3'],
      ] as const) {
        assert.equal((await client.refund(checkout.id, { refundId, amount: 5 })).statusCode, 201)
        client.clock.advance(1)
      }
      const named = (refunds: readonly { checkoutId: string; refundId: string }[]): string[] =>
        refunds.map(({ checkoutId, refundId }) => `${checkoutId === first.id ? 1 : 2} ${refundId}`)
      for (const limit of [1, 3, 100]) {
        assert.deepEqual(named(await client.all(`/checkouts/${first.id}/refunds`, limit)), ['1 r-3', '1 R_2', '1 r1'])
        assert.deepEqual(named(await client.all('/refunds', limit)), ['1 r-3', '1 R_2', '2 r1', '1 r1'])
      }
      const [newest] = await client.all<object>('/refunds')
      assert.deepEqual(await client.get(`/checkouts/${first.id}/refunds/r-3`), newest)
      const missing = await client.send(`/checkouts/${second.id}/refunds/r-3`)
      assert.deepEqual([missing.statusCode, missing.json<{ code: string }>().code], [404, 'refund_not_found'])
      assertInvalidField(await client.send('/refunds?after=x'), 'after')
    })

    test('a refund may say its taxes, which must be of the checkout and add up', async () => {
      const client = await openClient()
      const taxes = [
        { rate: 10, amount: 60 },
        { rate: 8, amount: 40 },
      ]
      const { id } = await client.createPaid({ amount: 100, subject: 'Tea', taxes })
      const half = [{ rate: 10, amount: 50 }]
      const made = await client.refund(id, { refundId: 'a', amount: 50, taxes: half })
      assert.deepEqual([made.statusCode, made.json<{ taxes: object }>().taxes], [201, half])
      assert.equal((await client.refund(id, { refundId: 'a', taxes: half })).statusCode, 201)
      const other = await client.refund(id, { refundId: 'a', taxes: [{ rate: 8, amount: 50 }] })
      assert.deepEqual([other.statusCode, other.json<{ code: string }>().code], [422, 'refund_mismatch'])
      assertInvalidField(
        await client.refund(id, { refundId: 'b', amount: 20, taxes: [{ rate: 10, amount: 20 }] }),
        'taxes',
      )
      assertInvalidField(
        await client.refund(id, { refundId: 'b', amount: 20, taxes: [{ rate: 8, amount: 10 }] }),
        'taxes',
      )
      const rest = [
        { rate: 10, amount: 10 },
        { rate: 8, amount: 40 },
      ]
      assert.equal((await client.refund(id, { refundId: 'c', taxes: rest })).statusCode, 201)
      const plain = await client.createPaid()
      assertInvalidField(await client.refund(plain.id, { refundId: 'a', taxes: [{ rate: 10, amount: 1980 }] }), 'taxes')
    })

    /** Charges and refunds on both sides of midnight in Japan, over four days. */
    const openWithMovements = async (): Promise<MerchantClient> => {
      const client = await openClient()
      client.clock.advance(Date.parse('2026-11-20T14:59:59.000Z') - client.clock.now())
      for (let place = 0; place < 12; place += 1) {
        const { id } = await client.createPaid({
          amount: 100 + place,
          reference: `=A${place}`,
          subject: `茶, "${place}"`,
        })
        client.clock.advance(999)
        if (place % 2 === 0) await client.refund(id, { refundId: `r${place}`, amount: place + 1 })
        client.clock.advance(place % 3 === 0 ? 1 : DAY_MS / 4)
      }
      return client
    }

    const ledgerOf = async ({ server }: MerchantClient): Promise<{ bookedAt: number; amount: number }[]> =>
      (
        await server.deps.database.rows("SELECT booked_at, amount_yen FROM ledger_lines WHERE account = 'merchant'")
      ).map((row) => ({ bookedAt: integer(row, 'booked_at'), amount: -integer(row, 'amount_yen') }))

    test('a summary adds up by day in Japan to what the ledger holds', async () => {
      const client = await openWithMovements()
      const summary = await client.get<SummaryAnswer>('/summary?from=2026-11-19&to=2026-11-25')
      assert.ok(Check(SummaryAnswer, summary))
      assert.equal(summary.days.length, 7)
      const lines = await ledgerOf(client)
      assert.equal(lines.length, 18)
      for (const { date, charges, chargedAmount, refunds, refundedAmount, netAmount } of summary.days) {
        const ofDay = lines.filter(({ bookedAt }) => jstDate(bookedAt) === date).map(({ amount }) => amount)
        const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
        const [up, down] = [ofDay.filter((amount) => amount > 0), ofDay.filter((amount) => amount < 0)]
        assert.deepEqual([charges, chargedAmount], [up.length, sum(up)], date)
        assert.deepEqual([refunds, refundedAmount, netAmount], [down.length, -sum(down) || 0, sum(ofDay)], date)
      }
      assert.ok(summary.days.filter(({ charges }) => charges > 0).length >= 3)
      const { total } = summary
      assert.deepEqual([total.charges, total.refunds], [12, 6])
      assert.equal(
        total.netAmount,
        lines.reduce((sum, { amount }) => sum + amount, 0),
      )
      assert.equal(
        (await client.get<SummaryAnswer>('/summary?from=2026-11-19&to=2026-11-25', API_KEYS.books)).total.charges,
        0,
      )
      assertInvalidField(await client.send('/summary?from=2020-01-01'), 'from')
      assertInvalidField(await client.send('/summary?from=1'), 'from')
    })

    test('the CSV holds every line of the ledger once, oldest first, and adds up to the summary', async () => {
      const client = await openWithMovements()
      const answer = await client.send('/exports/movements.csv?from=2026-11-19&to=2026-11-25')
      assert.deepEqual(
        [answer.statusCode, answer.headers['content-type'], answer.headers['content-disposition']],
        [200, 'text/csv; charset=utf-8', 'attachment; filename="movements-2026-11-19-2026-11-25.csv"'],
      )
      assert.ok(answer.body.startsWith('\uFEFFdate,time,kind,'))
      assert.ok(answer.rawPayload.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])))
      const rows = answer.body.split('\r\n').slice(1, -1)
      assert.equal(rows.length, 18)
      const amounts = rows.map((row) => {
        const [, , kind, charged, refunded] = row.split(',')
        return kind === 'charge' ? Number(charged) : -Number(refunded)
      })
      const booked = (await ledgerOf(client)).map(({ amount }) => amount)
      const byAmount = (one: number, other: number): number => one - other
      assert.deepEqual(amounts.toSorted(byAmount), booked.toSorted(byAmount))
      assert.deepEqual(
        rows.map((row) => row.slice(0, 16)),
        rows.map((row) => row.slice(0, 16)).toSorted(),
      )
      assert.ok(rows.every((row) => /,'=A\d+,"茶, ""\d+""",/.test(row)))
      const one = await client.send('/exports/movements.csv?from=2026-11-20&to=2026-11-20')
      const { days } = await client.get<SummaryAnswer>('/summary?from=2026-11-20&to=2026-11-20')
      assert.equal(one.body.split('\r\n').length - 2, (days[0]?.charges ?? 0) + (days[0]?.refunds ?? 0))
      const others = await client.send('/exports/movements.csv?from=2026-11-19&to=2026-11-25', { key: API_KEYS.books })
      assert.equal(others.body.split('\r\n').length, 2)
      assertInvalidField(await client.send('/exports/movements.csv?to=2026-02-30'), 'to')
    })

    test('the CSV has the taxes of each charge and of each refund by rate, in Japanese where that is asked for', async () => {
      const client = await openClient()
      const taxes = [
        { rate: 10, amount: 1000 },
        { rate: 8, amount: 980 },
      ]
      const { id } = await client.createPaid({ amount: 1980, subject: '茶', taxes })
      await client.refund(id, { refundId: 'at-8', amount: 80, taxes: [{ rate: 8, amount: 80 }] })
      await client.refund(id, { refundId: 'at-10', amount: 110, taxes: [{ rate: 10, amount: 110 }] })
      const plain = await client.createPaid({ amount: 100 })
      await client.refund(plain.id, { refundId: 'at-8', amount: 1 })
      const { body } = await client.send('/exports/movements.csv?taxes=true&locale=ja_JP')
      const rows = body.split('\r\n').map((line) => line.split(','))
      assert.deepEqual(rows[0]?.slice(2, 5), ['区分', '売上金額', '返金額'])
      const found = rows.slice(1, -1).map((cells) => [cells[2], cells[8], ...cells.slice(-8, -3)].join(' '))
      assert.deepEqual(
        found.toSorted(),
        [
          '売上  1000 90 980 72 0',
          '売上      ',
          '返金 at-10 110 10 0 0 0',
          '返金 at-8 0 0 80 5 0',
          '返金 at-8     ',
        ].toSorted(),
      )
      assert.equal(
        (await client.send('/exports/movements.csv?taxes=false')).body.split('\r\n')[0]?.includes('At'),
        false,
      )
      assertInvalidField(await client.send('/exports/movements.csv?taxes=yes'), 'taxes')
      assertInvalidField(await client.send('/exports/movements.csv?locale=en_US'), 'locale')
    })

    test('checkouts are exported by the filters of their list, newest first, and no cell is run as a formula', async () => {
      const client = await openClient()
      client.clock.advance(Date.parse('2026-11-20T14:59:00.000Z') - client.clock.now())
      const paid = await client.createPaid({ amount: 500, reference: '=A', subject: '茶, "1"' })
      await client.refund(paid.id, { refundId: 'r', amount: 100 })
      client.clock.advance(60_000)
      const open = await client.create({ reference: 'B' })
      const answer = await client.send('/exports/checkouts.csv')
      assert.deepEqual(
        [answer.statusCode, answer.headers['content-type'], answer.headers['content-disposition']],
        [200, 'text/csv; charset=utf-8', 'attachment; filename="checkouts-2025-11-21-2026-11-21.csv"'],
      )
      const [headings, ...lines] = answer.body.slice(1).trimEnd().split('\r\n')
      assert.match(headings ?? '', /^createdDate,createdTime,status,amount,/)
      assert.deepEqual(lines, [
        `2026-11-21,00:00,open,1980,0,B,,,,,,,,${open.id},${open.url}`,
        `2026-11-20,23:59,paid,500,100,'=A,"茶, ""1""",2026-11-20,23:59,taro@example.com,visa,4242,${paid.transactionId},${paid.id},${paid.url}`,
      ])
      const japanese = await client.send('/exports/checkouts.csv?locale=ja_JP&search=4242&createdFrom=2026-11-20')
      const states = japanese.body.trimEnd().split('\r\n')
      assert.deepEqual(
        states.map((line) => line.split(',')[2]),
        ['状態', '決済済み'],
      )
      const none = await client.send('/exports/checkouts.csv?createdTo=2026-11-19', { key: API_KEYS.books })
      assert.equal(none.body.trimEnd().split('\r\n').length, 1)
      assertInvalidField(await client.send('/exports/checkouts.csv?createdFrom=2020-01-01'), 'createdFrom')
      assertInvalidField(await client.send('/exports/checkouts.csv?createdFrom=2027-01-01'), 'createdFrom')
      assertInvalidField(await client.send('/exports/checkouts.csv?limit=3'), 'limit')
    })

    test('an export reads on where a page of it ended: movements of many pages, many in one millisecond', async () => {
      const client = await openClient()
      const { id } = await client.createPaid({ amount: 1 })
      const { database } = client.server.deps
      const [line] = await database.rows("SELECT * FROM ledger_lines WHERE account = 'acquirer'")
      for (let n = 0; n < 1203; n += 1)
        await database.rows(
          `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at)
           VALUES ($1, $2, 'acquirer', $3, 1, $4)`,
          String(line?.['merchant_id']),
          `refund x r${n}`,
          id,
          Number(line?.['booked_at']) + Math.floor(n / 400),
        )
      const { body } = await client.send('/exports/movements.csv')
      assert.equal(body.split('\r\n').length - 2, 1204)
      assert.equal(
        new Set(body.split('\r\n').map((row) => row.split(',')[8])).size,
        1206,
        'each once; heading, charge and end',
      )
    })
  })
})
