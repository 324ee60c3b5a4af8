/** Forged headers: payments whose every call claims another client, host and scheme, and what the server made of them. */
import { MERCHANT_BASE, MERCHANT_HEADER, SHOPPER_PATHS, shopperAddress } from '#contract/paths.ts'
import { requestorTransId } from '../../server/three-ds/active-server/translate.ts'
import { VALID_FORM } from '../../journeys/harness/card-form.ts'
import { isRecord } from '../../tools/is-record.mjs'
import { CommandError } from '../../tools/command-error.mjs'
import type { Headers, ProxyAnswer, ProxyCall, Send } from './calls.ts'

/** Addresses and names that RFC 5737 and RFC 2606 reserve: an answer that contains one of them believed a forged header. */
export const FORGED_ADDRESS = '203.0.113.66'
export const FORGED_HOST = 'forged.example'

/** Finding: a fact that the server used, and the one that it had to use. */
export interface Finding {
  readonly what: string
  readonly expected: string
  readonly found: string
}

export interface ForgedCase {
  readonly name: string
  /** The forged headers, made for a host that the call is not for. */
  headersFor(host: string): Headers
}

const forgeries: readonly ForgedCase[] = [
  { name: 'X-Forwarded-For', headersFor: () => ({ 'x-forwarded-for': FORGED_ADDRESS }) },
  {
    name: 'X-Forwarded-For with a trusted hop',
    headersFor: () => ({ 'x-forwarded-for': `${FORGED_ADDRESS}, 127.0.0.1` }),
  },
  { name: 'X-Forwarded-Host', headersFor: (host) => ({ 'x-forwarded-host': host }) },
  { name: 'Forwarded', headersFor: (host) => ({ forwarded: `for=${FORGED_ADDRESS};host="${host}";proto=http` }) },
  { name: 'X-Real-IP', headersFor: () => ({ 'x-real-ip': FORGED_ADDRESS }) },
  { name: 'X-Forwarded-Proto', headersFor: () => ({ 'x-forwarded-proto': 'http', 'x-forwarded-port': '80' }) },
]

/** Each forgery alone, then all at once. */
export const FORGED_CASES: readonly ForgedCase[] = [
  ...forgeries,
  {
    name: 'all at once',
    headersFor: (host) => Object.fromEntries(forgeries.flatMap(({ headersFor }) => Object.entries(headersFor(host)))),
  },
]

/** What a trusted proxy sends that adds to X-Forwarded-For: the client's address stands at the right, past trusted hops. */
export const ADDED_ADDRESS = '198.51.100.7'
export const ADDING_PROXY_CASES: readonly ForgedCase[] = [
  `${FORGED_ADDRESS}, ${ADDED_ADDRESS}`,
  `${FORGED_ADDRESS}, ${ADDED_ADDRESS}, 127.0.0.1`,
].map((addresses) => ({
  name: `X-Forwarded-For: ${addresses}`,
  headersFor: (host) => ({ 'x-forwarded-for': addresses, 'x-forwarded-host': host }),
}))

export interface ForgedPaymentSetup {
  readonly base: URL
  readonly merchantKey: string
  readonly send: Send
  readonly toldAddresses: ReadonlyMap<string, string>
  /** The address that the 3-D Secure server must be told. */
  readonly expectedAddress: string
}

const SCREEN = { language: 'ja', javaEnabled: false, colorDepth: 24, height: 844, width: 390, timeZoneOffset: -540 }
const CARD = {
  number: VALID_FORM.cardNumber,
  expiryMonth: 12,
  expiryYear: 2034,
  cvc: VALID_FORM.cvc,
  email: VALID_FORM.email,
  name: VALID_FORM.cardHolderName,
}

/** The call that creates a checkout. */
export const creationOf = (base: URL, merchantKey: string): ProxyCall => ({
  method: 'POST',
  host: base.host,
  target: `${MERCHANT_BASE}/checkouts`,
  headers: { authorization: `Bearer ${merchantKey}` },
  body: { amount: 1980 },
})

export const fieldOf = (answer: ProxyAnswer, name: string): string => {
  const fields: unknown = answer.status < 300 ? JSON.parse(answer.body) : undefined
  const value = isRecord(fields) ? fields[name] : undefined
  if (typeof value === 'string') return value
  throw new CommandError(`an answer without ${name}: ${answer.status} ${answer.body.slice(0, 300)}`)
}

const forgedWordsIn = ({ headers, body }: ProxyAnswer): string =>
  [FORGED_ADDRESS, FORGED_HOST].filter((word) => `${JSON.stringify(headers)}${body}`.includes(word)).join(' ')

/** Creates, opens and pays one checkout; every call carries the forged headers. */
export const payWithForgedHeaders = async (
  { name, headersFor }: ForgedCase,
  { base, merchantKey, send, toldAddresses, expectedAddress }: ForgedPaymentSetup,
) => {
  const findings: Finding[] = []
  let forgedHeaders = 0
  const expect = (what: string, expected: string, found: string): void => {
    findings.push({ what: `${name}: ${what}`, expected, found })
  }
  const hostOf = (label: string): string => `${label}.${base.host}`
  /** `claimedHost`: whom the forged headers name. */
  const call = async (given: ProxyCall, claimedHost = FORGED_HOST): Promise<ProxyAnswer> => {
    const forged = headersFor(claimedHost)
    forgedHeaders += Object.keys(forged).length
    const answer = await send({ ...given, headers: { ...given.headers, ...forged } })
    expect(`forged words in the answer of ${given.host}`, '', forgedWordsIn(answer))
    return answer
  }

  const created = await call(creationOf(base, merchantKey))
  const id = fieldOf(created, 'id')
  expect('link of the checkout', `${base.protocol}//${hostOf('demo')}/${id}`, fieldOf(created, 'url'))

  const screen = `/${id}/creditcard`
  const page = await call({ host: hostOf('demo'), target: screen }, hostOf('nobody'))
  expect("the merchant's page", '200 青山茶舗', `${page.status} ${/青山茶舗/.exec(page.body)?.[0] ?? 'another page'}`)
  const policy = String(page.headers['content-security-policy'])
  expect('frames of the page', `${base.protocol}//${hostOf('3ds')}`, /frame-src ([^;]*)/.exec(policy)?.[1] ?? policy)
  const strange = await call({ host: hostOf('nobody'), target: screen }, hostOf('demo'))
  expect("the page on nobody's host", '303 /404', `${strange.status} ${strange.headers.location ?? ''}`)
  const shopper = { headers: { [MERCHANT_HEADER]: 'demo' } }
  const read = shopperAddress(SHOPPER_PATHS.readCheckout, { checkoutId: id })
  const refused = await call({ ...shopper, host: hostOf('nobody'), target: read }, hostOf('demo'))
  expect("the checkout on nobody's host", '404', String(refused.status))

  const atShop = { ...shopper, host: hostOf('demo') }
  const startAddress = shopperAddress(SHOPPER_PATHS.startPayment, { checkoutId: id })
  const started = await call(
    { ...atShop, method: 'POST', target: startAddress, body: { card: CARD } },
    hostOf('nobody'),
  )
  const orderCode = fieldOf(started, 'orderCode')
  const collect = new URL(fieldOf(started, 'collectUrl'))
  expect('origin of the bridge', `${base.protocol}//${hostOf('3ds')}`, collect.origin)
  const facts = { method: 'POST', host: hostOf('3ds'), target: `${collect.pathname}/browser`, body: SCREEN } as const
  expect('facts of the browser', '204', String((await call(facts, hostOf('demo'))).status))
  const authenticate = shopperAddress(SHOPPER_PATHS.authenticate, { orderCode })
  await call({ ...atShop, method: 'PATCH', target: authenticate, body: {} }, hostOf('nobody'))
  expect('address of the shopper', expectedAddress, toldAddresses.get(requestorTransId(orderCode)) ?? 'none')
  const pay = shopperAddress(SHOPPER_PATHS.pay, { checkoutId: id, orderCode })
  const receipt = { cvc: CARD.cvc, receiptEmail: CARD.email }
  const paid = await call({ ...atShop, method: 'PATCH', target: pay, body: receipt }, hostOf('nobody'))
  expect('status of the checkout', 'paid', fieldOf(paid, 'status'))
  return { findings, forgedHeaders }
}
