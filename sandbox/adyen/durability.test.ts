import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { field, makeTemporaryFolder, ORDINARY_CARD, startSandboxProcess } from '../testing/acquirer.ts'
import {
  createAdyenClient,
  MERCHANT_ACCOUNT,
  openAccount,
  pspReferenceOf,
  serveReceiver,
  withCard,
} from '../testing/adyen.ts'

const merchantAccount = MERCHANT_ACCOUNT
const QUEUED = '4100000000758004'
const JCB = '3528000000000106'

describe('durability of the double of Adyen', { concurrency: true }, () => {
  test('payments, keys, reports, the clock and undelivered notifications survive SIGKILL', async (t) => {
    const folder = makeTemporaryFolder(t)
    const first = await startSandboxProcess(t, folder)
    const before = createAdyenClient(first.client.port)
    await openAccount(before, 'http://127.0.0.1:9/nobody')
    const paid = await before.pay('order-1', {}, { key: 'k' })
    await before.capture(pspReferenceOf(paid), 1980, { key: 'c' })
    await before.refund(pspReferenceOf(paid), 500)
    await before.control('reports', { merchantAccount })
    await before.control('clock', { advanceMs: 1000 * 60_000 })
    const order = await before.order('order-1')
    const { text } = await before.report(1)
    const events = await before.events()
    const now = Number(field((await before.control('clock', { advanceMs: 0 })).body, 'now'))
    first.child.kill('SIGKILL')
    await first.exited

    const { client } = await startSandboxProcess(t, folder)
    const after = createAdyenClient(client.port)
    assert.deepEqual(await after.order('order-1'), order)
    assert.deepEqual([field(order, 'chargedYen'), field(order, 'refundedYen')], [1980, 500])
    assert.equal((await after.report(1)).text, text)
    assert.deepEqual(await after.events(), events)
    assert.equal(events.length, 4)
    assert.deepEqual((await after.pay('order-1', {}, { key: 'k' })).body, paid.body)
    assert.equal((await after.pay('order-2', {}, { key: 'k' })).status, 422)
    assert.equal((await after.capture(pspReferenceOf(paid), 1980, { key: 'c' })).status, 201)
    assert.deepEqual(await after.order('order-1'), order)
    assert.ok(Number(field((await after.control('clock', { advanceMs: 0 })).body, 'now')) >= now)
    const receiver = await serveReceiver(t)
    await openAccount(after, receiver.url)
    const { body } = await after.control('webhooks/deliver', { merchantAccount })
    assert.equal(field(body, 'waiting'), 0)
    assert.equal(receiver.received.length, 4)
  })

  test('card number, security code, holder name and keys are in no file and in no output', async (t) => {
    const folder = makeTemporaryFolder(t)
    const { child, client, exited, output } = await startSandboxProcess(t, folder)
    const adyen = createAdyenClient(client.port)
    await openAccount(adyen)
    const psp = await adyen.authorised('order-1')
    await adyen.capture(psp, 1980, { key: 'c' })
    await adyen.pay('order-2', withCard(JCB), { key: 'k' })
    await assert.rejects(adyen.pay('order-3', withCard(QUEUED), { key: 'q' }))
    await adyen.pay('order-4', { paymentMethod: { number: ORDINARY_CARD.number, cvv: ORDINARY_CARD.cvc } })
    await adyen.send('/payments', `{"number": "${JCB}"`)
    const secrets = [ORDINARY_CARD.number, JCB, QUEUED, ORDINARY_CARD.holderName, 'test_key_1', 'report_key_1']
    const check = (): void => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
      const contents = files.map((file) => readFileSync(file))
      for (const secret of secrets) {
        assert.ok(!contents.some((content) => content.includes(secret)), secret)
        if (/^\d+$/.test(secret)) assert.ok(!contents.some((content) => content.includes(asSqliteInteger(secret))))
      }
      assert.ok(
        contents.some((content) => content.includes('jcb0106')),
        'the search reads what is stored',
      )
    }
    check()
    child.kill('SIGTERM')
    await exited
    check()
    assert.deepEqual(
      storedTexts(join(folder, 'adyen.sqlite')).filter((value) => SECURITY_CODE.test(value)),
      [],
    )
    assert.equal(output(), '')
    assert.equal(statSync(join(folder, 'adyen.key')).mode & 0o777, 0o600)
  })
})

/** Its digits alone: an authorisation code of six may hold them. */
const SECURITY_CODE = new RegExp(`(?<!\\d)${ORDINARY_CARD.cvc}(?!\\d)`)

const storedTexts = (file: string): string[] => {
  const database = new DatabaseSync(file)
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  const texts = tables.flatMap(({ name }) =>
    database
      .prepare(`select * from ${String(name)}`)
      .all()
      .flatMap((row) => Object.values(row).map(String)),
  )
  database.close()
  assert.ok(texts.includes('order-2'), 'the search reads what is stored')
  return texts
}

const asSqliteInteger = (number: string): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(number))
  return bytes
}
