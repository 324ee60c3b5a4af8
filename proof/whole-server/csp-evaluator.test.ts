import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import { challengePage, collectPage, eventPage, watchPage } from '../../server/http/bridge/pages.ts'
import { CONFIRMATION_HEADERS } from '../../server/http/pages/confirmation-page.ts'
import { newNonce } from '../../server/http/pages/document.ts'
import {
  API_HEADERS,
  ASSET_HEADERS,
  consoleHeaders,
  documentHeaders,
  linkPageHeaders,
  PICTURE_HEADERS,
  previewHeaders,
  referencePageHeaders,
} from '../../server/http/headers.ts'
import { SCRIPT_HASH } from '../../server/http/reference/client-script.ts'
import { STYLE_HASH } from '../../server/http/reference/style.ts'
import type { AuthenticationRecord } from '../../server/store/checkout/authentications.ts'

/** Every Content-Security-Policy of the server as it is in production, judged by Google's csp_evaluator. */
const BASE = new URL('https://pay.example.com')

const RECORD: AuthenticationRecord = {
  merchantId: 'tea-id',
  orderCode: 'order',
  ticket: 'ticket',
  pageOrigin: 'https://tea.pay.example.com',
  session: { requestorTransId: 'r', serverTransId: 's', authUrl: 'https://3ds-server.example/', challenge: null },
  collectUrl: 'https://3ds-server.example/collect',
  watchUrl: 'https://3ds-server.example/watch',
  browser: null,
  collected: null,
  answer: null,
}

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'card page': documentHeaders(newNonce(), BASE, ['https://shop.example.com/']),
  preview: previewHeaders(newNonce(), BASE),
  console: consoleHeaders(newNonce(), BASE),
  'reusable link': linkPageHeaders('sha256-AAAA'),
  API: API_HEADERS,
  asset: ASSET_HEADERS,
  picture: PICTURE_HEADERS,
  reference: referencePageHeaders(STYLE_HASH, SCRIPT_HASH),
  confirmation: CONFIRMATION_HEADERS,
  'bridge: collect': collectPage(RECORD).headers,
  'bridge: watch': watchPage(RECORD).headers,
  'bridge: challenge': challengePage(RECORD, 'https://bank.example/').headers,
  'bridge: event': eventPage(RECORD, '3DS_DO_AUTH').headers,
}

const policyOf = (headers: Readonly<Record<string, string>> | undefined): string =>
  headers?.['content-security-policy'] ?? ''

const findingsIn = (policy: string): string[] =>
  new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .map(({ severity, directive, value, description }) => `${severity} ${directive} ${value}: ${description}`)

for (const [name, headers] of Object.entries(HEADERS)) {
  test(`csp_evaluator finds nothing in the policy of: ${name}`, () => {
    assert.match(policyOf(headers), /-src /)
    assert.deepEqual(findingsIn(policyOf(headers)), [])
  })
}

test('these are all policies that the server sends', () => {
  const withoutNonce = (policy: string): string => policy.replaceAll(/(nonce|sha256)-[\w+/=…]+/g, '$1')
  const judged = new Set(Object.values(HEADERS).map((headers) => withoutNonce(policyOf(headers))))
  const golden = JSON.parse(readFileSync(new URL('./golden-headers.json', import.meta.url), 'utf8')) as Readonly<
    Record<string, Readonly<Record<string, string>>>
  >
  const sent = Object.entries(golden).map(([name, headers]): [string, string] => [
    name,
    withoutNonce(policyOf(headers)).replaceAll(
      /http:\/\/(3ds|console|\*)\.localhost:3000/g,
      'https://$1.pay.example.com',
    ),
  ])
  assert.deepEqual(
    sent.filter(([, policy]) => !judged.has(policy)),
    [],
  )
})

test('csp_evaluator names what is wrong with a weak policy', () => {
  assert.notDeepEqual(findingsIn("script-src 'unsafe-inline' https:; object-src *"), [])
  assert.notDeepEqual(findingsIn(policyOf(HEADERS['card page']).replace("base-uri 'none'; ", '')), [])
  assert.notDeepEqual(findingsIn(policyOf(HEADERS['card page']).replace('https://3ds', 'http://3ds')), [])
})
