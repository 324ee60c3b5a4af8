import type { Frame, Page } from '@playwright/test'
import { answerChallenge, bankFrame, lengthenCollectTimeout } from './harness/challenge.ts'
import { CARDS, fillCard, payButton, START_CALL } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { openHydrated } from './harness/hydration.ts'
import { startChargeCheck } from './harness/charge-check.ts'

/** Records the calls that move a payment, in order. */
const recordCalls = (page: Page): string[] => {
  const calls: string[] = []
  page.on('request', (request) => {
    const [, last] = /\/api\/v1\/.*?([a-z0-9-]+)$/.exec(request.url()) ?? []
    if (last !== undefined && request.method() !== 'GET') calls.push(last)
  })
  return calls
}

/** Counts the messages that arrive at the card page from other windows, accepted or not. */
const countMessages = async (page: Page): Promise<() => Promise<number>> => {
  await page.addInitScript(() => {
    if (window !== window.top) return
    let arrived = 0
    window.addEventListener('message', ({ isTrusted }) => {
      if (isTrusted) arrived += 1
    })
    Object.defineProperty(window, 'arrived', { get: () => arrived })
  })
  return () => page.evaluate(() => Number(Reflect.get(window, 'arrived')))
}

const DO_AUTH = '3DS_DO_AUTH'
const RESULT_READY = '3DS_AUTH_RESULT_READY'

/** Messages that would be accepted from the right window: the events that move each state, and one that breaks it off. */
const acceptedMessages = (orderCode: string): readonly object[] => [
  { event: DO_AUTH, order_code: orderCode },
  { event: DO_AUTH, orderCode },
  { event: RESULT_READY, order_code: orderCode },
  { event: RESULT_READY, orderCode },
  { event: 'AuthResultReady', order_code: orderCode },
  { event: 'SomethingElse', order_code: orderCode },
  { event: '', order_code: orderCode },
]

/** Messages that are refused even from the right window. Source text that the sender evaluates: not all of it survives as JSON. */
const refusedMessages = (orderCode: string, event: string): readonly string[] => {
  const message = JSON.stringify({ event, order_code: orderCode })
  const code = JSON.stringify(orderCode)
  const name = JSON.stringify(event)
  const otherOrders = [
    orderCode.toUpperCase(),
    ` ${orderCode}`,
    orderCode.slice(1),
    `${orderCode}a`,
    orderCode.split('').toReversed().join(''),
    `${orderCode} `,
    `\u200b${orderCode}`,
    `${orderCode}\0`,
    `${orderCode},${orderCode}`,
    'b'.repeat(orderCode.length),
    '',
  ].map((other) => JSON.stringify({ event, order_code: other }))
  return [
    ...otherOrders,
    ...[
      'null',
      'undefined',
      '0',
      'true',
      name,
      code,
      JSON.stringify(message),
      `[${message}]`,
      `[${name}, ${code}]`,
      '{}',
    ],
    `{ event: ${name} }`,
    `{ order_code: ${code} }`,
    `{ event: [${name}], order_code: ${code} }`,
    `{ event: { event: ${name} }, order_code: ${code} }`,
    `{ event: 1, order_code: ${code} }`,
    `{ event: null, order_code: ${code} }`,
    `{ event: ${name}, order_code: [${code}] }`,
    `{ event: ${name}, order_code: null }`,
    `{ event: ${name}, order_code: 1 }`,
    `{ event: ${name}, ordercode: ${code} }`,
    `{ event: ${name}, order_code: ${code}, orderCode: ${code} }`,
    `{ EVENT: ${name}, ORDER_CODE: ${code} }`,
    `{ data: ${message} }`,
    `new Map(Object.entries(${message}))`,
    `new Set([${message}])`,
    `new Blob([${JSON.stringify(message)}])`,
    `new Date(0)`,
    `new Error(${name})`,
    `/3DS/`,
    `new ArrayBuffer(8)`,
    `new Uint8Array([51, 68, 83])`,
    `Object(${name})`,
    `Object(1n)`,
  ]
}

const postToPage = (from: Frame, messages: readonly string[]): Promise<void> =>
  from.evaluate(`for (const message of [${messages.join()}]) window.top.postMessage(message, '*')`)

/** Hosts that look like the bridge's. None of them is it. */
const foreignOrigins = (bridge: URL): readonly string[] => {
  const { port } = bridge
  return [
    `http://evil.localhost:${port}`,
    `http://evil3ds.localhost:${port}`,
    `http://3ds.localhost.evil.test:${port}`,
    `http://localhost:${port}`,
    `http://3ds.localhost:${Number(port) + 7}`,
    `https://3ds.localhost:${port}`,
  ]
}

/** Adds frames of other hosts, one of the bridge's own host and one of no host; each can post to the card page. */
const addForgerFrames = async (page: Page, inside: Frame, bridge: URL): Promise<Frame[]> => {
  const addresses = [...foreignOrigins(bridge), bridge.origin].map((origin) => `${origin}/forger`)
  await page.context().route('**/forger*', (route) => route.fulfill({ contentType: 'text/html', body: 'forger' }))
  await inside.evaluate(
    async (sources) => {
      const loaded = sources.map(({ src, sandbox }) => {
        const frame = document.createElement('iframe')
        if (sandbox) frame.setAttribute('sandbox', 'allow-scripts')
        const { promise, resolve } = Promise.withResolvers<unknown>()
        frame.addEventListener('load', resolve)
        frame.src = src
        document.body.append(frame)
        return promise
      })
      await Promise.all(loaded)
    },
    [...addresses.map((src) => ({ src, sandbox: false })), { src: `${bridge.origin}/forger?opaque`, sandbox: true }],
  )
  return page.frames().filter((frame) => frame.url().includes('/forger'))
}

/** Posts to the bridge in place of the card company: what the bridge passes on would arrive at the card page. */
const postToBridge = (from: Frame, event: string): Promise<void> =>
  from.evaluate(
    `for (const event of ['${event}', 'AuthResultReady', 'SomethingElse']) parent.postMessage({ event }, '*')`,
  )

/**
 * When the bridge posts its own message, four copies follow at once: those come too late.
 * The page removes the bridge at the first, so a copy of a slow bridge may not arrive at all.
 */
const LATE_COPIES = 4
const repeatBridgeMessage = (bridge: Frame, orderCode: string, event: string): Promise<void> =>
  bridge.evaluate(
    ({ message, times }) => {
      window.addEventListener('message', ({ origin }) => {
        if (origin !== window.location.origin) return
        for (let time = 0; time < times; time += 1) window.top?.postMessage(message, '*')
      })
    },
    { message: { event, order_code: orderCode }, times: LATE_COPIES },
  )

interface Attack {
  /** The frame of the bridge on the page, the only one whose messages are accepted. */
  readonly bridge: Frame
  /** The card company's page, inside it. */
  readonly inner: readonly Frame[]
  readonly orderCode: string
  /** What would move the payment on. */
  readonly event: string
}

/** Posts every forged message and returns how many arrived. */
const postForgeries = async (
  page: Page,
  { bridge, inner, orderCode, event }: Attack,
  messageCount: () => Promise<number>,
): Promise<number> => {
  const before = await messageCount()
  const forgers = [...inner, ...(await addForgerFrames(page, bridge, new URL(bridge.url())))]
  expect(forgers).toHaveLength(inner.length + 8)
  const accepted = acceptedMessages(orderCode).map((message) => JSON.stringify(message))
  for (const forger of forgers) {
    await postToPage(forger, accepted)
    await postToBridge(forger, event)
  }
  const refused = refusedMessages(orderCode, event)
  await postToPage(bridge, refused)
  const posted = forgers.length * accepted.length + refused.length
  await expect.poll(messageCount).toBe(before + posted)
  await bridge.evaluate(() => document.querySelectorAll('iframe[src*="/forger"]').forEach((frame) => frame.remove()))
  return posted
}

const bridgeFrame = async (page: Page, path: string): Promise<Frame> => {
  const findFrame = () =>
    page
      .mainFrame()
      .childFrames()
      .find((frame) => frame.url().includes(path))
  await expect.poll(() => findFrame() !== undefined).toBe(true)
  const found = findFrame()
  if (found === undefined) throw new Error(`no frame at ${path}`)
  await found.waitForLoadState('domcontentloaded')
  return found
}

const submitAndReadOrderCode = async (page: Page, submit: () => Promise<void>): Promise<string> => {
  const [answer] = await Promise.all([page.waitForResponse(START_CALL), submit()])
  const { orderCode } = (await answer.json()) as { orderCode: string }
  return orderCode
}

const WHILE_COLLECTED = 'a hundred forged messages move no payment while the browser data is collected'
test(WHILE_COLLECTED, { tag: '@proof' }, async ({ page, kaikei }) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const checkout = await kaikei.createCheckout()
  const calls = recordCalls(page)
  const messageCount = await countMessages(page)
  await lengthenCollectTimeout(page)
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
  await page.route('http://3ds-server.localhost:*/**', async (route) => {
    await released
    await route.continue()
  })
  await openHydrated(page, checkout.url)
  await fillCard(page, CARDS.good)
  const orderCode = await submitAndReadOrderCode(page, () => payButton(page).click())
  const bridge = await bridgeFrame(page, '/collect/')
  const posted = await postForgeries(page, { bridge, inner: [], orderCode, event: DO_AUTH }, messageCount)
  expect(calls).toEqual(['3ds'])
  await expect(page.getByRole('button', { name: 'Checking with your card issuer…' })).toBeVisible()
  await chargeCheck.expectNothingCharged(checkout.id)

  await repeatBridgeMessage(bridge, orderCode, DO_AUTH)
  release(undefined)
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect(posted).toBe(100)
  expect(await messageCount()).toBeGreaterThan(posted)
  expect(calls).toEqual(['3ds', 'authenticate', 'pay'])
  await chargeCheck.expectPaidOnce(checkout.id)
})

test('a hundred forged messages move no payment while a challenge is open', async ({ page, kaikei }) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const checkout = await kaikei.createCheckout()
  const calls = recordCalls(page)
  const messageCount = await countMessages(page)
  // A poll that came first would end the challenge before its message.
  await page.route('**/monitor', (route) => route.fulfill({ json: { event: 'AuthResultNotReady' } }))
  await openHydrated(page, checkout.url)
  await fillCard(page, CARDS.challenged)
  const orderCode = await submitAndReadOrderCode(page, () => payButton(page).click())
  await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
  const bridge = await bridgeFrame(page, '/challenge/')
  const before = await messageCount()
  const posted = await postForgeries(
    page,
    { bridge, inner: bridge.childFrames(), orderCode, event: RESULT_READY },
    messageCount,
  )
  expect(calls).toEqual(['3ds', 'authenticate'])
  await expect(page.getByRole('heading', { name: 'Confirm with your card issuer' })).toBeVisible()
  await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
  await chargeCheck.expectNothingCharged(checkout.id)

  await repeatBridgeMessage(bridge, orderCode, RESULT_READY)
  await answerChallenge(page, '123456')
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect(posted).toBe(107)
  expect(await messageCount()).toBeGreaterThan(before + posted)
  expect(calls).toEqual(['3ds', 'authenticate', 'pay'])
  await chargeCheck.expectPaidOnce(checkout.id)
})

test('a page that opens the payment gets no handle on it, and messages of one opened from its challenge are refused', async ({
  page,
  context,
  kaikei,
}) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const checkout = await kaikei.createCheckout()
  const { port } = new URL(checkout.url)
  await context.route('**/forger*', (route) => route.fulfill({ contentType: 'text/html', body: 'forger' }))
  await context.grantPermissions(['local-network-access'])
  await page.goto(`http://evil.localhost:${port}/forger`)
  const [victim] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((url) => Object.assign(window, { victim: window.open(url) }) && undefined, checkout.url),
  ])
  await expect(payButton(victim)).toBeVisible()
  expect(await page.evaluate('window.victim.closed')).toBe(true)
  expect(await victim.evaluate('window.opener === null')).toBe(true)

  const calls = recordCalls(victim)
  await fillCard(victim, CARDS.challenged)
  const orderCode = await submitAndReadOrderCode(victim, () => payButton(victim).click())
  await expect(bankFrame(victim).getByLabel('Confirmation code')).toBeVisible()
  await victim.evaluate(() => {
    Object.assign(window, { arrived: 0 })
    window.addEventListener('message', () => Object.assign(window, { arrived: Reflect.get(window, 'arrived') + 1 }))
  })
  const accepted = acceptedMessages(orderCode).map((message) => JSON.stringify(message))
  const frames = victim.frames().slice(1)
  for (const frame of frames) {
    for (const host of ['evil', '3ds']) {
      const [popup] = await Promise.all([
        victim.waitForEvent('popup'),
        frame.evaluate(`window.open('http://${host}.localhost:${port}/forger'), undefined`),
      ])
      await popup.waitForURL('**/forger')
      await popup.evaluate(`for (const message of [${accepted.join()}]) opener.top.postMessage(message, '*')`)
    }
  }
  expect(frames).toHaveLength(2)
  await expect.poll(() => victim.evaluate('window.arrived')).toBe(4 * accepted.length)
  await expect(victim.getByRole('heading', { name: 'Confirm with your card issuer' })).toBeVisible()
  expect(calls).toEqual(['3ds', 'authenticate'])
  await chargeCheck.expectNothingCharged(checkout.id)
  await answerChallenge(victim, '123456')
  await expect(victim.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  await chargeCheck.expectPaidOnce(checkout.id)
})
