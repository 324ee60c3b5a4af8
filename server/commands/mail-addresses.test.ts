import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantClient } from '../../proof/harness/merchant-client.ts'
import { besideServer, type BesideServer } from '../../proof/harness/beside-server.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { workOnce } from '../background/worker.ts'
import type { Database } from '../store/engine/database.ts'
import { isRegistered } from '../store/outbox/mail-addresses.ts'

const ADDRESS = 'dev@example.com'

besideServer('the commands for mail addresses, beside a running server', (whenOpen) => {
  let env: BesideServer['env']
  let database: Database
  let client: MerchantClient
  whenOpen((opened) => {
    ;({ database, env, client } = opened)
    // The commands have the time of this machine.
    client.clock.advance(Date.now() - client.clock.now())
  })
  const run = (verb: string, ...args: string[]) => runCommand(['mail-address', verb, '--merchant', 'tea', ...args], env)
  const runJson = async (verb: string, ...args: string[]): Promise<Record<string, unknown>> => {
    const { code, printed, errors } = await run(verb, ...args, '--json')
    assert.deepEqual([code, printed.length, errors], [0, 1, []])
    return JSON.parse(printed[0] ?? '') as Record<string, unknown>
  }
  const cannot = async (line: RegExp, ...args: string[]): Promise<void> => {
    const { code, printed, errors } = await runCommand(['mail-address', ...args], env)
    assert.deepEqual([code, printed, errors.length], [2, [], 1])
    assert.match(errors[0] ?? '', line)
  }

  test('an address is registered once, listed, and a mail that was held back for it is sent', async () => {
    assert.match((await run('list')).printed.join(), /^No address yet: .*mail-address add/)
    const { id } = await client.createPaid({}, { email: 'Dev@example.com' })
    let sent = 0
    const mailer = {
      isSandbox: false,
      send: async () => ({ outcome: 'sent', answer: `250 ${(sent += 1)}` }) as const,
    }
    await workOnce(client.server.deps, mailer)
    await workOnce(client.server.deps, mailer)
    // The one that asks.
    assert.equal(sent, 1)
    assert.match((await run('list')).printed.join(), /dev@example\.com +no /)
    const added = await run('add', '--address', 'DEV@example.com')
    assert.deepEqual(added.printed, [
      'The address is registered with tea.',
      '1 mail that was held back will be sent now.',
    ])
    client.clock.advance(600_000)
    await workOnce(client.server.deps, mailer)
    assert.equal(sent, 2)
    const again = await runJson('add', '--address', ADDRESS)
    assert.deepEqual(again, { merchant: 'tea', address: ADDRESS, isNew: false, mails: 0 })
    const { items, notifications } = await runJson('list')
    assert.deepEqual(notifications, { address: 'shop@example.com', isRegistered: false })
    assert.match(
      (await run('list')).printed.at(-1) ?? '',
      /^Mails about its payments would go to shop@example\.com, which is not registered: none is sent\.$/,
    )
    const [item] = items as Record<string, unknown>[]
    assert.deepEqual([item?.['address'], item?.['registeredBy']], [ADDRESS, 'operator'])
    const line = await runCommand(['changes', id], env)
    assert.match(line.printed.join('\n'), /the address was registered/)
  })

  test('a removed address gets no mail and is not asked again', async () => {
    assert.deepEqual((await run('remove', '--address', ADDRESS)).code, 0)
    assert.equal(await isRegistered(database, { merchantId: 'tea-id', address: ADDRESS }), false)
    await cannot(/^This address is not registered with tea: /, 'remove', '--merchant', 'tea', '--address', ADDRESS)
    await client.createPaid({}, { email: ADDRESS })
    let sent = 0
    const mailer = {
      isSandbox: false,
      send: async () => ({ outcome: 'sent', answer: `250 ${(sent += 1)}` }) as const,
    }
    await workOnce(client.server.deps, mailer)
    await workOnce(client.server.deps, mailer)
    assert.equal(sent, 0)
  })

  test('what is no address, or no merchant, is named with its mend, and nothing is changed', async () => {
    for (const address of ['dev', 'Dev <dev@example.com>', 'a@b.jp,c@d.jp', '@', 'dev@example.com\r\nBcc: x@y.jp'])
      await cannot(/^--address is no address: /, 'add', '--merchant', 'tea', '--address', address)
    await cannot(/^There is no merchant "none"/, 'add', '--merchant', 'none', '--address', ADDRESS)
    await cannot(/needs --address/, 'add', '--merchant', 'tea')
    await cannot(/needs --merchant/, 'list')
    assert.equal(await isRegistered(database, { merchantId: 'tea-id', address: ADDRESS }), false)
  })

  test('the address that an operator gives a new merchant is registered', async () => {
    const created = await runCommand(
      ['merchant', 'create', '--label', 'sake', '--name', 'Sake', '--email', 'Owner@example.com', '--json'],
      env,
    )
    assert.deepEqual([created.code, created.errors], [0, []])
    const { code, printed } = await runCommand(['mail-address', 'list', '--merchant', 'sake', '--json'], env)
    assert.equal(code, 0)
    assert.match(printed.join(), /"address": ?"owner@example\.com".*"registeredBy": ?"operator"/s)
  })

  test('each explains itself', async () => {
    for (const verb of ['add', 'list', 'remove']) {
      const { code, printed } = await runCommand(['mail-address', verb, '--help'], env)
      assert.equal(code, 0)
      assert.match(printed.join('\n'), new RegExp(`Example: .*mail-address ${verb} --merchant tea`))
    }
  })
})
