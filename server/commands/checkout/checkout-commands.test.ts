import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { endApp } from '../../../proof/harness/end-server.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { freePort } from '../../../proof/harness/server-process.ts'
import { API_KEYS, testKey } from '../../../proof/harness/test-merchants.ts'
import { insertKey } from '../../store/merchant/keys.ts'
import { isProblem, readArguments, runAndPrint } from '../command.ts'
import { runCommandLine } from '../command-line.ts'
import { createCheckoutOpen } from './links.ts'

type Env = Record<string, string>
type Printed = Record<string, unknown> & { readonly items?: Record<string, unknown>[] }

const READ_KEY = `sk_test_${'r'.repeat(32)}`
const NO_SUCH = 'a'.repeat(32)

const portOf = (server: Server): number => (server.address() as AddressInfo).port

describe('the checkout commands over HTTP', { concurrency: 1 }, () => {
  let client: MerchantClient
  let folder: string
  let env: Env
  /** All that any command has printed, and all secrets that may not be there. */
  const output: string[] = []
  const opened: Server[] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-checkout-'))
    client = await openMerchantClient(await openSqliteInMemory())
    const { app, deps } = client.server
    await insertKey(deps.database, testKey(READ_KEY, 'tea-id', { access: 'read' }), 0)
    await app.listen({ port: 0, host: '127.0.0.1' })
    env = { KAIKEI_URL: `http://localhost:${portOf(app.server)}/merchant/v1`, KAIKEI_KEY: API_KEYS.tea }
  })
  after(async () => {
    await endApp(client.server.app)
    for (const server of opened) {
      server.close()
      server.closeAllConnections()
    }
    await rm(folder, { recursive: true, force: true })
    for (const secret of [API_KEYS.tea, READ_KEY, '4242424242424242', '4242 4242'])
      assert.equal(output.join('\n').includes(secret), false, 'a secret was printed')
  })

  const runWith = async (more: Env, ...args: string[]) => {
    const printed: string[] = []
    const errors: string[] = []
    const code = await runCommandLine(
      args,
      { ...env, ...more },
      {
        print: (line) => printed.push(line),
        printError: (line) => errors.push(line),
      },
    )
    output.push(...printed, ...errors)
    return { code, printed, errors }
  }
  const run = (...args: string[]) => runWith({}, ...args)
  const runJson = async (...args: string[]): Promise<Printed> => {
    const { code, printed, errors } = await run(...args, '--json')
    assert.deepEqual([code, printed.length, errors], [0, 1, []], args.join(' '))
    return JSON.parse(printed[0] ?? '') as Printed
  }
  const cannot = async (line: RegExp, more: Env, ...args: string[]): Promise<string> => {
    const { code, printed, errors } = await runWith(more, ...args)
    assert.deepEqual([code, printed, errors.length], [2, [], 1], `${args.join(' ')} ${errors.join()}`)
    assert.match(errors[0] ?? '', line)
    return errors[0] ?? ''
  }
  /** A server that is no Kaikei, or that breaks off. */
  const listen = async (answer: RequestListener): Promise<Env> => {
    const server = createServer(answer)
    opened.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { KAIKEI_URL: `http://127.0.0.1:${portOf(server)}/merchant/v1` }
  }

  test('a checkout is created with everything that can be said of it, shown and found', async () => {
    const words = ['--subject', '玉露', '--reference', 'A-42', '--remarks', 'two words', '--valid-until', '2026-12-24']
    const links = [
      '--cancel-url',
      'https://shop.example.com/{CHECKOUT_ID}',
      '--redirect-url',
      'https://shop.example.com/',
    ]
    const lists = ['--brands', 'visa,jcb', '--taxes', '8:980,10:1000', '--metadata', 'a=b', '--metadata', 'c=d']
    const created = await runJson(
      'checkout',
      'create',
      '--amount',
      '1980',
      '--locale',
      'ja',
      ...words,
      ...links,
      ...lists,
    )
    const id = String(created['id'])
    assert.deepEqual(
      [created['amount'], created['subject'], created['reference'], created['locale'], created['metadata']],
      [1980, '玉露', 'A-42', 'ja_JP', { a: 'b', c: 'd' }],
    )
    assert.deepEqual(created['links'], {
      cancelUrl: `https://shop.example.com/${id}`,
      redirectUrl: 'https://shop.example.com/',
    })
    assert.deepEqual(created['acceptedCardBrands'], ['visa', 'jcb'])
    assert.deepEqual(await runJson('checkout', 'show', id), created)
    assert.deepEqual(await runJson('checkout', 'show', String(created['url'])), created)
    const { printed } = await run('checkout', 'show', id)
    assert.deepEqual(printed.slice(0, 4), [
      `id: ${id}`,
      'status: open',
      'amount: 1,980 yen',
      `url: ${String(created['url'])}`,
    ])
    assert.ok(printed.includes('taxes: 980 yen at 8 %, 1,000 yen at 10 %'))
    const { items = [] } = await runJson('checkout', 'list', '--reference', 'A-42', '--status', 'open')
    assert.deepEqual(
      items.map((item) => item['id']),
      [id],
    )
  })

  test('the same idempotency key opens one checkout', async () => {
    const create = (...more: string[]) => runJson('checkout', 'create', '--amount', '5', ...more)
    const [one, other] = [await create('--idempotency-key', 'order-1'), await create('--idempotency-key', 'order-1')]
    assert.equal(one['id'], other['id'])
    assert.notEqual((await create())['id'], (await create())['id'])
    await cannot(
      /^idempotency_key_reused: .* Use a new key .* Request-Id: [a-z2-7]{32}$/,
      {},
      ...['checkout', 'create', '--amount', '6', '--idempotency-key', 'order-1'],
    )
  })

  test('a list is a table that fits a terminal and says how to go on', async () => {
    client.clock.advance(1000)
    await runJson(
      'checkout',
      'create',
      '--amount',
      '9999999',
      '--subject',
      'x'.repeat(200),
      '--reference',
      'y'.repeat(100),
    )
    const { printed } = await run('checkout', 'list', '--limit', '1')
    assert.match(printed[0] ?? '', /^id +status +yen +created +reference +subject$/)
    assert.match(printed[1] ?? '', /^[a-z2-7]{32} {2}open +9,999,999 {2}20\d\d-\d\d-\d\d \d\d:\d\d JST {2}y+… +x+…$/)
    assert.ok(printed.slice(0, 2).every((line) => line.length <= 100))
    const [, cursor = ''] = /^There is more: the same with --after (\S+)$/.exec(printed[2] ?? '') ?? []
    const next = await runJson('checkout', 'list', '--limit', '1', '--after', cursor)
    assert.notEqual(next.items?.[0]?.['id'], printed[1]?.split(' ')[0])
    assert.deepEqual((await run('checkout', 'list', '--email', 'nobody@example.com')).printed, [
      'No such checkout: npm run -s kaikei -- checkout create opens one.',
    ])
  })

  test('a paid checkout is found by its shopper, shown without its card number, and refunded once', async () => {
    const { id } = await client.createPaid({ amount: 1980 })
    const found = await runJson('checkout', 'list', '--email', 'taro@example.com', '--last-four', '4242')
    assert.deepEqual(
      found.items?.map((item) => item['id']),
      [id],
    )
    const paidAt = String(found.items?.[0]?.['paidAt'])
    const later = new Date(Date.parse(paidAt) + 1).toISOString()
    const countOf = async (...filters: string[]): Promise<number | undefined> =>
      (await runJson('checkout', 'list', '--email', 'taro@example.com', ...filters)).items?.length
    const transactionId = String(found.items?.[0]?.['transactionId'])
    assert.equal(await countOf('--transaction-id', transactionId, '--paid-from', paidAt, '--paid-to', paidAt), 1)
    assert.deepEqual([await countOf('--paid-from', later), await countOf('--transaction-id', 'txn_none')], [0, 0])
    assert.deepEqual([await countOf('--pending', 'false'), await countOf('--pending', 'true')], [1, 0])
    await cannot(/^invalid_field: pending /, {}, 'checkout', 'list', '--pending', 'maybe')
    assert.match((await run('checkout', 'show', id)).printed.join('\n'), /\ncard: visa •••• 4242\n/)
    const refund = ['checkout', 'refund', id, '--refund-id', 'r1', '--amount', '500']
    assert.deepEqual(
      [(await runJson(...refund))['status'], (await runJson(...refund))['status']],
      ['refunded', 'refunded'],
    )
    const { printed } = await run(...refund)
    assert.deepEqual(printed.slice(0, 3), ['refund: r1', 'status: refunded', 'amount: 500 yen'])
    assert.equal((await runJson('checkout', 'show', id))['refundedAmount'], 500)
    await cannot(
      /^refund_exceeds_payment: .* remaining \(1480\) is what is left/,
      {},
      ...['checkout', 'refund', id, '--refund-id', 'r2', '--amount', '1481'],
    )
    const late = await run('checkout', 'cancel', id)
    assert.deepEqual([late.code, late.errors], [1, []])
    assert.match(late.printed.join(), new RegExp(`^${id} is paid and stays so: `))
  })

  test('a refund that the acquirer refuses ends with 1, and one that nobody knows of says to run it again', async () => {
    const { id } = await client.createPaid()
    client.gateway.refund = async () => ({ outcome: 'refused', reason: 'too late' })
    const refused = await run('checkout', 'refund', id, '--refund-id', 'no')
    assert.equal(refused.code, 1)
    assert.ok(refused.printed.includes('reason: too late'))
    client.gateway.refund = async () => ({ outcome: 'unknown', why: 'silence' })
    const pending = await run('checkout', 'refund', id, '--refund-id', 'maybe')
    assert.equal(pending.code, 0)
    assert.match(pending.printed.at(-1) ?? '', /not said yet .* run the same again/)
  })

  test('an open checkout is cancelled', async () => {
    const { id } = await client.create()
    const { code, printed } = await run('checkout', 'cancel', id)
    assert.deepEqual([code, printed], [0, [`${id} is cancelled and cannot be paid.`]])
    assert.equal((await runJson('checkout', 'cancel', id))['status'], 'cancelled')
    await cannot(/^not_refundable: .* status \(cancelled\) says how/, {}, 'checkout', 'refund', id, '--refund-id', 'r')
  })

  test('its link is printed in any case, and opened where there is a browser', async () => {
    const { id, url } = await client.create()
    for (const [opening, more] of [
      ['opened', []],
      ['no display', ['There is no display here: open the link where there is a browser.']],
      ['no browser', ['No browser could be started here: open the link where there is one.']],
    ] as const) {
      const asked: string[] = []
      const command = createCheckoutOpen(async (address) => {
        asked.push(address)
        return opening
      })
      const given = readArguments('checkout open', command, [id])
      if (isProblem(given)) assert.fail(given.problem)
      const printed: string[] = []
      const terminal = { print: (line: string) => printed.push(line), printError: (line: string) => assert.fail(line) }
      assert.equal(await runAndPrint(command, given, env, terminal), 0)
      assert.deepEqual([asked, printed], [[url], [url, ...more]])
    }
    assert.deepEqual((await run('checkout', 'open', id)).printed[0], url)
  })

  test('its link is drawn in the terminal, or written as a picture where the command was typed', async () => {
    const { id, url } = await client.create()
    const { printed } = await run('checkout', 'qr', id)
    assert.equal(printed.at(-1), url)
    assert.match((printed[0] ?? '').replaceAll('\u001b', 'ESC'), /^ESC\[38;5;231;48;5;231m▀+ESC\[0m$/)
    assert.deepEqual(await runJson('checkout', 'qr', id), { url })
    const file = join(folder, 'x.svg')
    const written = await runWith({ INIT_CWD: folder }, 'checkout', 'qr', id, '--out', 'x.svg')
    assert.deepEqual(written.printed, [`${file} leads to ${url}`])
    assert.match(await readFile(file, 'utf8'), /^<\?xml .*<svg /s)
    await cannot(/^--out cannot be written \(ENOENT/, {}, 'checkout', 'qr', id, '--out', join(folder, 'none', 'x.svg'))
  })

  test('a refusal is one line with its code, its mend and its Request-Id', async () => {
    const shown = ['checkout', 'show', NO_SUCH]
    await cannot(
      /^checkout_not_found: There is no such checkout\. .*checkout list.* Request-Id: [a-z2-7]{32}$/,
      {},
      ...shown,
    )
    await cannot(
      /^invalid_api_key: The API key is missing, unknown or no longer valid.*Set KAIKEI_KEY .*key create makes one\. Request-Id: /,
      { KAIKEI_KEY: `sk_test_${'z'.repeat(32)}` },
      ...shown,
    )
    await cannot(
      /^key_not_allowed: .*needed \(sales\).* key create --access sales .*Request-Id: /,
      { KAIKEI_KEY: READ_KEY },
      ...['checkout', 'create', '--amount', '5'],
    )
    const secret = '4242 4242 4242 4242'
    await cannot(
      /^invalid_field: subject .*Request-Id: /,
      {},
      'checkout',
      'create',
      '--amount',
      '5',
      '--subject',
      secret,
    )
    for (const limit of ['0', '101', '1000', 'all'])
      await cannot(
        /^invalid_field: limit must be a whole number from 1 to 100\. Request-Id: /,
        {},
        ...['checkout', 'list', '--limit', limit],
      )
    assert.equal((await run('checkout', 'list', '--limit', '100')).code, 0)
    for (const digits of ['123', '12345', '12a4'])
      await cannot(
        /^invalid_field: lastFour must be four digits, such as 4242\. Request-Id: /,
        {},
        ...['checkout', 'list', '--last-four', digits],
      )
    await cannot(/^--amount must be whole yen/, {}, 'checkout', 'create', '--amount', '4242424242424242')
    await cannot(/^KAIKEI_KEY is no API key/, { KAIKEI_KEY: 'sk-x' }, ...shown)
    await cannot(/^KAIKEI_URL is not set/, { KAIKEI_URL: '' }, ...shown)
  })

  test('a server that is not there, and one that is no Kaikei, are told by KAIKEI_URL', async () => {
    const created = ['checkout', 'create', '--amount', '5']
    for (const [port, why] of [
      [await freePort(), 'ECONNREFUSED'],
      [1, 'bad port'],
    ] as const) {
      const nobody = { KAIKEI_URL: `http://127.0.0.1:${port}/merchant/v1` }
      const line = await cannot(/^KAIKEI_URL is http:\S+\/merchant\/v1, which cannot be reached/, nobody, ...created)
      assert.ok(line.includes(`(${why}): start the server there, or set KAIKEI_URL`), line)
      assert.doesNotMatch(line, /idempotency/)
    }
    const html = await listen((_request, response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<p>'),
    )
    await cannot(/^KAIKEI_URL is \S+, which answers HTTP 404, but not as a merchant API/, html, ...created)
    const elsewhere = await listen((_request, response) =>
      response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end(),
    )
    await cannot(/which answers HTTP 301, but not/, elsewhere, 'checkout', 'show', NO_SUCH)
    const other = await listen((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1}'),
    )
    await cannot(/which answers HTTP 200, but not/, other, 'checkout', 'show', NO_SUCH)
  })

  test('after a lost answer the line holds the key with which the same creation opens one checkout', async () => {
    const { host } = new URL(env['KAIKEI_URL'] ?? '')
    let isBroken = true
    // Hands the call on, and breaks off before its answer arrives.
    const proxy = await listen((request, response) => {
      const headers = new Headers({ host, authorization: String(request.headers.authorization) })
      headers.set('content-type', 'application/json')
      headers.set('idempotency-key', String(request.headers['idempotency-key']))
      void request.toArray().then(async (chunks) => {
        const body = Buffer.concat(chunks as Buffer[])
        const answer = await fetch(`http://${host}${request.url}`, { method: 'POST', headers, body })
        if (isBroken) request.socket.destroy()
        else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
      })
    })
    const reference = ['--reference', 'lost']
    const line = await cannot(
      /gave no answer .*The checkout may be open: run the same again with --idempotency-key/,
      proxy,
      ...['checkout', 'create', '--amount', '5', ...reference],
    )
    const [, key = ''] = /--idempotency-key (\S+)/.exec(line) ?? []
    isBroken = false
    const again = await runWith(proxy, 'checkout', 'create', '--amount', '5', ...reference, '--idempotency-key', key)
    assert.equal(again.code, 0, again.errors.join())
    assert.equal((await runJson('checkout', 'list', ...reference)).items?.length, 1)
  })
})
