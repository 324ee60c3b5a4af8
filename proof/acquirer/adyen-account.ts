/** Adyen test account: the charges of the gateway contract, run by `npm run prove -- acquirer adyen` against Adyen itself. */
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { YEN_MAX, YEN_MIN } from '#contract/yen.ts'
import type { Card } from '#payment/ports.ts'
import { systemClock } from '../../server/dependencies.ts'
import { adyenAccountOf, type AdyenCredentials } from '../../server/gateways/adyen/account.ts'
import { createAdyenGateway } from '../../server/gateways/adyen/gateway.ts'
import { ADYEN_STEPS } from '../gateway-contract/adyen-steps.ts'
import type { Exchange } from '../gateway-contract/fault-line.ts'
import { testGatewayContract } from '../gateway-contract/gateway-contract.ts'
import type { AcquirerUnderTest, OrderAtAcquirer } from '../gateway-contract/gateway-under-test.ts'
import { cardWithNumber } from '../harness/cards.ts'

const ADYEN = 'https://checkout-test.adyen.com'

/** Adyen's test cards are authorised with this expiry date, and with the security code 737, alone. */
const TEST_CARD: Card = { ...cardWithNumber('4111111111111111'), expiryMonth: 3, expiryYear: 2030 }

const Capture = Type.Object({
  status: Type.Literal('received'),
  pspReference: Type.String(),
  reference: Type.String(),
  amount: Type.Object({ value: Type.Integer() }),
})

/**
 * Adyen has no call that reads a payment. What stands in for its own record is what it answered, read where it left Adyen and
 * before a fault could change it: every capture that it received, once for each of its ids.
 */
const recordOfAnswers = () => {
  const captures = new Map<string, { readonly orderCode: string; readonly yen: number }>()
  return {
    add: ({ path, answer }: Exchange): void => {
      if (path.endsWith('/captures') && Check(Capture, answer))
        captures.set(answer.pspReference, { orderCode: answer.reference, yen: answer.amount.value })
    },
    ofOrder: (orderCode: string): OrderAtAcquirer => {
      const ours = [...captures.values()].filter((capture) => capture.orderCode === orderCode)
      return { chargedYen: ours.reduce((sum, { yen }) => sum + yen, 0), refundedYen: 0 }
    },
  }
}

const openAccount = (credentials: AdyenCredentials): AcquirerUnderTest => {
  const record = recordOfAnswers()
  return {
    ...ADYEN_STEPS,
    origin: ADYEN,
    onExchange: record.add,
    openGateway: (apiBase, timeoutMs) => {
      const account = adyenAccountOf(credentials, { mode: 'test', apiBase })
      if (account === null) throw new Error('a test account has an address')
      const none = { disputes: [], after: null }
      const inbox = {
        ofPayment: async () => [],
        reports: async () => [],
        reportsBefore: async () => [],
        disputes: async () => none,
      }
      return createAdyenGateway({ account, returnUrl: 'https://shop.example/', inbox, timeoutMs, clock: systemClock })
    },
    cards: {
      charged: TEST_CARD,
      // Adyen's test environment takes a refusal from the name of the card holder.
      declined: { ...TEST_CARD, holderName: 'DECLINED' },
      pending: 'Adyen answers a capture at once',
    },
    limits: { minYen: YEN_MIN, maxYen: YEN_MAX },
    orderAtAcquirer: async (orderCode) => record.ofOrder(orderCode),
    disputes: 'they are told by notifications, which need a public address',
    forgetKeys: 'nobody can set the clock of Adyen',
    stop: async () => {},
  }
}

const { env } = process
const credentials = {
  apiKey: env['ADYEN_TEST_API_KEY'] ?? '',
  merchantAccount: env['ADYEN_TEST_MERCHANT_ACCOUNT'] ?? '',
  hmacKey: env['ADYEN_TEST_HMAC_KEY'] ?? '',
}
testGatewayContract('Adyen', async () => openAccount(credentials), { concurrency: 1, hasNotifications: false })
