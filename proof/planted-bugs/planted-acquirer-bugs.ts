/** Planted acquirer bugs: faults in how an answer of an acquirer or of a 3-D Secure server, or its silence, is understood. */
import { schedule, type PlantedBug } from './planted-bug.ts'

export const ACQUIRER_PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'no answer in time counts as a failure',
    file: 'payment/charge.ts',
    find: "    case 'unknown':\n      return stillInDoubt(checkout, attempt, answer.why, now)",
    replace:
      "    case 'unknown':\n      return answer.why === 'no answer in time' ? { attempt: transitionAttempt(attempt, { name: 'not_charged' }), checkout } : stillInDoubt(checkout, attempt, answer.why, now)",
    caughtBy: schedule('storm', 3),
  },
  {
    name: 'a fault of the acquirer counts as a failure',
    file: 'payment/charge.ts',
    find: "    case 'unknown':\n      return stillInDoubt(checkout, attempt, answer.why, now)",
    replace:
      "    case 'unknown':\n      return answer.why === 'HTTP 500' ? { attempt: transitionAttempt(attempt, { name: 'not_charged' }), checkout } : stillInDoubt(checkout, attempt, answer.why, now)",
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'a charge that is found later is dropped',
    file: 'server/operations/resolve-doubt.ts',
    find: "  if (inquiry.outcome !== 'not_found') return inquiry\n",
    replace:
      "  if (inquiry.outcome === 'charged') return { outcome: 'not_charged' }\n  if (inquiry.outcome !== 'not_found') return inquiry\n",
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'the acquirer’s reference is not stored before money moves',
    file: 'server/operations/pay.ts',
    find: '      return await rememberReference(database, attempt, reference)\n',
    replace: '      return reference !== undefined || (await rememberReference(database, attempt, reference))\n',
    caughtBy: schedule('refund-against-refund', 1),
  },
  {
    name: 'a process that is late stores its reference after an inquiry without one',
    file: 'server/store/checkout/attempts.ts',
    find: "AND order_code = $2 AND state = 'charging' AND acquirer_reference = '' RETURNING order_code`",
    replace: "AND order_code = $2 AND acquirer_reference = '' RETURNING order_code`",
    caughtBy: 'server/operations/remembered-reference.test.ts',
  },
  {
    name: 'not found counts as not charged, without a fence',
    file: 'server/operations/resolve-doubt.ts',
    find: '  const fencing = await gateway.fence(order)\n',
    replace: "  const fencing = { outcome: 'fenced' } as Awaited<ReturnType<Gateway['fence']>>\n",
    caughtBy: schedule('storm', 5),
  },
  {
    name: 'the reconciliation judges money that still moves after one look',
    file: 'server/operations/reconcile-second-pass.ts',
    find: 'if (isDeepStrictEqual(ours, again)) return {',
    replace: 'if (again !== undefined) return {',
    caughtBy: 'server/operations/reconcile-while-money-moves.test.ts',
  },
  {
    name: 'a refusal that is not final releases what its refund had reserved',
    file: 'server/gateways/sandbox/translate.ts',
    find: '  return FINAL_REFUSALS.includes(problem)\n',
    replace: '  return FINAL_REFUSALS.length > 0\n',
    caughtBy: 'server/gateways/sandbox/odd-answers.test.ts',
  },
  {
    name: 'an authentication is sent again after a 502 of a proxy',
    file: 'server/three-ds/active-server/answers.ts',
    find: '  if (code === undefined) return isRead && exchange.reply.status >= 500\n',
    replace: '  if (code === undefined) return exchange.reply.status >= 500\n',
    caughtBy: 'server/three-ds/active-server/answers.test.ts',
  },
  {
    name: 'Stripe’s reference is stored only after the confirmation, which moves money',
    file: 'server/gateways/stripe/gateway.ts',
    find: '    return confirm({ orderCode, amountYen, reference }, tokenized.id, clearance, signal)\n',
    replace:
      '    const confirmed = await confirm({ orderCode, amountYen, reference }, tokenized.id, clearance, signal)\n    await remember(reference)\n    return confirmed\n',
    also: [
      {
        file: 'server/gateways/stripe/gateway.ts',
        find: '    if (!(await remember(reference))) {\n',
        replace: '    if (order.orderCode === reference) {\n',
      },
    ],
    caughtBy: 'server/gateways/stripe/contract.test.ts',
  },
  {
    name: 'a checkout that may have been paid since the backup is open to payment',
    file: 'payment/checkout.ts',
    find: '(inFlight !== null || checkout.heldSince !== null)',
    replace: 'inFlight !== null',
    caughtBy: 'proof/whole-server/recovery-through-doubles.test.ts',
  },
]
