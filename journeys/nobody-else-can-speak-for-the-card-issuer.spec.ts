import type { Frame, Page } from '@playwright/test'
import { answerChallenge, bankFrame, collectPatiently } from './harness/challenge.ts'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { openLive } from './harness/live-page.ts'
import { watchMoney } from './harness/money.ts'

/** The calls that move a payment, in order. */
const noteCalls = (page: Page): string[] => {
  const calls: string[] = []
  page.on('request', (request) => {
    const [, last] = /\/api\/v1\/.*?([a-z0-9-]+)$/.exec(request.url()) ?? []
    if (last !== undefined && request.method() !== 'GET') calls.push(last)
  })
  return calls
}

/** Counts what arrives at the card page from other windows, whether or not anything comes of it. */
const countArrivals = async (page: Page): Promise<() => Promise<number>> => {
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

/** What would be believed if the right window said it: the events that move each state, and one that breaks it off. */
const rightMessages = (orderCode: string): readonly object[] => [
  { event: DO_AUTH, order_code: orderCode },
  { event: DO_AUTH, orderCode },
  { event: RESULT_READY, order_code: orderCode },
  { event: RESULT_READY, orderCode },
  { event: 'AuthResultReady', order_code: orderCode },
  { event: 'SomethingElse', order_code: orderCode },
  { event: '', order_code: orderCode },
]

/** What is not believed even of the right window. Text that the sender evaluates: not all of it survives as JSON. */
const wrongMessages = (orderCode: string, event: string): readonly string[] => {
  const said = JSON.stringify({ event, order_code: orderCode })
  const code = JSON.stringify(orderCode)
  const name = JSON.stringify(event)
  const aboutOthers = [
    orderCode.toUpperCase(),
    ` ${orderCode}`,
    orderCode.slice(1),
    `${orderCode}a`,
    orderCode.split('').toReversed().join(''),
    'b'.repeat(orderCode.length),
    '',
  ].map((other) => JSON.stringify({ event, order_code: other }))
  return [
    ...aboutOthers,
    ...['null', 'undefined', '0', 'true', name, code, JSON.stringify(said), `[${said}]`, `[${name}, ${code}]`, '{}'],
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
    `{ data: ${said} }`,
    `new Map(Object.entries(${said}))`,
    `new Set([${said}])`,
    `new Blob([${JSON.stringify(said)}])`,
    `new Date(0)`,
    `new Error(${name})`,
    `/3DS/`,
    `new ArrayBuffer(8)`,
    `new Uint8Array([51, 68, 83])`,
    `Object(${name})`,
    `Object(1n)`,
  ]
}

const say = (from: Frame, messages: readonly string[]): Promise<void> =>
  from.evaluate(`for (const message of [${messages.join()}]) window.top.postMessage(message, '*')`)

/** Hosts that look like the bridge's, or stand near it. None of them is it. */
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

/** Puts pages of other hosts, one of the bridge's own and one of no host into a frame, where each holds the card page. */
const frameForgers = async (page: Page, inside: Frame, bridge: URL): Promise<Frame[]> => {
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

/** Speaks for the card company through the bridge instead of past it: what the bridge hands on would arrive here. */
const sayToBridge = (from: Frame, event: string): Promise<void> =>
  from.evaluate(
    `for (const event of ['${event}', 'AuthResultReady', 'SomethingElse']) parent.postMessage({ event }, '*')`,
  )

/** When the bridge speaks at last, four more of the same follow in one breath: those come too late. */
const LATE = 4
const repeatInOneBreath = (own: Frame, orderCode: string, event: string): Promise<void> =>
  own.evaluate(
    ({ message, times }) => {
      window.addEventListener('message', ({ origin }) => {
        if (origin !== window.location.origin) return
        for (let time = 0; time < times; time += 1) window.top?.postMessage(message, '*')
      })
    },
    { message: { event, order_code: orderCode }, times: LATE },
  )

interface Attack {
  /** The frame of the bridge that stands on the page, which alone is listened to. */
  readonly own: Frame
  /** The card company's page, inside it. */
  readonly inner: readonly Frame[]
  readonly orderCode: string
  /** What would move the payment on. */
  readonly event: string
}

/** Says everything that can be said wrongly and answers how much of it arrived. */
const forge = async (
  page: Page,
  { own, inner, orderCode, event }: Attack,
  arrivals: () => Promise<number>,
): Promise<number> => {
  const before = await arrivals()
  const forgers = [...inner, ...(await frameForgers(page, own, new URL(own.url())))]
  expect(forgers).toHaveLength(inner.length + 8)
  const right = rightMessages(orderCode).map((message) => JSON.stringify(message))
  for (const forger of forgers) {
    await say(forger, right)
    await sayToBridge(forger, event)
  }
  const wrong = wrongMessages(orderCode, event)
  await say(own, wrong)
  const said = forgers.length * right.length + wrong.length
  await expect.poll(arrivals).toBe(before + said)
  await own.evaluate(() => document.querySelectorAll('iframe[src*="/forger"]').forEach((frame) => frame.remove()))
  return said
}

const ownFrame = async (page: Page, path: string): Promise<Frame> => {
  const own = () =>
    page
      .mainFrame()
      .childFrames()
      .find((frame) => frame.url().includes(path))
  await expect.poll(() => own() !== undefined).toBe(true)
  const found = own()
  if (found === undefined) throw new Error(`no frame stands at ${path}`)
  await found.waitForLoadState('domcontentloaded')
  return found
}

const orderCodeOf = async (page: Page, submit: () => Promise<void>): Promise<string> => {
  const [answer] = await Promise.all([page.waitForResponse('**/api/v1/checkouts/*/3ds'), submit()])
  const { orderCode } = (await answer.json()) as { orderCode: string }
  return orderCode
}

test('a hundred forged messages move nothing while the card company looks at the browser', async ({ page, kaikei }) => {
  const money = await watchMoney(kaikei)
  const checkout = await kaikei.create()
  const calls = noteCalls(page)
  const arrivals = await countArrivals(page)
  await collectPatiently(page)
  const { promise: held, resolve: letGo } = Promise.withResolvers<undefined>()
  await page.route('http://3ds-server.localhost:*/**', async (route) => {
    await held
    await route.continue()
  })
  await openLive(page, checkout.url)
  await fillCard(page, CARDS.good)
  const orderCode = await orderCodeOf(page, () => payButton(page).click())
  const own = await ownFrame(page, '/collect/')
  const said = await forge(page, { own, inner: [], orderCode, event: DO_AUTH }, arrivals)
  expect(calls).toEqual(['3ds'])
  await expect(page.getByRole('button', { name: 'Checking with your card company…' })).toBeVisible()
  await money.expectNoneMoved(checkout.id)

  await repeatInOneBreath(own, orderCode, DO_AUTH)
  letGo(undefined)
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect(said + LATE).toBe(100)
  await expect.poll(arrivals).toBe(said + LATE + 1)
  expect(calls).toEqual(['3ds', 'authenticate', 'pay'])
  await money.expectPaidOnce(checkout.id)
})

test('a hundred forged messages move nothing while a challenge is open', async ({ page, kaikei }) => {
  const money = await watchMoney(kaikei)
  const checkout = await kaikei.create()
  const calls = noteCalls(page)
  const arrivals = await countArrivals(page)
  // A poll that came first would end the challenge before its message.
  await page.route('**/monitor', (route) => route.fulfill({ json: { event: 'AuthResultNotReady' } }))
  await openLive(page, checkout.url)
  await fillCard(page, CARDS.challenged)
  const orderCode = await orderCodeOf(page, () => payButton(page).click())
  await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
  const own = await ownFrame(page, '/challenge/')
  const before = await arrivals()
  const said = await forge(page, { own, inner: own.childFrames(), orderCode, event: RESULT_READY }, arrivals)
  expect(calls).toEqual(['3ds', 'authenticate'])
  await expect(page.getByRole('heading', { name: 'Confirm with your card company' })).toBeVisible()
  await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
  await money.expectNoneMoved(checkout.id)

  await repeatInOneBreath(own, orderCode, RESULT_READY)
  await answerChallenge(page, '123456')
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect(said + LATE).toBe(107)
  await expect.poll(arrivals).toBe(before + said + LATE + 1)
  expect(calls).toEqual(['3ds', 'authenticate', 'pay'])
  await money.expectPaidOnce(checkout.id)
})

test('a page that opens the payment holds nothing of it, and one opened from its challenge is not believed', async ({
  page,
  context,
  kaikei,
}) => {
  const money = await watchMoney(kaikei)
  const checkout = await kaikei.create()
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

  const calls = noteCalls(victim)
  await fillCard(victim, CARDS.challenged)
  const orderCode = await orderCodeOf(victim, () => payButton(victim).click())
  await expect(bankFrame(victim).getByLabel('Confirmation code')).toBeVisible()
  await victim.evaluate(() => {
    Object.assign(window, { arrived: 0 })
    window.addEventListener('message', () => Object.assign(window, { arrived: Reflect.get(window, 'arrived') + 1 }))
  })
  const right = rightMessages(orderCode).map((message) => JSON.stringify(message))
  const frames = victim.frames().slice(1)
  for (const frame of frames) {
    for (const host of ['evil', '3ds']) {
      const [popup] = await Promise.all([
        victim.waitForEvent('popup'),
        frame.evaluate(`window.open('http://${host}.localhost:${port}/forger'), undefined`),
      ])
      await popup.waitForURL('**/forger')
      await popup.evaluate(`for (const message of [${right.join()}]) opener.top.postMessage(message, '*')`)
    }
  }
  expect(frames).toHaveLength(2)
  await expect.poll(() => victim.evaluate('window.arrived')).toBe(4 * right.length)
  await expect(victim.getByRole('heading', { name: 'Confirm with your card company' })).toBeVisible()
  expect(calls).toEqual(['3ds', 'authenticate'])
  await money.expectNoneMoved(checkout.id)
  await answerChallenge(victim, '123456')
  await expect(victim.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  await money.expectPaidOnce(checkout.id)
})
