import type { HttpRequest } from './http-client.ts'
import { whileCollecting, type MisplacedCards, type RequestContext } from './misplaced-card-data.ts'

const bridgeRequest = (
  { port }: RequestContext,
  path: string,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): HttpRequest => ({
  method: 'POST',
  path,
  headers: { host: `3ds.localhost:${port}`, 'content-type': type, ...headers },
  body,
})
const FORM = 'application/x-www-form-urlencoded'
const SCREEN = { language: 'ja', javaEnabled: false, colorDepth: 24, height: 844, width: 390, timeZoneOffset: -540 }

/** Misplaced card data in what browsers and banks send to the bridge, and in reports of blocked content. */
export const IN_BROWSER_REPORTS: MisplacedCards = {
  prepare: whileCollecting,
  requests: [
    [
      'a browser named after it',
      204,
      (context) =>
        bridgeRequest(context, `/collect/${context.ticket}/browser`, 'application/json', JSON.stringify(SCREEN), {
          'user-agent': `Phone ${context.canary.number}`,
          accept: context.canary.number,
          'accept-language': context.canary.number,
        }),
    ],
    [
      'a browser whose language it is',
      400,
      (context) =>
        bridgeRequest(
          context,
          `/collect/${context.ticket}/browser`,
          'application/json',
          JSON.stringify({ ...SCREEN, language: context.canary.number }),
        ),
    ],
    [
      'an event named after it',
      200,
      (context) =>
        bridgeRequest(
          context,
          `/events/${context.ticket}`,
          FORM,
          `requestorTransId=${context.session}&event=${context.canary.number}&cvc=${context.canary.cvc}`,
        ),
    ],
    [
      'a ticket named after it',
      404,
      (context) => bridgeRequest(context, `/events/${context.canary.number}`, FORM, `event=x`),
    ],
    [
      'a report of a blocked address',
      204,
      (context) => ({
        method: 'POST',
        path: '/csp-report',
        headers: { 'content-type': 'application/csp-report' },
        body: JSON.stringify({
          'csp-report': {
            'effective-directive': 'img-src',
            'blocked-uri': `https://x.example/${context.canary.number}?cvc=${context.canary.cvc}`,
            'document-uri': context.canary.number,
          },
        }),
      }),
    ],
    [
      'a report of a directive named after it',
      204,
      (context) => ({
        method: 'POST',
        path: '/csp-report',
        headers: { 'content-type': 'application/reports+json' },
        body: JSON.stringify([{ body: { effectiveDirective: context.canary.number } }]),
      }),
    ],
  ],
}
