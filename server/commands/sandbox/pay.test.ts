import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { THREE_DS_LIMITS } from '#contract/page.ts'
import { endApp } from '../../../proof/harness/end-server.ts'
import { activeServerOptions, sameCredentials } from '../../../proof/harness/fake-active-server.ts'
import { longTimeoutGateway } from '../../../proof/harness/long-timeout-gateway.ts'
import { startSandbox, type SandboxProcess } from '../../../proof/harness/sandbox-process.ts'
import { API_KEYS } from '../../../proof/harness/test-merchants.ts'
import { realClock } from '../../../proof/harness/test-clocks.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { createActiveServer } from '../../three-ds/active-server/three-ds-server.ts'
import { isProblem, readArguments, runAndPrint, type Command } from '../command.ts'
import { createSandboxDispute, sandboxDispute } from './dispute.ts'
import { createSandboxPay, sendByHttp } from './pay.ts'
import type { FramePorts } from './three-ds-frames.ts'

/** The time scale of the sandbox in tests. */
const SCALE = 0.1

interface Paid {
  readonly code: number
  readonly said: Record<string, unknown>
  readonly lines: string[]
  readonly error: string
}

describe('paying a test checkout without a browser', { concurrency: 8 }, () => {
  let sandbox: SandboxProcess
  let server: TestServer
  let url: string
  const opened: Server[] = []
  before(async () => {
    sandbox = await startSandbox()
    const threeDSServer = createActiveServer({
      ...activeServerOptions(sandbox.origin, 30_000),
      credentialsOf: sameCredentials('sandbox'),
    })
    server = await openTestServer({ gateway: longTimeoutGateway(sandbox.origin), threeDSServer, clock: realClock })
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://localhost:${(server.app.server.address() as AddressInfo).port}/merchant/v1`
  })
  after(async () => {
    await endApp(server.app)
    for (const each of opened) {
      each.close()
      each.closeAllConnections()
    }
    await sandbox.stop()
  })

  /** The server under test is known by its hosts; all others are the sandbox, asked over the network. */
  const send: FramePorts['send'] = async (request) => {
    if (!request.url.host.endsWith('.localhost:3000')) return sendByHttp(request)
    const { method, headers, body } = request
    const answer = await server.app.inject({
      method,
      url: `${request.url.pathname}${request.url.search}`,
      headers: { ...headers, host: request.url.host },
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: answer.statusCode, headers: {}, text: answer.body }
  }
  const sleepScaled: FramePorts['sleep'] = async (ms, signal) => {
    await sleep(ms * SCALE, undefined, signal === undefined ? {} : { signal })
  }
  /** Frames that speak are waited for as long as it takes: on a busy machine the limit would come first. */
  const ports: FramePorts = {
    send,
    sleep: (ms, signal) =>
      ms === THREE_DS_LIMITS.collectLimitMs ? new Promise(() => undefined) : sleepScaled(ms, signal),
  }

  const run = (args: readonly string[], more: Partial<FramePorts> = {}, at = url): Promise<Paid> =>
    runCommand(createSandboxPay({ ...ports, ...more }), args, at)
  const runCommand = async (command: Command, args: readonly string[], at = url, env = {}): Promise<Paid> => {
    const given = readArguments('sandbox', command, args)
    if (isProblem(given)) assert.fail(given.problem)
    const lines: string[] = []
    const errors: string[] = []
    const terminal = { print: (line: string) => lines.push(line), printError: (line: string) => errors.push(line) }
    const ending = await runAndPrint(command, given, { KAIKEI_URL: at, KAIKEI_KEY: API_KEYS.tea, ...env }, terminal)
    const code = typeof ending === 'number' ? ending : 2
    if (typeof ending !== 'number') errors.push(ending.problem)
    const said = given.json ? (JSON.parse(lines[0] ?? '{}') as Record<string, unknown>) : {}
    return { code, said, lines, error: errors.join('\n') }
  }
  const payWith = async (...args: string[]): Promise<Paid> =>
    run(
      [await server.createCheckout(), ...args, '--json'],
      args.includes('method-silent') ? { sleep: sleepScaled } : {},
    )

  for (const [card, authentication, outcome, code] of [
    ['paid', 'without a challenge', 'paid', null],
    ['4111 1111 1111 1111', 'without a challenge', 'paid', null],
    ['not-enrolled', 'none', 'paid', null],
    ['challenge', 'with a challenge', 'paid', null],
    ['challenge-twice', 'with a challenge', 'paid', null],
    ['challenge-app', 'with a challenge', 'paid', null],
    ['challenge-no-code', 'with a challenge', 'not paid', 'card_declined'],
    ['challenge-cancel-only', 'with a challenge', 'not paid', 'authentication_unfinished'],
    ['challenge-endless', 'with a challenge', 'not paid', 'authentication_unfinished'],
    ['challenge-unframed', 'with a challenge', 'not paid', 'authentication_unfinished'],
    ['challenge-unknown', 'with a challenge', 'not paid', 'unknown event in the challenge'],
    ['collect-unknown', 'none', 'not paid', 'unknown event while collecting'],
    ['method-endless', 'without a challenge', 'paid', null],
    ['method-silent', 'without a challenge', 'paid', null],
    ['method-error', 'without a challenge', 'paid', null],
    ['rejected', 'without a challenge', 'not paid', 'card_declined'],
    ['3ds-unavailable', 'none', 'not paid', 'authentication_unavailable'],
    ['declined', 'without a challenge', 'not paid', 'card_declined'],
    ['charged-500', 'without a challenge', 'paid', null],
    ['error-500', 'without a challenge', 'not paid', 'nothing_charged'],
  ] as const)
    test(`the card ${card} ends as it says: ${outcome}`, async () => {
      const paid = await payWith('--card', card)
      const { said } = paid
      assert.deepEqual(
        [said['authentication'], said['outcome'], said['code'], said['asExpected'], paid.code, paid.error],
        [authentication, outcome, code, true, 0, ''],
      )
    })

  test('what the card holder does at the bank decides: wrong codes and Cancel are not paid, as is expected then', async () => {
    for (const action of ['wrong', 'cancel']) {
      const { code, said } = await payWith('--card', 'challenge', '--bank', action)
      assert.deepEqual([code, said['outcome'], said['asExpected']], [0, 'not paid', true], action)
    }
    // Where the bank asks nothing there is nothing to do there.
    assert.deepEqual((await payWith('--bank', 'cancel')).said['outcome'], 'paid')
  })

  test('for people it prints what happened, with amount and card', async () => {
    const id = await server.createCheckout()
    const { code, lines } = await run([id, '--card', 'challenge'])
    assert.deepEqual(
      [code, lines],
      [
        0,
        [
          `checkout: ${id}`,
          'amount: 1,980 yen',
          'card: 4100000000005000 (challenge)',
          'authentication: with a challenge',
          'outcome: paid',
        ],
      ],
    )
    const again = await run([id])
    assert.deepEqual([again.code, again.lines], [2, []])
    assert.match(again.error, new RegExp(`^${id} is paid and cannot be paid: open another: .* checkout create`))
  })

  test('a payment that does not end as its card says ends with 1 and a line with the mend', async () => {
    const refusing: FramePorts['send'] = async (request) =>
      request.url.pathname.endsWith('/pay')
        ? { status: 402, headers: {}, text: '{"code":"card_declined"}' }
        : send(request)
    const { code, error } = await run([await server.createCheckout()], { send: refusing })
    assert.equal(code, 1)
    assert.match(error, /^The card paid ends "paid", and this payment did not: .* checkout create/)
  })

  test('no other card than those of the sandbox is taken, and what may be a real one is not repeated', async () => {
    const id = await server.createCheckout()
    for (const [card, line] of [
      ['4556000000000009', /^This is no card of the sandbox, and no other is sent: .* sandbox cards shows them\.$/],
      ['decline', /did you mean declined\?/],
      ['', /^--card is no name of a card: /],
    ] as const) {
      const { code, error } = await run([id, '--card', card])
      assert.equal(code, 2)
      assert.match(error, line)
      assert.equal(card !== '' && error.includes(card) && !error.includes('declined'), false)
    }
    assert.match((await run([id, '--bank', 'shout'])).error, /^--bank must be one of code, wrong, cancel, wait\.$/)
  })

  test('a live checkout is refused before anything is sent to it', async () => {
    const id = await server.createCheckout()
    const answer = await server.app.inject({
      url: `/merchant/v1/checkouts/${id}`,
      headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
    })
    const live = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(answer.body.replace('"mode":"test"', '"mode":"live"')),
    )
    opened.push(live)
    await new Promise<void>((resolve) => live.listen(0, '127.0.0.1', resolve))
    const at = `http://127.0.0.1:${(live.address() as AddressInfo).port}/merchant/v1`
    const nothing: FramePorts['send'] = async ({ url: address }) => assert.fail(`${address.href} was called`)
    const { code, error } = await run([id], { send: nothing }, at)
    assert.equal(code, 2)
    assert.match(error, /is a live checkout: only test checkouts are paid here, and nothing was sent\.$/)
  })

  test('frames that are not the sandbox’s get nothing submitted', async () => {
    const posted: string[] = []
    const elsewhere: FramePorts['send'] = async (request) => {
      if (request.url.host.endsWith('.localhost:3000')) return send(request)
      if (request.method === 'POST') posted.push(request.url.href)
      return { ...(await sendByHttp(request)), headers: {} }
    }
    const { code, error } = await run([await server.createCheckout()], { send: elsewhere })
    assert.deepEqual([code, posted], [2, []])
    assert.match(error, /^The 3-D Secure server of this checkout, 3ds-server\.localhost:\d+, is not the sandbox/)
  })

  test('a server that takes no payments is told with what may be the matter', async () => {
    const closed: FramePorts['send'] = async () => ({
      status: 503,
      headers: {},
      text: '{"code":"gateway_unavailable"}',
    })
    const { code, error } = await run([await server.createCheckout()], { send: closed })
    assert.equal(code, 2)
    assert.match(error, /^The payment was not started \(gateway_unavailable\): .*SANDBOX=off.*circuit breaker.*30 s/)
  })

  const dispute = (args: readonly string[], command = sandboxDispute) =>
    runCommand(command, args, url, { SANDBOX_PORT: new URL(sandbox.origin).port })

  test('a test checkout that was paid is disputed and won: the money is taken, and given back', async () => {
    const id = await server.createCheckout()
    const unpaid = await dispute([id])
    assert.equal(unpaid.code, 2)
    assert.match(unpaid.error, new RegExp(`^${id} is not paid: pay it first, with .* sandbox pay ${id}$`))
    await run([id])
    assert.match((await dispute([id, '--status', 'lost'])).error, /^This payment is not disputed: .*--status open\.$/)
    const { code, lines } = await dispute([id])
    assert.deepEqual(
      [code, lines.filter((line) => !line.startsWith('dispute: dsp_'))],
      [0, [`checkout: ${id}`, 'status: open', 'amount: 1,980 yen', 'moved: chargeback 1,980 yen']],
    )
    const won = await dispute([id, '--status', 'won', '--json'])
    assert.partialDeepStrictEqual(won.said, {
      checkoutId: id,
      status: 'won',
      amount: 1980,
      movements: [{ kind: 'chargeback' }, { kind: 'chargeback_reversal' }],
    })
    assert.match((await dispute([id, '--status', 'lost'])).error, /is won and cannot become lost\.$/)
    const elsewhere: FramePorts['send'] = async () => ({
      status: 404,
      headers: {},
      text: '{"error":"charge_not_found"}',
    })
    assert.match(
      (await dispute([id], createSandboxDispute(elsewhere))).error,
      /^The sandbox does not know this payment/,
    )
  })

  test('a dispute needs the sandbox on this machine, and one of four words', async () => {
    const id = await server.createCheckout()
    assert.match(
      (await dispute([id, '--status', 'closed'])).error,
      /^--status must be one of inquiry, open, won, lost\.$/,
    )
    const nobody: FramePorts['send'] = async () => assert.fail('nothing may be sent')
    const far = await runCommand(createSandboxDispute(nobody), [id], 'https://pay.example/merchant/v1')
    assert.match(far.error, /^The sandbox’s acquirer is reached on its own machine alone/)
    const badPort = await runCommand(createSandboxDispute(nobody), [id], url, { SANDBOX_PORT: 'x' })
    assert.match(badPort.error, /^SANDBOX_PORT is "x"/)
    await run([id])
    const silent: FramePorts['send'] = async () => Promise.reject(new Error('refused'))
    assert.match((await dispute([id], createSandboxDispute(silent))).error, /^No sandbox answers at the port/)
  })
})
