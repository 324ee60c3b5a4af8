import type { Charged, ChargeOutcome, Gateway, RefundOutcome, ThreeDSServer } from '#payment/ports.ts'
import { createCardHold } from '../../server/operations/card-hold.ts'
import type { Parts } from '../../server/parts.ts'
import type { Database } from '../../server/store/database.ts'
import { countingGateway } from './counting-gateway.ts'
import { quietLog } from './quiet-log.ts'
import { seededDice, seededId } from './seeded.ts'
import { outcomeOf } from './two-engines.ts'

/** One server process on one database, whose time stands still while operations run. */
export interface Process {
  readonly database: Database
  readonly cardHold: ReturnType<typeof createCardHold>
  now: number
}

export const processOn = (database: Database): Process => {
  const process: Process = {
    database,
    now: 0,
    cardHold: createCardHold(() => process.now),
  }
  return process
}

/** What is answered at once; everything else that is asked of the outside is never answered. */
export interface Answers {
  readonly charge?: () => ChargeOutcome | Promise<ChargeOutcome>
  readonly refund?: () => RefundOutcome | Promise<RefundOutcome>
  readonly start?: Awaited<ReturnType<ThreeDSServer['start']>>
  readonly authenticate?: Awaited<ReturnType<ThreeDSServer['authenticate']>>
}

export const booked = (amountYen: number): Charged => ({
  outcome: 'charged',
  transactionId: 't',
  approvedAt: 1,
  amountYen,
})

/**
 * Runs an operation of the server up to its end, or up to the first call of the outside that is not answered: there it has
 * left its transaction behind it, and what comes later is another operation. Its ids come from `idSeed` alone, so they are
 * the same whichever operation came first.
 */
export const operate = (
  process: Process,
  idSeed: number,
  answers: Answers,
  work: (parts: Parts) => Promise<unknown>,
): Promise<unknown> => {
  const { database, cardHold } = process
  const { promise: left, resolve: leave } = Promise.withResolvers<unknown>()
  const unanswered = (call: string): Promise<never> => {
    leave({ waitsFor: call })
    return new Promise(() => undefined)
  }
  const gateway: Gateway = {
    ...countingGateway(),
    charge: async () => answers.charge?.() ?? unanswered('charge'),
    inquire: () => unanswered('inquire'),
    fence: () => unanswered('fence'),
    refund: async () => answers.refund?.() ?? unanswered('refund'),
    inquireRefund: () => unanswered('inquireRefund'),
  }
  const threeDSServer: ThreeDSServer = {
    start: async () => answers.start ?? unanswered('3-D Secure'),
    event: () => ({ hint: 'nothing' }),
    authenticate: async () => answers.authenticate ?? unanswered('the issuer'),
    result: () => unanswered('the result'),
    abandon: async () => undefined,
  }
  const ids = seededDice(idSeed)
  const parts: Parts = {
    database,
    gateway,
    threeDSServer,
    cardHold,
    clock: { now: () => process.now, sleep: () => unanswered('time') },
    random: { id: () => seededId(ids) },
    log: quietLog,
    gatewayTimeoutMs: 20_000,
    publicBase: new URL('http://localhost:3000'),
  }
  return Promise.race([outcomeOf(() => work(parts)), left])
}
