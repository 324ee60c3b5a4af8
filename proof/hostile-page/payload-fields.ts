/** Payload fields: every place where a text of a merchant, a shopper or a link becomes part of a document. */
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { screenForStatus } from '#contract/screens.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { OPEN_CHECKOUT, PAGE_FACTS } from '../harness/test-merchants.ts'
import { openTestServer } from '../harness/test-server.ts'
import { eventPage } from '../../server/http/bridge/pages.ts'
import { drawDocument } from '../../server/http/pages/document.ts'
import type { PageBuild } from '../../server/http/page-build.ts'
import { wordsOf } from './payload-parts.ts'

/** Draws the document that a payload in this field gives. */
export type Draw = (payload: string) => Promise<string>

const NONCE = 'A'.repeat(24)
const NOW = Date.parse('2026-11-15T00:00:00Z')
const HOST = { host: 'tea.localhost:3000' }

const OPEN: CheckoutAnswer = {
  ...OPEN_CHECKOUT,
  remarks: 'Thank you',
  acceptedCardBrands: ['visa', 'master'],
  links: { cancelUrl: 'https://shop.example.com/cart', redirectUrl: 'https://shop.example.com/thanks' },
}
const TOTALS: NonNullable<CheckoutAnswer['invoice']>['totals'] = [{ rate: 8, amount: 1980, tax: 146 }]
const CARD = { brand: 'jcb', number: '•••• 0505' }
const PAID: CheckoutAnswer = { ...OPEN, status: 'paid', transactionId: 't', paidAt: '2026-11-14T15:05:00Z', card: CARD }
const EXPIRED: CheckoutAnswer = { ...OPEN, status: 'expired' }

type Fill = (checkout: CheckoutAnswer, payload: string) => CheckoutAnswer

const receipt =
  (name: keyof CheckoutAnswer['receipt']): Fill =>
  (checkout, payload) => ({ ...checkout, receipt: { ...checkout.receipt, [name]: payload } })
const setting =
  (name: 'logoUrl' | 'coverImageUrl' | 'colorCode'): Fill =>
  (checkout, payload) => ({ ...checkout, merchant: { setting: { ...checkout.merchant.setting, [name]: payload } } })

/** Written straight into the document, past the checks of the API: drawing must be safe without them. */
const CHECKOUT_FIELDS: Readonly<Record<string, Fill>> = {
  subject: (checkout, subject) => ({ ...checkout, subject }),
  remarks: (checkout, remarks) => ({ ...checkout, remarks }),
  'shop name': receipt('shopName'),
  'shop address': receipt('shopAddress'),
  'shop phone number': receipt('shopPhoneNumber'),
  'shop e-mail': receipt('shopEmail'),
  'shop url': receipt('shopUrl'),
  'logo url': setting('logoUrl'),
  'cover image url': setting('coverImageUrl'),
  'colour code': setting('colorCode'),
  'cancel url': (checkout, cancelUrl) => ({ ...checkout, links: { ...checkout.links, cancelUrl } }),
  'redirect url': (checkout, redirectUrl) => ({ ...checkout, links: { ...checkout.links, redirectUrl } }),
  'card brand': (checkout, brand) => ({ ...checkout, acceptedCardBrands: [brand], card: { ...CARD, brand } }),
  'transaction id': (checkout, transactionId) => ({ ...checkout, transactionId }),
  invoice: (checkout, payload) => ({
    ...checkout,
    invoice: {
      registrationNumber: payload,
      issuer: payload,
      date: payload,
      content: payload,
      totals: TOTALS,
      isSample: false,
    },
  }),
}

const PREVIEW_FIELDS = wordsOf(`
  subject remarks shopName brands logoUrl coverImageUrl colorCode fontType screen status amount
  validUntil locale
`)

/** Every field with the way to draw it. */
export const payloadFields = async (build: PageBuild): Promise<ReadonlyMap<string, Draw>> => {
  const { app, createCheckout } = await openTestServer({ gateway: fakeGateway(), build })
  const id = await createCheckout({ subject: 'Sencha' })
  const ask = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
    const answer = await app.inject({ method: 'GET', url, headers: { ...HOST, ...headers } })
    return answer.body
  }
  const fields = new Map<string, Draw>()
  for (const checkout of [OPEN, PAID, EXPIRED])
    for (const [name, fill] of Object.entries(CHECKOUT_FIELDS))
      fields.set(`${name}, ${checkout.status}`, (payload) => {
        const inlined = { checkout: fill(checkout, payload), locale: 'en-US', now: NOW, ...PAGE_FACTS } as const
        const path = `/c/${screenForStatus(checkout.status)}`
        return drawDocument(build, { path, search: '' }, inlined, NONCE)
      })
  for (const name of PREVIEW_FIELDS)
    fields.set(`preview, ${name}`, (payload) => ask(`/preview?${name}=${encodeURIComponent(payload)}`))
  for (const name of ['locale', 'mode', 'x'])
    fields.set(`query, ${name}`, (payload) => ask(`/${id}/creditcard?${name}=${encodeURIComponent(payload)}`))
  fields.set('name of a parameter', (payload) => ask(`/${id}/creditcard?${encodeURIComponent(payload)}=1`))
  fields.set('path', (payload) => ask(`/${encodeURIComponent(payload)}`))
  fields.set('path below a link', (payload) => ask(`/${id}/${encodeURIComponent(payload)}`))
  fields.set('Accept-Language', (payload) =>
    ask(`/${id}/creditcard`, { 'accept-language': encodeURIComponent(payload) }),
  )
  fields.set(
    'event of the bridge',
    async (payload) => eventPage({ pageOrigin: 'http://tea.localhost:3000' }, payload).html,
  )
  return fields
}
