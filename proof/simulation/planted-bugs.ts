import type { PlayName } from './plays.ts'
import type { Schedule } from './simulate.ts'

/** One replacement in one file. The text must stand there exactly once, or the bug is planted nowhere. */
export interface Edit {
  readonly file: string
  readonly find: string
  readonly replace: string
}

export interface PlantedBug {
  readonly name: string
  readonly edits: readonly [Edit, ...Edit[]]
  /** Who must catch it: a schedule of the simulator that broke a promise with it, or a test file that must fail. */
  readonly caughtBy: Schedule | `${string}.test.ts`
}

const schedule = (play: PlayName, seed: number, crashAt: number | null = null): Schedule => ({
  play,
  seed,
  checkouts: crashAt === null ? 5 : 1,
  crashAt,
})

/** Faults that have cost others money, planted into a copy of the code. The suite must find every one of them. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'two claims of one checkout can stand beside each other',
    edits: [
      {
        file: 'payment/charge.ts',
        find: "if (inFlight !== null || isInFlight(state)) return { decision: 'wait' }",
        replace: "if (isInFlight(state)) return { decision: 'wait' }",
      },
      {
        file: 'payment/start.ts',
        find: "if (inPlay.inFlight !== null) return refuse('payment_in_progress')",
        replace: '',
      },
      {
        file: 'server/store/migrations/0001-checkouts.sql',
        find: 'CREATE UNIQUE INDEX attempts_one_may_move_money',
        replace: 'CREATE INDEX attempts_one_may_move_money',
      },
    ],
    caughtBy: schedule('two-tabs', 1),
  },
  {
    name: 'the acquirer is asked before the claim is written down',
    edits: [
      {
        file: 'server/operations/pay.ts',
        find: "      await save({ attempts: [decision.attempt] }, { actor: 'shopper', why: 'pay' })\n",
        replace: '',
      },
    ],
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'an attempt in doubt is replaced by a new one with a new order id',
    edits: [
      {
        file: 'payment/attempt.ts',
        find: "const IN_FLIGHT: readonly AttemptStateName[] = ['charging', 'unknown']",
        replace: "const IN_FLIGHT: readonly AttemptStateName[] = ['charging']",
      },
      {
        file: 'server/store/migrations/0001-checkouts.sql',
        find: "WHERE state IN ('charging', 'unknown', 'charged')",
        replace: "WHERE state IN ('charging')",
      },
    ],
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'no answer in time counts as a failure',
    edits: [
      {
        file: 'payment/charge.ts',
        find: "    case 'unknown':\n      return stillInDoubt(checkout, attempt, answer.why, now)",
        replace:
          "    case 'unknown':\n      return answer.why === 'no answer in time' ? { attempt: transitionAttempt(attempt, { name: 'void' }), checkout } : stillInDoubt(checkout, attempt, answer.why, now)",
      },
    ],
    caughtBy: schedule('storm', 3),
  },
  {
    name: 'a fault of the acquirer counts as a failure',
    edits: [
      {
        file: 'payment/charge.ts',
        find: "    case 'unknown':\n      return stillInDoubt(checkout, attempt, answer.why, now)",
        replace:
          "    case 'unknown':\n      return answer.why === 'HTTP 500' ? { attempt: transitionAttempt(attempt, { name: 'void' }), checkout } : stillInDoubt(checkout, attempt, answer.why, now)",
      },
    ],
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'a charge that is found later is dropped',
    edits: [
      {
        file: 'server/operations/resolve-doubt.ts',
        find: "  if (inquiry.outcome !== 'not_found') return inquiry\n",
        replace:
          "  if (inquiry.outcome === 'charged') return { outcome: 'void' }\n  if (inquiry.outcome !== 'not_found') return inquiry\n",
      },
    ],
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'a cancel does not wait for money that may be moving',
    edits: [
      {
        file: 'payment/close-checkout.ts',
        find: "  if (inFlight !== null) return { decision: 'wait' }\n",
        replace: '',
      },
    ],
    caughtBy: schedule('pay-against-cancel', 1),
  },
  {
    name: 'a deadline closes a checkout whose payment is finishing',
    edits: [
      {
        file: 'payment/checkout.ts',
        find: "checkout.state.status === 'open' && inFlight === null && now > checkout.validUntil",
        replace: "checkout.state.status === 'open' && now > checkout.validUntil && inFlight !== undefined",
      },
      {
        file: 'server/store/due.ts',
        find: 'attempts.state IN (${wordList(IN_FLIGHT)})',
        replace: "attempts.state IN ('none')",
      },
    ],
    caughtBy: schedule('storm', 4),
  },
  {
    name: 'the receipt is posted after the payment has been committed',
    edits: [
      {
        file: 'server/operations/resolve-doubt.ts',
        find: '      return postReceipt(sql, checkout, news.receipt, now)\n',
        replace: '      return undefined\n',
      },
      {
        file: 'server/operations/resolve-doubt.ts',
        find: "  return mustExist(recorded, 'an attempt that the acquirer was asked about')\n",
        replace:
          "  const { checkout, news } = mustExist(recorded, 'x')\n  if (news?.kind === 'paid') await parts.database.transact((sql) => postReceipt(sql, checkout, news.receipt, parts.clock.now()))\n  return mustExist(recorded, 'x')\n",
      },
    ],
    caughtBy: schedule('storm', 15),
  },
  {
    name: 'a payment that the worker found is news to nobody',
    edits: [
      {
        file: 'server/store/transitions.ts',
        find: '    await postClosed(sql, transitions.checkout, changedBy.now)\n',
        replace: "    if (changedBy.actor !== 'settlement') await postClosed(sql, transitions.checkout, changedBy.now)\n",
      },
    ],
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'not found counts as not charged, without a fence',
    edits: [
      {
        file: 'server/operations/resolve-doubt.ts',
        find: '  const fencing = await gateway.fence(orderCode)\n',
        replace: "  const fencing = { outcome: 'fenced' } as Awaited<ReturnType<Gateway['fence']>>\n",
      },
    ],
    caughtBy: schedule('storm', 5),
  },
  {
    name: 'refunds under way do not count towards what may be given back',
    edits: [
      {
        file: 'payment/refund.ts',
        find: "const isReserved = ({ state }: Refund): boolean => state.name !== 'refused'",
        replace: "const isReserved = ({ state }: Refund): boolean => state.name === 'refunded'",
      },
    ],
    caughtBy: schedule('refund-against-refund', 1),
  },
  {
    name: 'a refund that is sent again gets a new id',
    edits: [
      {
        file: 'server/operations/refund.ts',
        find: "inquiry.outcome === 'not_found' ? requestRefund(gateway, refund) : inquiry",
        replace:
          "inquiry.outcome === 'not_found' ? requestRefund(gateway, { ...refund, refundId: `${refund.refundId}-again` }) : inquiry",
      },
    ],
    caughtBy: schedule('refund-against-refund', 2),
  },
  {
    name: 'the clock of Japan is nine hours off',
    edits: [
      { file: 'contract/jst.ts', find: 'const JST_OFFSET_MS = 9 * 60 * 60 * 1000', replace: 'const JST_OFFSET_MS = 0' },
    ],
    caughtBy: 'contract/jst.test.ts',
  },
  {
    name: 'a checkout is found without asking whose it is',
    edits: [
      {
        file: 'server/store/checkouts.ts',
        find: "'SELECT * FROM checkouts WHERE merchant_id = $1 AND id = $2', merchantId, checkoutId",
        replace: "'SELECT * FROM checkouts WHERE id = $1', checkoutId",
      },
    ],
    caughtBy: 'server/http/app.test.ts',
  },
  {
    name: 'a card number is written to the log',
    edits: [{ file: 'server/log.ts', find: 'write(withoutCardNumbers(line))', replace: 'write(line)' }],
    caughtBy: 'server/log.test.ts',
  },
  {
    name: 'a message is heard from any origin',
    edits: [
      {
        file: 'page/three-ds/messages.ts',
        find: '  if (!gate.messageDomains.some((domain) => isWithin(origin, domain))) return undefined\n',
        replace:
          "  if (gate.messageDomains.some((domain) => isWithin(origin, domain)) && origin === '') return undefined\n",
      },
    ],
    caughtBy: 'page/three-ds/messages.test.ts',
  },
  {
    name: 'an authentication counts for whichever order asks',
    edits: [
      {
        file: 'server/operations/authenticate.ts',
        find: '    session: latest.session,\n',
        replace: "    session: { ...latest.session, serverTransId: 'the same for all' },\n",
      },
    ],
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'the amount is taken from what the browser sent',
    edits: [
      {
        file: 'payment/start.ts',
        find: '      amountYen: checkout.amountYen,\n',
        replace: '      amountYen: Number(card.lastFour),\n',
      },
      {
        file: 'payment/charge.ts',
        find: "      if (attempt.amountYen !== checkout.amountYen) return refused(refuse('order_over'))\n",
        replace: '',
      },
    ],
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'a card holder whom the issuer did not recognise is charged all the same',
    edits: [
      {
        file: 'payment/verdict.ts',
        find: "      return refused(verdict, 'not authenticated', { counted: verdict.challengeCancel === null, blocksCard: false })",
        replace: "      return vouchedFor(verdict, 'Y')",
      },
    ],
    caughtBy: schedule('storm', 4),
  },
  {
    name: 'every card counts as one outside 3-D Secure',
    edits: [
      {
        file: 'payment/verdict.ts',
        find: "  return { judged: 'cleared', clearance: { by: 'authentication', authentication } }",
        replace:
          "  return { judged: 'cleared', clearance: authentication.eci === '' ? { by: 'authentication', authentication } : { by: 'exemption', reason: 'not_enrolled' } }",
      },
    ],
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'nobody is written to about a refund',
    edits: [
      {
        file: 'server/operations/refund.ts',
        find: '      await postRefunded(sql, refund, receiptOf(locked, refund.orderCode), now)\n',
        replace: '',
      },
    ],
    caughtBy: schedule('refund-against-refund', 1),
  },
  {
    name: 'the books are judged after the first look',
    edits: [
      {
        file: 'server/operations/reconcile.ts',
        find: 'if (isDeepStrictEqual(ours, again)) return { ours, acquirer }',
        replace: 'if (again !== undefined) return { ours, acquirer }',
      },
    ],
    caughtBy: 'server/operations/reconcile-while-money-moves.test.ts',
  },
  {
    name: 'cards are kept until their time is over',
    edits: [
      {
        file: 'server/operations/locked-checkout.ts',
        find: '      wipeUnneededCards(cardHold, locked, transitions)\n',
        replace: '',
      },
    ],
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'a charge that the record does not know leaves its link payable',
    edits: [
      {
        file: 'payment/charge.ts',
        find: "  if (inFlight !== null || stateAsRead(snapshot, now).status !== 'open') return { attempt, checkout, alarm }",
        replace: '  if (inFlight !== null || now > 0) return { attempt, checkout, alarm }',
      },
    ],
    caughtBy: 'payment/charge.test.ts',
  },
  {
    name: 'a refusal that passes frees what a refund may still give back',
    edits: [
      {
        file: 'server/gateways/sandbox/translate.ts',
        find: '  return FINAL_REFUSALS.includes(problem)\n',
        replace: '  return FINAL_REFUSALS.length > 0\n',
      },
    ],
    caughtBy: 'server/gateways/sandbox/odd-answers.test.ts',
  },
  {
    name: 'an authentication is sent again after a 502 of a proxy',
    edits: [
      {
        file: 'server/three-ds/active-server/answers.ts',
        find: '  if (code === undefined) return isRead && exchange.reply.status >= 500\n',
        replace: '  if (code === undefined) return exchange.reply.status >= 500\n',
      },
    ],
    caughtBy: 'server/three-ds/active-server/answers.test.ts',
  },
]
