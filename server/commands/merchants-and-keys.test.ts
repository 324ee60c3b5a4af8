import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { OPEN_SERVER_DATABASE } from '../../proof/harness/server-databases.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { API_KEYS } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { systemClock } from '../dependencies.ts'
import type { Database } from '../store/engine/database.ts'
import { timeText } from './table.ts'

type Env = Record<string, string>

/** What a command prints for programs; no field is missing. */
type Printed = Record<string, unknown> & { readonly items?: Record<string, unknown>[] }

const ID = /^[0-9a-f]{16}$/

for (const [engine, openPlace] of Object.entries(OPEN_SERVER_DATABASE))
  describe(`the commands for merchants and keys, beside a running server on ${engine}`, { concurrency: 1 }, () => {
    let folder: string
    let env: Env
    let database: Database
    let close: () => Promise<void>
    let server: TestServer
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaikei-merchants-'))
      ;({ database, env, close } = await openPlace(folder))
      server = await openTestServer({ database, gateway: fakeGateway() })
    })
    after(async () => {
      await close()
      await rm(folder, { recursive: true, force: true })
    })

    const run = (...args: string[]) => runCommand(args, env)
    const runJson = async (...args: string[]): Promise<Printed> => {
      const { code, printed, errors } = await run(...args, '--json')
      assert.deepEqual([code, printed.length, errors], [0, 1, []], args.join(' '))
      return JSON.parse(printed[0] ?? '') as Printed
    }
    const cannot = async (line: RegExp, ...args: string[]): Promise<void> => {
      const { code, printed, errors } = await run(...args)
      assert.deepEqual([code, printed, errors.length], [2, [], 1], args.join(' '))
      assert.match(errors[0] ?? '', line)
    }
    const statusWith = async (key: unknown): Promise<number> => {
      const headers = { host: 'localhost:3000', authorization: `Bearer ${String(key)}` }
      return (await server.app.inject({ url: '/merchant/v1/me', headers })).statusCode
    }
    const createKeyOf = (merchant: string, ...more: string[]): Promise<Printed> =>
      runJson('key', 'create', '--merchant', merchant, '--mode', 'test', '--access', 'full', ...more)

    test('a merchant is created and listed, and says what comes next', async () => {
      const created = await run('merchant', 'create', '--label', 'sake', '--name', '神田酒店')
      assert.deepEqual([created.code, created.errors], [0, []])
      assert.deepEqual(created.printed.slice(0, 3), [
        'label: sake',
        'name: 神田酒店',
        'pages: http://sake.localhost:3000',
      ])
      assert.equal(
        created.printed.at(-1),
        'Next, a key: npm run -s kaikei -- key create --merchant sake --mode test --access full',
      )
      const { items = [] } = await runJson('merchant', 'list')
      assert.deepEqual(
        items.map(({ label }) => label),
        ['books', 'sake', 'tea'],
      )
      const [heading, ...rows] = (await run('merchant', 'list')).printed
      assert.match(heading ?? '', /^label +name +pages +created +closed$/)
      assert.match(rows[1] ?? '', /^sake +神田酒店 +http:\/\/sake\.localhost:3000 +20\d\d-\d\d-\d\d [\d:]+ JST +-$/)
      const shown = await runJson('merchant', 'show', 'sake')
      assert.deepEqual([shown['label'], shown['closedAt'], shown['activeKeys']], ['sake', null, 0])
      assert.match((await run('merchant', 'show', 'sake')).printed.join(), /label: sake,.*active keys: 0/)
    })

    test('the facts of a shop stand on its page', async () => {
      const facts = ['--address', 'Tokyo', '--phone', '03-0000-0000', '--email', 'a@b.jp', '--site', 'https://b.jp']
      await runJson('merchant', 'create', '--label', 'full', '--name', 'Full', ...facts)
      const { key } = await createKeyOf('full')
      const id = await server.createCheckout({}, String(key))
      const page = await server.sendRequest({ method: 'GET', url: `/api/v1/checkouts/${id}`, merchant: 'full' })
      assert.deepEqual(page.json<{ receipt: object }>().receipt, {
        shopName: 'Full',
        shopAddress: 'Tokyo',
        shopPhoneNumber: '03-0000-0000',
        shopEmail: 'a@b.jp',
        shopUrl: 'https://b.jp/',
      })
    })

    test('a merchant that cannot be is refused by what is wrong with it, and nothing is changed', async () => {
      const before = await runJson('merchant', 'list')
      const create = (label: string, name = 'X', ...more: string[]): string[] => [
        ...['merchant', 'create', '--label', label, '--name', name],
        ...more,
      ]
      await cannot(/^There is a merchant "tea" already: choose another label/, ...create('tea'))
      for (const label of ['3ds', 'www', 'console', 'bank', '3ds-server'])
        await cannot(/^--label ".*" is a host of our own: choose another one\.$/, ...create(label))
      for (const label of ['Tea', 'te_a', '', 'a.b', 'tea-', 'x'.repeat(64), '茶'])
        await cannot(/^--label ".*" cannot be part of a host name: use a to z/, ...create(label))
      await cannot(/^--label "xn--n8s" is written in punycode/, ...create('xn--n8s'))
      await cannot(/^--name is empty/, ...create('ok', ' '))
      await cannot(/^--name has 101 characters: 100 are the most/, ...create('ok', 'x'.repeat(101)))
      await cannot(/^--name holds a control character/, ...create('ok', 'a\nb'))
      await cannot(/^--site is no address/, ...create('ok', 'X', '--site', 'javascript:alert(1)'))
      await cannot(
        /^merchant create needs --name: see .* merchant create --help\.$/,
        'merchant',
        'create',
        '--label',
        'ok',
      )
      await cannot(/^There is no merchant "nobody": .* merchant list shows all/, 'merchant', 'show', 'nobody')
      await cannot(/^There is no merchant "nobody"/, 'merchant', 'close', 'nobody')
      await cannot(/^merchant close does not say which label/, 'merchant', 'close')
      assert.deepEqual(await runJson('merchant', 'list'), before)
    })

    test('a key works as soon as it is made, is shown once, and its last use is listed', async () => {
      const made = await createKeyOf('sake', '--name', 'web shop', '--expires', '2099-12-31')
      assert.match(String(made['key']), /^sk_test_[a-z2-7]{32}$/)
      assert.match(String(made['id']), ID)
      assert.equal(made['expiresAt'], '2099-12-31T14:59:59Z')
      assert.equal(await statusWith(made['key']), 200)
      const { items: [listed = {}] = [] } = await runJson('key', 'list', '--merchant', 'sake')
      const { id, mode, access, name, hint, state } = listed
      assert.deepEqual(
        [id, mode, access, name, hint, state],
        [made['id'], 'test', 'full', 'web shop', String(made['key']).slice(-4), 'active'],
      )
      assert.match(String(listed['lastUsedAt']), /Z$/)
      const table = (await run('key', 'list')).printed
      assert.match(table[0] ?? '', /^id +merchant +mode +access +name +hint +state +last used JST +expires JST$/)
      for (const line of table) assert.ok(line.length <= 100, line)
      assert.equal([...table, JSON.stringify(listed)].join().includes(String(made['key'])), false)
      const people = await run('key', 'create', '--merchant', 'sake', '--mode', 'live', '--access', 'read')
      assert.match(people.printed[0] ?? '', /^key: sk_live_[a-z2-7]{32}$/)
      assert.match(
        people.printed.at(-1) ?? '',
        /^Every call with this key is answered 401 until .* acquirer set --merchant sake --mode live$/,
      )
      assert.equal(await statusWith(people.printed[0]?.slice('key: '.length)), 401)
    })

    test('a revoked key ends at once, and says so again when it is revoked again', async () => {
      const { key, id } = await createKeyOf('sake')
      assert.equal(await statusWith(key), 200)
      const revoked = await runJson('key', 'revoke', String(id))
      assert.equal(revoked['state'], 'revoked')
      assert.equal(await statusWith(key), 401)
      const again = await run('key', 'revoke', String(id))
      assert.deepEqual(again.printed, [
        `The key ${String(id)} of sake is revoked since ${timeText(String(revoked['revokedAt']))}.`,
      ])
      await cannot(/^This key is revoked and cannot be rolled/, 'key', 'roll', String(id))
    })

    test('a rolled key works on for 24 hours beside the new one', async () => {
      const old = await createKeyOf('sake', '--name', 'till')
      const rolled = await runJson('key', 'roll', String(old['id']))
      // The command reads the clock of the machine.
      server.clock.advance(systemClock.now() - server.clock.now())
      assert.deepEqual([rolled['merchant'], rolled['oldId']], ['sake', old['id']])
      assert.notEqual(rolled['key'], old['key'])
      assert.deepEqual([await statusWith(old['key']), await statusWith(rolled['key'])], [200, 200])
      await cannot(
        /^This key ends at 20.*: say when the new one ends, with --expires\.$/,
        'key',
        'roll',
        String(old['id']),
      )
      server.clock.advance(DAY_MS - 60_000)
      assert.equal(await statusWith(old['key']), 200)
      server.clock.advance(60_000)
      assert.deepEqual([await statusWith(old['key']), await statusWith(rolled['key'])], [401, 200])
    })

    test('a key that cannot be is refused by what is wrong with it, and a key itself is never quoted', async () => {
      const create = (...more: string[]): string[] => ['key', 'create', '--merchant', 'tea', ...more]
      const before = await runJson('key', 'list')
      await cannot(/^key create needs --mode: see/, ...create('--access', 'full'))
      await cannot(/^key create needs --access: see/, ...create('--mode', 'test'))
      await cannot(/^--mode is "prod": give test or live\.$/, ...create('--mode', 'prod', '--access', 'full'))
      await cannot(/^--access is "all": give read, sales, full\.$/, ...create('--mode', 'test', '--access', 'all'))
      const valid = create('--mode', 'test', '--access', 'full')
      await cannot(/^--expires is no time: give a date such as/, ...valid, '--expires', 'tomorrow')
      await cannot(/^--expires is in the past/, ...valid, '--expires', '2020-01-01')
      await cannot(/^--name is empty/, ...valid, '--name', '')
      await cannot(/^--name must be one line/, ...valid, '--name', '\u202Eamayoa')
      await cannot(/^--name is longer than 100 characters/, ...valid, '--name', 'a'.repeat(101))
      await cannot(/^--name holds a card number/, ...valid, '--name', 'till 4012888888881881')
      await cannot(
        /^There is no merchant "no"/,
        'key',
        'create',
        '--merchant',
        'no',
        '--mode',
        'test',
        '--access',
        'read',
      )
      await cannot(/^There is no merchant "no"/, 'key', 'list', '--merchant', 'no')
      for (const command of ['roll', 'revoke']) {
        await cannot(/^There is no key with the id f{16}: .* key list shows the ids/, 'key', command, 'f'.repeat(16))
        await cannot(/^"tea" is no id of a key/, 'key', command, 'tea')
        await cannot(/^This is a key, and its id is needed: npm run[^_]*$/, 'key', command, API_KEYS.tea)
        await cannot(/^key \w+ takes nothing more[^_]*$/, 'key', command, '0'.repeat(16), API_KEYS.tea)
      }
      assert.deepEqual(await runJson('key', 'list'), before)
    })

    test('a closed merchant’s keys end at once, it gets no new one, and reopened its keys work again', async () => {
      const { key } = await createKeyOf('full')
      assert.equal(await statusWith(key), 200)
      const closed = await run('merchant', 'close', 'full')
      assert.deepEqual([closed.code, closed.errors], [0, []])
      assert.match(
        closed.printed.join(),
        /^full is closed since 20[\d-]+ [\d:]+ JST: its keys open nothing any more\. .* merchant reopen/,
      )
      assert.equal(await statusWith(key), 401)
      assert.deepEqual((await run('merchant', 'close', 'full')).printed, closed.printed)
      await cannot(
        /^The merchant "full" is closed: a key of it opens nothing\. Open another shop: /,
        ...['key', 'create', '--merchant', 'full', '--mode', 'test', '--access', 'full'],
      )
      const { items: keys = [] } = await runJson('key', 'list', '--merchant', 'full')
      assert.deepEqual(new Set(keys.map(({ state }) => state)), new Set(['merchant closed']))
      await cannot(/^The merchant "full" is closed/, 'key', 'roll', String(keys[0]?.['id']))
      const reopened = await run('merchant', 'reopen', 'full')
      assert.deepEqual([reopened.code, reopened.printed], [0, ['full is open.']])
      assert.equal(await statusWith(key), 200)
      await cannot(/^There is a merchant "full" already/, 'merchant', 'create', '--label', 'full', '--name', 'X')
    })
  })
