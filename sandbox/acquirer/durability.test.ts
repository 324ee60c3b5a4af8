import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { field, itemsOf, makeTemporaryFolder, ORDINARY_CARD, startSandboxProcess } from '../testing/acquirer.ts'

const LATE = { card: { number: '4100000000753005' } }
const QUEUED = { card: { number: '4100000000758004' } }

describe('durability of what the acquirer has booked', { concurrency: true }, () => {
  test('every charge, decline, fence and refund that was answered survives SIGKILL', async (t) => {
    const folder = makeTemporaryFolder(t)
    const first = await startSandboxProcess(t, folder)
    await first.client.charge('charged')
    await first.client.charge('declined', { card: { number: '4100000000750001' } })
    await first.client.fence('fenced')
    await first.client.refund('charged', 'refund-1', 980)
    const before = await first.client.list()
    first.child.kill('SIGKILL')
    assert.deepEqual(await first.exited, { code: null, signal: 'SIGKILL' })

    const { client } = await startSandboxProcess(t, folder)
    assert.equal(itemsOf(before).length, 3)
    assert.deepEqual((await client.list()).body, before.body)
    assert.equal(field((await client.charge('fenced')).body, 'error'), 'order_void')
    assert.deepEqual(await client.charge('charged').then(({ status }) => status), 200)
    assert.equal(field((await client.charge('charged', { amount: 1 })).body, 'field'), 'amount')
    assert.equal(field((await client.charge('charged', LATE)).body, 'field'), 'card')
    assert.equal(itemsOf(await client.list()).length, 3)
  })

  test('no answered charge is lost when the acquirer is killed while it charges many', async (t) => {
    const folder = makeTemporaryFolder(t)
    const first = await startSandboxProcess(t, folder)
    const answered = new Map<string, unknown>()
    const shopper = async (name: string): Promise<void> => {
      for (let index = 0; ; index += 1) {
        const orderId = `${name}-${index}`
        answered.set(orderId, field((await first.client.charge(orderId)).body, 'transactionId'))
        if (answered.size === 40) first.child.kill('SIGKILL')
      }
    }
    await Promise.allSettled(['a', 'b', 'c', 'd'].map(shopper))
    await first.exited
    assert.ok(answered.size >= 40)

    const { client } = await startSandboxProcess(t, folder)
    const listed = itemsOf(await client.list('?limit=1000'))
    const booked = new Map(listed.map((item) => [field(item, 'orderId'), field(item, 'transactionId')]))
    for (const [orderId, transactionId] of answered) assert.equal(booked.get(orderId), transactionId, orderId)
  })

  test('card number, security code and holder name are in no file and in no output', async (t) => {
    const folder = makeTemporaryFolder(t)
    const { child, client, exited, output } = await startSandboxProcess(t, folder)
    await client.charge('order-1')
    const jcb = { ...ORDINARY_CARD, number: '3528000000000106' }
    await client.charge('order-2', { card: jcb })
    await assert.rejects(client.charge('order-3', QUEUED))
    await client.charge('order-1', { amount: 1 })
    await client.send('POST', '/acquirer/v1/orders/order-4/charge', `{"card": ${JSON.stringify(jcb)}`)

    const numbers = [ORDINARY_CARD.number, jcb.number, QUEUED.card.number]
    const secrets = [
      ...[...numbers, ORDINARY_CARD.cvc, ORDINARY_CARD.holderName].map((secret) => Buffer.from(secret)),
      ...numbers.map(asSqliteInteger),
    ]
    const check = (): void => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
      const contents = files.map((file) => readFileSync(file))
      for (const secret of secrets) assert.ok(!contents.some((content) => content.includes(secret)), String(secret))
      assert.ok(
        contents.some((content) => content.includes('jcb0106')),
        'the search reads what is stored',
      )
    }
    check()
    child.kill('SIGTERM')
    await exited
    check()
    assert.equal(output(), '')
    assert.equal(statSync(join(folder, 'fingerprint.key')).mode & 0o777, 0o600)
  })
})

const asSqliteInteger = (number: string): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(number))
  return bytes
}
