/** Stripe's requests of a charge and of a refund, and the clauses that it does not keep: for its double and for a real account. */
import type { AcquirerUnderTest } from './gateway-under-test.ts'

export const STRIPE_STEPS: Pick<AcquirerUnderTest, 'chargeSteps' | 'refundSteps' | 'keeps'> = {
  chargeSteps: [
    { name: 'open the intent', matches: ({ method, path }) => method === 'POST' && path.endsWith('/payment_intents') },
    { name: 'payment method', matches: ({ method, path }) => method === 'POST' && path.endsWith('/payment_methods') },
    {
      name: 'confirm',
      matches: ({ method, path }) => method === 'POST' && path.endsWith('/confirm'),
      movesMoney: true,
    },
  ],
  refundSteps: [
    { name: 'list the refunds', matches: ({ method, path }) => method === 'GET' && path.includes('/refunds?') },
    { name: 'refund', matches: ({ method, path }) => method === 'POST' && path.endsWith('/refunds'), movesMoney: true },
  ],
  keeps: {
    'a refused refund stays refused under its id':
      'Stripe stores no refused refund after 24 hours. Our row of a refused refund has no next state.',
    'a statement comes in ascending order': 'Stripe lists the newest first. Reconciliation compares sets.',
    'an inquiry by our own order code':
      'Stripe finds a payment by its own id at once, by our metadata minutes later. Our row holds the id before money can move.',
    'a fence by our own order code':
      'Stripe cannot close an id that it does not know. Our row remembers no reference once it has ended.',
    'readiness is asked for': true,
    'disputes are asked for at the acquirer': true,
  },
}
