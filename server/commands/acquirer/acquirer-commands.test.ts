import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { AcquirerAdapters, OpenedAccount } from '../../gateways/accounts.ts'
import type { AccountProblem } from '../../gateways/credentials.ts'
import { gatewayNotConfigured } from '../../gateways/not-configured.ts'
import {
  startFakeActiveServer,
  type FakeActiveServer,
  type FakeResponse,
} from '../../../proof/harness/fake-active-server.ts'
import { insertCheckout, saveMerchant } from '../../../proof/harness/save-records.ts'
import { freshCheckout } from '../../../proof/harness/fresh-records.ts'
import { OPEN_SERVER_DATABASE } from '../../../proof/harness/server-databases.ts'
import { BOOKS_MERCHANT, TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { createSealing } from '../../config/sealed.ts'
import { adoptSecretKeys } from '../../store/engine/secret-key-check.ts'
import type { Database } from '../../store/engine/database.ts'
import { findAccount, openSealed, type StoredAccount } from '../../store/merchant/acquirer-accounts.ts'
import { isProblem, readArguments, runAndPrint, type Command } from '../command.ts'
import { createAcquirerCheck } from './check.ts'
import { createAcquirerSet } from './set.ts'
import { acquirerShow } from './show.ts'

const SECRET_KEY = '0123456789abcdef'.repeat(2)
const STRIPE_KEY = 'sk_live_canary00000000wxyz'
const ADYEN = {
  apiKey: 'AQE-canary-key',
  merchantAccount: 'AoyamaTeaJP',
  hmacKey: 'CA'.repeat(32),
  liveUrlPrefix: '1797a841-Tea',
}
const LIVE = ['--merchant', 'tea', '--mode', 'live'] as const

for (const [engine, openPlace] of Object.entries(OPEN_SERVER_DATABASE))
  describe(`the commands for accounts at acquirers, on ${engine}`, { concurrency: 1 }, () => {
    let folder: string
    let database: Database
    let env: Record<string, string>
    let close: () => Promise<void>
    let threeDS: FakeActiveServer
    let threeDSAnswer: FakeResponse
    let found: readonly AccountProblem[]
    let checked: OpenedAccount[]
    let input: string
    const everything: string[] = []
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaikei-acquirer-'))
      const place = await openPlace(folder)
      ;({ database, close } = place)
      await saveMerchant(database, TEA_MERCHANT, 0)
      await saveMerchant(database, BOOKS_MERCHANT, 0)
      threeDS = await startFakeActiveServer(() => threeDSAnswer)
      const real = { THREE_DS_API_URL: threeDS.origin, THREE_DS_MERCHANT_ID: 'configured' }
      env = { ...place.env, ...real, SECRET_KEY, INIT_CWD: folder }
      await adoptSecretKeys(database, [SECRET_KEY])
      for (const [name, text] of Object.entries({
        'stripe.key': `${STRIPE_KEY}\n`,
        'test.key': 'sk_test_canary00000000',
        'adyen.json': JSON.stringify(ADYEN),
        'token.txt': 'token-canary\n',
        'empty.txt': ' \n',
        'large.txt': 'x'.repeat(16 * 1024 + 1),
      }))
        await writeFile(join(folder, name), text, { mode: 0o600 })
    })
    beforeEach(async () => {
      ;[found, checked, input] = [[], [], '']
      threeDSAnswer = { json: { enrolmentStatus: '01' } }
      await database.rows('DELETE FROM acquirer_accounts')
    })
    after(async () => {
      await threeDS.stop()
      await close()
      await rm(folder, { recursive: true, force: true })
      // Whatever any of the tests has printed.
      assert.notEqual(everything.length, 0)
      for (const line of everything) assert.doesNotMatch(line, /canary|CACACA/)
    })

    const adapter = {
      open: () => gatewayNotConfigured,
      checkAccount: async (account: OpenedAccount) => {
        checked.push(account)
        return found
      },
    }
    const commands = (adapters: AcquirerAdapters): Readonly<Record<string, Command>> => ({
      'acquirer set': createAcquirerSet(() => Readable.from([input])),
      'acquirer show': acquirerShow,
      'acquirer check': createAcquirerCheck(() => adapters),
    })
    const runWith = async (adapters: AcquirerAdapters, name: string, args: readonly string[], more: object = {}) => {
      const command = commands(adapters)[name] ?? assert.fail(name)
      const [printed, errors] = [new Array<string>(), new Array<string>()]
      const terminal = { print: (line: string) => printed.push(line), printError: (line: string) => errors.push(line) }
      const given = readArguments(name, command, args)
      const ending = isProblem(given) ? given : await runAndPrint(command, given, { ...env, ...more }, terminal)
      everything.push(...printed, ...errors, ...(typeof ending === 'number' ? [] : [ending.problem]))
      return { ending: typeof ending === 'number' ? ending : ending.problem, printed, errors }
    }
    const run = (name: string, args: readonly string[], more: object = {}) =>
      runWith({ stripe: adapter, adyen: adapter }, name, args, more)
    const set = (...args: string[]) => run('acquirer set', [...LIVE, ...args])
    const setStripe = (...args: string[]) => set('--kind', 'stripe', '--secret-file', 'stripe.key', ...args)
    const check = () => run('acquirer check', LIVE)
    const account = async (): Promise<StoredAccount> =>
      (await findAccount(database, { merchantId: TEA_MERCHANT.id, mode: 'live' })) ??
      assert.fail('no account is stored')
    const opened = async () => openSealed(createSealing([SECRET_KEY]), await account())

    test('set seals what the file holds, shows the last four signs of the key, and show shows no more', async () => {
      const done = await setStripe('--three-ds-merchant-id', 'tea-3ds', '--three-ds-token-file', 'token.txt')
      assert.deepEqual([done.ending, done.errors], [0, []])
      assert.ok(done.printed.includes('key: …wxyz'), done.printed.join('\n'))
      assert.match(done.printed.at(-1) ?? '', /refused until it passes.* acquirer check --merchant tea --mode live$/)
      assert.deepEqual(await opened(), {
        credentials: JSON.stringify({ kind: 'stripe', secretKey: STRIPE_KEY }),
        threeDSToken: 'token-canary',
      })
      const shown = await run('acquirer show', ['--merchant', 'tea', '--json'])
      const { items } = JSON.parse(shown.printed[0] ?? '') as { items: Record<string, unknown>[] }
      const { setAt, ...facts } = items[0] ?? {}
      assert.match(String(setAt), /Z$/)
      assert.deepEqual(facts, {
        merchant: 'tea',
        mode: 'live',
        kind: 'stripe',
        apiBase: null,
        key: '…wxyz',
        threeDSMerchantId: 'tea-3ds',
        hasThreeDSToken: true,
        checkedAt: null,
        checkProblems: [],
      })
      const lines = (await run('acquirer show', [])).printed.join('\n')
      assert.match(
        lines,
        /kind: stripe\nkey: …wxyz\nthreeDSMerchantId: tea-3ds\n.*\ncheckedAt: never passed\nthreeDSToken: set/s,
      )
      assert.match((await run('acquirer show', ['--merchant', 'books'])).printed.join(), /^No account yet/)
    })

    test('set takes the secret from standard input, and one secret alone', async () => {
      input = STRIPE_KEY
      assert.equal((await set('--kind', 'stripe', '--secret-file', '-')).ending, 0)
      assert.match((await opened())?.credentials ?? '', /canary00000000wxyz/)
      const both = ['--three-ds-merchant-id', 'a', '--three-ds-token-file', '-']
      assert.match(String((await set('--kind', 'stripe', '--secret-file', '-', ...both)).ending), /one secret/)
    })

    test('set of a file that others can read says so', async () => {
      await chmod(join(folder, 'stripe.key'), 0o644)
      const { ending, errors } = await setStripe()
      await chmod(join(folder, 'stripe.key'), 0o600)
      assert.deepEqual([ending, errors.length], [0, 1])
      assert.match(errors[0] ?? '', /Others can read the file of --secret-file: chmod 600/)
    })

    test('set refuses what it cannot use, names the mend, stores nothing and repeats no secret', async () => {
      const stripe = ['--kind', 'stripe', '--secret-file', 'stripe.key'] as const
      for (const [args, words] of [
        [['--kind', 'stripe', '--secret-file', 'test.key'], /test key, and the account is for live mode.*Mend: /],
        [['--kind', 'adyen', '--secret-file', 'stripe.key'], /no JSON object/],
        [['--kind', 'paypal', '--secret-file', 'stripe.key'], /--kind is "paypal": give stripe or adyen/],
        [['--kind', 'stripe', '--secret-file', STRIPE_KEY], /name of a file, and this is a secret itself.*Replace it/],
        [['--kind', 'adyen', '--secret-file', JSON.stringify(ADYEN)], /this is a secret itself/],
        [['--kind', 'stripe', '--secret-file', 'missing-canary'], /cannot be read \(ENOENT\)/],
        [['--kind', 'stripe', '--secret-file', '.'], /cannot be read \(EISDIR\)/],
        [['--kind', 'stripe', '--secret-file', 'empty.txt'], /is empty/],
        [['--kind', 'stripe', '--secret-file', 'large.txt'], /more than 16384 bytes/],
        [[...stripe, '--api-base', 'http://api.example.com'], /https:\/\/, or with http:\/\/ on this machine/],
        [[...stripe, '--api-base', 'ftp://127.0.0.1'], /https:\/\//],
        [[...stripe, '--api-base', 'https://user:canary@api.example.com'], /host, port and path alone/],
        [[...stripe, '--three-ds-token-file', 'token.txt'], /belongs to --three-ds-merchant-id/],
        [[...stripe, '--three-ds-merchant-id', 'a b'], /without spaces/],
        [
          [...stripe, '--three-ds-merchant-id', 'a', '--three-ds-token-file', 'missing'],
          /--three-ds-token-file cannot be read/,
        ],
      ] as const)
        assert.match(String((await set(...args)).ending), words)
      const other = { SECRET_KEY: '76543210'.repeat(4) }
      const withOther = await run('acquirer set', [...LIVE, ...stripe], other)
      assert.match(String(withOther.ending), /not the one that this database was set up with/)
      const none = await run('acquirer set', [...LIVE, ...stripe], { SECRET_KEY: '', DATA_DIR: folder })
      if (engine === 'PostgreSQL') assert.match(String(none.ending), /no secret key to seal/)
      const nobody = await run('acquirer set', ['--merchant', 'nobody', '--mode', 'live', ...stripe])
      assert.match(String(nobody.ending), /There is no merchant "nobody"/)
      assert.deepEqual(await database.rows('SELECT * FROM acquirer_accounts'), [])
    })

    test('set of an address takes https, and http on this machine', async () => {
      for (const [given, stored] of [
        ['https://api.example.com/', 'https://api.example.com'],
        ['http://127.0.0.1:3003/stripe', 'http://127.0.0.1:3003/stripe'],
      ] as const) {
        assert.equal((await setStripe('--api-base', given)).ending, 0)
        assert.equal((await account()).apiBase, stored)
      }
    })

    test('set without 3-D Secure keeps id and token of before, and with an id alone has no token', async () => {
      await setStripe('--three-ds-merchant-id', 'tea-3ds', '--three-ds-token-file', 'token.txt')
      await setStripe('--api-base', 'https://api.example.com')
      assert.deepEqual(
        [(await account()).threeDSMerchantId, (await opened())?.threeDSToken],
        ['tea-3ds', 'token-canary'],
      )
      await setStripe('--three-ds-merchant-id', 'other')
      assert.deepEqual([(await account()).threeDSMerchantId, (await opened())?.threeDSToken], ['other', null])
    })

    test('set of another acquirer is refused once a live checkout is there, which only the first could refund', async () => {
      await setStripe()
      assert.equal((await set('--kind', 'adyen', '--secret-file', 'adyen.json')).ending, 0)
      await setStripe()
      await insertCheckout(database, freshCheckout({ merchantId: TEA_MERCHANT.id, mode: 'live' }))
      const refused = await set('--kind', 'adyen', '--secret-file', 'adyen.json')
      assert.match(String(refused.ending), /payments of tea are at Stripe, and another acquirer can neither refund/)
      assert.equal((await account()).kind, 'stripe')
      assert.equal((await setStripe()).ending, 0, 'a new key of the same acquirer')
      await database.rows('DELETE FROM checkouts')
    })

    test('set of a double in place of a real acquirer, or of a real one in place of a double, is refused once a live checkout is there', async () => {
      const double = ['--api-base', 'http://127.0.0.1:3003/stripe'] as const
      await setStripe()
      assert.equal((await setStripe(...double)).ending, 0, 'nothing was paid yet')
      await insertCheckout(database, freshCheckout({ merchantId: TEA_MERCHANT.id, mode: 'live' }))
      assert.match(String((await setStripe()).ending), /payments of tea were pretended.*Nothing was changed/)
      assert.equal((await account()).apiBase, 'http://127.0.0.1:3003/stripe')
      assert.equal((await setStripe('--api-base', 'http://127.0.0.1:4003/stripe')).ending, 0, 'the double moved')
      await database.rows('UPDATE acquirer_accounts SET api_base = NULL')
      assert.match(String((await setStripe(...double)).ending), /payments of tea are real.*Nothing was changed/)
      await database.rows('DELETE FROM checkouts')
    })

    test('check asks the acquirer with the account, and the 3-D Secure server with its id and token; then live keys work', async () => {
      await set(
        '--kind',
        'adyen',
        '--secret-file',
        'adyen.json',
        '--three-ds-merchant-id',
        'tea-3ds',
        '--three-ds-token-file',
        'token.txt',
      )
      const before = threeDS.received.length
      const passed = await check()
      assert.deepEqual([passed.ending, passed.printed.length], [0, 1])
      assert.match(
        passed.printed[0] ?? '',
        /^The live account of tea at Adyen passed its check at .* JST\. Its live keys work\.$/,
      )
      assert.deepEqual(checked, [
        {
          merchantId: TEA_MERCHANT.id,
          mode: 'live',
          label: 'tea',
          apiBase: null,
          credentials: { kind: 'adyen', ...ADYEN },
        },
      ])
      const asked = threeDS.received.slice(before)
      assert.deepEqual(
        asked.map(({ path, headers, body }) => [path, headers['as-merchant-token'], body]),
        [['/api/v2/auth/enrol', 'token-canary', { acctNumber: '4242424242424242', merchantId: 'tea-3ds' }]],
      )
      const { checkedAt, checkProblems } = await account()
      assert.notEqual(checkedAt, null)
      assert.equal(checkProblems, null)
    })

    test('check that finds something says what is wrong and how to mend it, stores it, and the account has not passed', async () => {
      await setStripe('--three-ds-merchant-id', 'tea-3ds')
      found = [
        { problem: `Stripe does not know the key ${STRIPE_KEY}`, mend: 'make a new one and set it.' },
        { problem: 'the key may not write refunds', mend: 'give it the permission Refunds: write.' },
      ]
      threeDSAnswer = { status: 403, json: {} }
      const { ending, printed } = await check()
      assert.equal(ending, 1)
      assert.deepEqual(printed.slice(0, 2), [
        'Stripe does not know the key …. Mend: make a new one and set it.',
        'the key may not write refunds. Mend: give it the permission Refunds: write.',
      ])
      assert.match(
        printed[2] ?? '',
        /3-D Secure server does not take this merchant id \(HTTP 403\)\. Mend: .*--three-ds-merchant-id/,
      )
      assert.deepEqual([(await account()).checkedAt, (await account()).checkProblems], [null, printed.join('\n')])
      assert.match((await run('acquirer show', [])).printed.join('\n'), /last check: the key may not write refunds/)
      ;[found, threeDSAnswer] = [[], { json: { errorCode: '1005' } }]
      assert.equal((await check()).ending, 0, 'a test number that no issuer takes part with is an answer too')
      await setStripe()
      assert.equal((await account()).checkedAt, null, 'set anew, it has to pass again')
    })

    test('check of a live account without an id at the 3-D Secure server, or with the sandbox’s alone, does not pass', async () => {
      await setStripe()
      const without = await check()
      assert.equal(without.ending, 1)
      assert.match(without.printed.join(), /no merchant id at the 3-D Secure server\. Mend: .*--three-ds-merchant-id/)
      await setStripe('--three-ds-merchant-id', 'tea-3ds')
      const port = new URL(threeDS.origin).port
      const sandbox = await run('acquirer check', LIVE, { THREE_DS_API_URL: '', SANDBOX_PORT: port })
      assert.deepEqual(sandbox.ending, 1)
      assert.match(sandbox.printed.join(), /the sandbox authenticates no real cards\. Mend: set THREE_DS_API_URL/)
      await setStripe('--api-base', 'http://127.0.0.1:9/stripe', '--three-ds-merchant-id', 'tea-3ds')
      assert.equal((await run('acquirer check', LIVE, { THREE_DS_API_URL: '', SANDBOX_PORT: port })).ending, 0)
    })

    test('check of an adapter that throws, a silent 3-D Secure server and an account that does not open all say so', async () => {
      await setStripe('--three-ds-merchant-id', 'tea-3ds')
      const failing = { ...adapter, checkAccount: async () => Promise.reject(new Error(STRIPE_KEY)) }
      threeDSAnswer = 'reset'
      const thrown = await runWith({ stripe: failing, adyen: failing }, 'acquirer check', LIVE)
      assert.equal(thrown.ending, 1)
      assert.match(thrown.printed[0] ?? '', /^Stripe could not be asked\. Mend: /)
      assert.match(thrown.printed[1] ?? '', /3-D Secure server could not be asked \(the connection was lost\).*doctor/)
      await database.rows("UPDATE acquirer_accounts SET api_base = 'https://collector.example.com'")
      assert.match(String((await check()).ending), /cannot be opened with the secret key at hand: set it again/)
      assert.match((await run('acquirer show', [])).printed.join('\n'), /key: cannot be opened/)
      await database.rows('DELETE FROM acquirer_accounts')
      assert.match(String((await check()).ending), /tea has no live account: .* acquirer set --merchant tea/)
    })

    test('check of an account that is set anew meanwhile counts for nothing', async () => {
      await setStripe('--three-ds-merchant-id', 'tea-3ds')
      const slow = {
        ...adapter,
        checkAccount: async () => {
          await setStripe()
          return []
        },
      }
      const late = await runWith({ stripe: slow, adyen: slow }, 'acquirer check', LIVE)
      assert.match(String(late.ending), /set anew meanwhile/)
      assert.equal((await account()).checkedAt, null)
    })
  })
