/** ActiveServer, requests: our orders into its bodies. */
import { createHash } from 'node:crypto'
import type { Instant } from '#contract/jst.ts'
import type { Card } from '#payment/ports.ts'
import type { ThreeDSOrder, ThreeDSRequest, ThreeDSSession } from '#payment/three-ds-port.ts'
import { browserInfo, cut } from './browser-info.ts'

const FULL_SCREEN = '05'
const YEN = '392'
/** EMV 3-D Secure, threeDSRequestorChallengeInd: "challenge requested: mandate". */
const CHALLENGE_MANDATORY = '04'
const MERCHANT_NAME_MAX_LENGTH = 40

/** Our name for the transaction, the same for every call about one order. RFC 4122, which EMV names, ends at version 5. */
export const requestorTransId = (orderCode: string): string => {
  const bytes = createHash('sha256').update(orderCode).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export const enrolBody = (card: Card, merchantId: string): object => ({
  acctNumber: card.number.reveal(),
  merchantId,
})

export const initBody = (order: ThreeDSOrder, merchantId: string): object => ({
  acctNumber: order.card.number.reveal(),
  merchantId,
  threeDSRequestorTransID: requestorTransId(order.orderCode),
  eventCallbackUrl: order.eventUrl,
  challengeWindowSize: FULL_SCREEN,
})

const twoDigits = (value: number): string => String(value % 100).padStart(2, '0')

/** yyyyMMddHHmmss, in UTC. */
const purchaseDate = (at: Instant): string => new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14)

export const authBody = (request: ThreeDSRequest, merchantId: string): object => {
  const { session, card, collected } = request
  return {
    acctNumber: card.number.reveal(),
    merchantId,
    threeDSRequestorTransID: session.requestorTransId,
    threeDSServerTransID: session.serverTransId,
    authenticationInd: '01',
    messageCategory: 'pa',
    // Yen have no minor unit: multiplied by a hundred, the issuer would show a hundredfold price in its challenge.
    purchaseAmount: String(request.amountYen),
    purchaseCurrency: YEN,
    purchaseDate: purchaseDate(request.purchasedAt),
    cardExpiryDate: `${twoDigits(card.expiryYear)}${twoDigits(card.expiryMonth)}`,
    cardHolderInfo: { cardholderName: card.holderName, email: card.email },
    merchantName: cut(request.merchantName, MERCHANT_NAME_MAX_LENGTH),
    transType: '01',
    threeDSRequestorDecReqInd: 'N',
    ...(request.isChallengeMandatory ? { challengeInd: CHALLENGE_MANDATORY } : {}),
    ...(collected === null || collected === ''
      ? { browserInfoCollected: browserInfo(request.browser) }
      : { browserInfo: collected }),
  }
}

export const abandonBody = (session: ThreeDSSession, challenge: 'not shown' | 'shown'): object => ({
  threeDSServerTransID: session.serverTransId,
  status: challenge === 'not shown' ? 'CReqNotSent' : 'AuthResultNotDelivered',
})
