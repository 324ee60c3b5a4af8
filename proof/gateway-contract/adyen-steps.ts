/** Adyen's requests of a charge and of a refund, and the clauses that it does not keep: for its double and for a real account. */
import type { AcquirerUnderTest } from './gateway-under-test.ts'

export const ADYEN_STEPS: Pick<AcquirerUnderTest, 'chargeSteps' | 'refundSteps' | 'keeps'> = {
  chargeSteps: [
    { name: 'authorise', matches: ({ method, path }) => method === 'POST' && path.endsWith('/payments') },
    {
      name: 'capture',
      matches: ({ method, path }) => method === 'POST' && path.endsWith('/captures'),
      movesMoney: true,
    },
  ],
  refundSteps: [
    { name: 'refund', matches: ({ method, path }) => method === 'POST' && path.endsWith('/refunds'), movesMoney: true },
  ],
  keeps: {
    'a refused refund stays refused under its id':
      'Adyen forgets a key after seven days. Our row of a refused refund has no next state.',
    'a statement comes in ascending order':
      'A settlement report lists payments as they were settled. Reconciliation compares sets.',
    'an inquiry by our own order code':
      'Adyen has no call that reads a payment. Our row holds its id before money can move.',
    'a fence by our own order code':
      'Adyen authorises a payment that arrives after the cancel of its reference. Only our capture moves money, and our row remembers no reference once it has ended.',
    'readiness is asked for': 'Adyen has no cheap call. The circuit breaker counts silent charges.',
    'disputes are asked for at the acquirer':
      'Adyen tells of disputes by notifications alone. They are stored before they are answered, so no call can fail.',
  },
}
