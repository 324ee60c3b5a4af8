import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { YEN_MAX } from '#contract/yen.ts'
import { testGatewayContract } from '../../../proof/gateway-contract/gateway-contract.ts'
import type { AcquirerUnderTest, OrderAtAcquirer } from '../../../proof/gateway-contract/gateway-under-test.ts'
import { STATEMENT_PAGE_SIZE } from '../../../proof/gateway-contract/statement-contract.ts'
import { STRIPE_STEPS } from '../../../proof/gateway-contract/stripe-steps.ts'
import { startSandbox } from '../../../proof/harness/sandbox-process.ts'
import { createStripeGateway } from './gateway.ts'

const OrderAtDouble = Type.Object({ chargedYen: Type.Integer(), refundedYen: Type.Integer() })
const SECRET_KEY = 'rk_test_contract12345678'

/** The life of an idempotency key at Stripe, and a little more. */
const KEY_LIFE_MS = 25 * 3_600_000
/** Longer than the double leaves a payment in processing. */
const PROCESSING_SECONDS = 60

const open = async (): Promise<AcquirerUnderTest> => {
  const sandbox = await startSandbox()
  const advanceClock = async (seconds: number): Promise<void> => {
    const body = JSON.stringify({ advanceSeconds: seconds })
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(`${sandbox.origin}/stripe/control/clock`, { method: 'POST', headers, body })
    if (status !== 200) throw new Error(`the clock of the double answered ${status}`)
  }
  const orderAtAcquirer = async (orderCode: string): Promise<OrderAtAcquirer> => {
    const order: unknown = await (await fetch(`${sandbox.origin}/stripe/control/orders/${orderCode}`)).json()
    if (!Check(OrderAtDouble, order)) throw new Error('the double’s record of an order cannot be read')
    return { chargedYen: order.chargedYen, refundedYen: order.refundedYen }
  }
  return {
    ...STRIPE_STEPS,
    origin: sandbox.origin,
    openGateway: (origin, timeoutMs) =>
      createStripeGateway({ apiBase: `${origin}/stripe`, secretKey: SECRET_KEY }, timeoutMs, {
        statementPage: STATEMENT_PAGE_SIZE,
      }),
    cards: {
      charged: '4242424242424242',
      declined: '4000000000000002',
      pending: { card: '4100000000753005', end: () => advanceClock(PROCESSING_SECONDS) },
    },
    limits: { minYen: 50, maxYen: YEN_MAX },
    orderAtAcquirer,
    forgetKeys: async () => {
      await advanceClock(KEY_LIFE_MS / 1000)
      return KEY_LIFE_MS
    },
    stop: sandbox.stop,
  }
}

testGatewayContract('Stripe (its double)', open)
