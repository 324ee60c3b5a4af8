import { MERCHANT_BASE } from '#contract/paths.ts'
import { groupInFours } from './canary.ts'
import type { HttpRequest } from './http-client.ts'
import { withOpenCheckout, type MisplacedCards, type RequestContext } from './misplaced-card-data.ts'
import { JSON_HEADERS } from './shopper-requests.ts'

const settingsRequest = ({ key }: RequestContext, body: object, ifMatch = '*'): HttpRequest => ({
  method: 'PATCH',
  path: `${MERCHANT_BASE}/settings`,
  headers: { ...JSON_HEADERS, authorization: `Bearer ${key}`, 'if-match': ifMatch },
  body: JSON.stringify(body),
})

/** Misplaced card data in the settings of a shop, which every shopper reads. */
export const IN_SETTINGS: MisplacedCards = {
  prepare: withOpenCheckout,
  requests: [
    ['the number for a shop’s name', 400, (context) => settingsRequest(context, { shopName: context.canary.number })],
    [
      'the card in a shop’s address',
      400,
      (context) =>
        settingsRequest(context, {
          shopAddress: `${groupInFours(context.canary.number, ' ')}, 12/99, ${context.canary.cvc}`,
        }),
    ],
    [
      'the number for a shop’s telephone',
      400,
      (context) => settingsRequest(context, { shopPhoneNumber: groupInFours(context.canary.number, '-') }),
    ],
    [
      'the number in a shop’s e-mail address',
      400,
      (context) => settingsRequest(context, { shopEmail: `${context.canary.number}@example.com` }),
    ],
    [
      'the number in the address of mails to a shop',
      400,
      (context) => settingsRequest(context, { notifications: { address: `${context.canary.number}@example.com` } }),
    ],
    [
      'the number in the address of a shop’s site',
      400,
      (context) => settingsRequest(context, { shopUrl: `https://example.com/?${context.canary.number}` }),
    ],
    [
      'the number for a host of links',
      400,
      (context) => settingsRequest(context, { linkHosts: [`${context.canary.number}.example.com`] }),
    ],
    [
      'the number for a registration number',
      400,
      (context) => settingsRequest(context, { registrationNumber: context.canary.number }),
    ],
    ['the number for a colour', 400, (context) => settingsRequest(context, { colorCode: context.canary.number })],
    [
      'the number for the name of a setting',
      400,
      (context) => settingsRequest(context, { [context.canary.number]: 1 }),
    ],
    [
      'the number for the ETag of settings',
      412,
      (context) => settingsRequest(context, { fontType: 'serif' }, `"${context.canary.number}"`),
    ],
  ],
}
