/** Stripe test account: the gateway contract, run by `npm run prove -- acquirer stripe` against Stripe itself. */
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { YEN_MAX } from '#contract/yen.ts'
import { createStripeGateway } from '../../server/gateways/stripe/gateway.ts'
import { STRIPE_VERSION } from '../../server/gateways/stripe/wire.ts'
import { testGatewayContract } from '../gateway-contract/gateway-contract.ts'
import type { AcquirerUnderTest, OrderAtAcquirer } from '../gateway-contract/gateway-under-test.ts'
import { STATEMENT_PAGE_SIZE } from '../gateway-contract/statement-contract.ts'
import { STRIPE_STEPS } from '../gateway-contract/stripe-steps.ts'

const STRIPE = 'https://api.stripe.com'

const ChargeList = Type.Object({
  data: Type.Array(Type.Object({ status: Type.String(), amount: Type.Integer(), amount_refunded: Type.Integer() })),
  has_more: Type.Literal(false),
})

/** By the group that our adapter gives every payment, and by no other code of the adapter. */
const readOrder = async (secretKey: string, orderCode: string): Promise<OrderAtAcquirer> => {
  const query = new URLSearchParams({ transfer_group: orderCode, limit: '100' })
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': STRIPE_VERSION }
  const listed: unknown = await (await fetch(`${STRIPE}/v1/charges?${query}`, { headers })).json()
  if (!Check(ChargeList, listed)) throw new Error('Stripe’s list of charges cannot be read')
  const paid = listed.data.filter(({ status }) => status === 'succeeded')
  const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0)
  return {
    chargedYen: sumOf(paid.map(({ amount }) => amount)),
    refundedYen: sumOf(paid.map(({ amount_refunded }) => amount_refunded)),
  }
}

const openAccount = (secretKey: string): AcquirerUnderTest => ({
  ...STRIPE_STEPS,
  origin: STRIPE,
  openGateway: (apiBase, timeoutMs) =>
    createStripeGateway({ apiBase, secretKey }, timeoutMs, { statementPage: STATEMENT_PAGE_SIZE }),
  cards: {
    charged: '4242424242424242',
    declined: '4000000000000002',
    pending: 'Stripe has no test card whose payment stays in processing',
  },
  limits: { minYen: 50, maxYen: YEN_MAX },
  orderAtAcquirer: (orderCode) => readOrder(secretKey, orderCode),
  disputes: 'nobody can win or lose a dispute by hand; its test card 4000000000000259 opens one',
  forgetKeys: 'nobody can set the clock of Stripe',
  stop: async () => {},
})

const secretKey = process.env['STRIPE_TEST_KEY'] ?? ''
if (!/^(sk|rk)_test_/.test(secretKey))
  throw new Error('STRIPE_TEST_KEY must be a key of Stripe’s test mode (sk_test_… or rk_test_…)')
testGatewayContract('Stripe', async () => openAccount(secretKey), { concurrency: 1 })
