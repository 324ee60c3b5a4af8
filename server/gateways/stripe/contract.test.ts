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
const ChargedOrder = Type.Object({
  intents: Type.Array(Type.Object({ charges: Type.Array(Type.Object({ id: Type.String() })) })),
})
const Opened = Type.Object({ dispute: Type.String() })
const SECRET_KEY = 'rk_test_contract12345678'

/** The life of an idempotency key at Stripe, and a little more. */
const KEY_LIFE_MS = 25 * 3_600_000
/** Longer than the double leaves a payment in processing. */
const PROCESSING_SECONDS = 60

const open = async (): Promise<AcquirerUnderTest> => {
  const sandbox = await startSandbox()
  const control = async (call: string, body?: object): Promise<unknown> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${sandbox.origin}/stripe/control/${call}`, sent)
    if (answer.status !== 200) throw new Error(`the double’s control ${call} answered ${answer.status}`)
    return answer.json()
  }
  const advanceClock = async (seconds: number): Promise<void> => {
    await control('clock', { advanceSeconds: seconds })
  }
  const orderAtAcquirer = async (orderCode: string): Promise<OrderAtAcquirer> => {
    const order = await control(`orders/${orderCode}`)
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
    disputes: {
      open: async ({ orderCode }) => {
        const order = await control(`orders/${orderCode}`)
        const charge = Check(ChargedOrder, order) ? order.intents[0]?.charges[0]?.id : undefined
        const opened = await control(`charges/${charge}/dispute`, {})
        if (!Check(Opened, opened)) throw new Error('the double has opened no dispute')
        return opened.dispute
      },
      end: async (disputeId, status) => {
        await control(`disputes/${disputeId}/close`, { status })
      },
    },
    forgetKeys: async () => {
      await advanceClock(KEY_LIFE_MS / 1000)
      return KEY_LIFE_MS
    },
    stop: sandbox.stop,
  }
}

testGatewayContract('Stripe (its double)', open)
