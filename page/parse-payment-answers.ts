/** Parsers of the answers of a payment under way. */
import { isJsonObject, isText } from './parse-answers.ts'
import { isHttpUrl } from './urls.ts'

export type PageStartAnswer =
  | { readonly threeDSRequired: false; readonly orderCode: string }
  | {
      readonly threeDSRequired: true
      readonly orderCode: string
      readonly collectUrl: string
      readonly monitoringUrl: string
    }

export type PageAuthenticateAnswer =
  | { readonly threeDSType: 'frictionless' }
  | { readonly threeDSType: 'challenge'; readonly challengeUrl: string; readonly monitoringUrl: string }

/** Only http and https may be framed or polled: a `javascript:` address would run in the page itself. */
const isHttpUrlText = (value: unknown): value is string => isText(value) && isHttpUrl(value)

export const parseStartAnswer = (body: unknown): PageStartAnswer | undefined => {
  if (!isJsonObject(body)) return undefined
  const { orderCode, threeDSRequired, collectUrl, monitoringUrl } = body
  if (!isText(orderCode) || orderCode === '') return undefined
  if (threeDSRequired === false) return { threeDSRequired, orderCode }
  if (threeDSRequired !== true || !isHttpUrlText(collectUrl) || !isHttpUrlText(monitoringUrl)) return undefined
  return { threeDSRequired, orderCode, collectUrl, monitoringUrl }
}

/** Any type but a challenge goes on to pay, where the server decides what the authentication was worth. */
export const parseAuthenticateAnswer = (body: unknown): PageAuthenticateAnswer | undefined => {
  if (!isJsonObject(body)) return undefined
  const { threeDSType, challengeUrl, monitoringUrl } = body
  if (!isText(threeDSType)) return undefined
  if (threeDSType !== 'challenge') return { threeDSType: 'frictionless' }
  return isHttpUrlText(challengeUrl) && isHttpUrlText(monitoringUrl)
    ? { threeDSType, challengeUrl, monitoringUrl }
    : undefined
}

/** The event of a polled monitor, known or not. */
export const parseMonitorAnswer = (body: unknown): string | undefined =>
  isJsonObject(body) && isText(body['event']) ? body['event'] : undefined
