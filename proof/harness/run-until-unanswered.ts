/**
 * Interrupted operation: runs an operation of the server up to its end, or up to the first external call that is not
 * answered. There its transaction is committed, and what comes later is another operation. Its ids come from `idSeed`
 * alone, so they are the same whichever operation ran first.
 */
import { sharedAccount } from '../promises/shared-account.ts'
import type { Charged, ChargeOutcome, Gateway, RefundOutcome } from '#payment/ports.ts'
import type { ThreeDSServer } from '#payment/three-ds-port.ts'
import { createCardHold } from '../../server/card-hold/memory.ts'
import type { Dependencies } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { createRecentMerchants } from '../../server/store/merchant/recent-merchants.ts'
import { fakeGateway } from './fake-gateway.ts'
import { silentLog } from './silent-log.ts'
import { seededRandom, seededId } from './seeded-random.ts'
import { comparableOutcome } from './compare-databases.ts'
import { HEALTHY_DISK_AND_CLOCK } from './healthy-disk-and-clock.ts'
import { cardTestingDependencies } from './card-testing-parts.ts'
import { WEBHOOK_PARTS } from './webhook-parts.ts'

/** One server process on one database. Its clock stands still while operations run. */
export interface TestProcess {
  readonly database: Database
  readonly cardHold: ReturnType<typeof createCardHold>
  now: number
}

export const createTestProcess = (database: Database): TestProcess => {
  const process: TestProcess = {
    database,
    now: 0,
    cardHold: createCardHold(() => process.now),
  }
  return process
}

/** What external calls are answered with, at once; a call that is not named here is never answered. */
export interface ScriptedAnswers {
  readonly charge?: () => ChargeOutcome | Promise<ChargeOutcome>
  readonly refund?: () => RefundOutcome | Promise<RefundOutcome>
  readonly start?: Awaited<ReturnType<ThreeDSServer['start']>>
  readonly authenticate?: Awaited<ReturnType<ThreeDSServer['authenticate']>>
}

export const chargedOutcome = (amountYen: number): Charged => ({
  outcome: 'charged',
  transactionId: 't',
  approvedAt: 1,
  amountYen,
})

export const runUntilUnanswered = (
  process: TestProcess,
  idSeed: number,
  answers: ScriptedAnswers,
  operation: (deps: Dependencies) => Promise<unknown>,
): Promise<unknown> => {
  const { database, cardHold } = process
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<unknown>()
  const unanswered = (call: string): Promise<never> => {
    interrupt({ waitsFor: call })
    return new Promise(() => undefined)
  }
  const gateway: Gateway = {
    ...fakeGateway(),
    charge: async ({ orderCode }, remember) => {
      await remember(orderCode)
      return answers.charge?.() ?? unanswered('charge')
    },
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
  const ids = seededRandom(idSeed)
  const deps: Dependencies = {
    database,
    findMerchant: createRecentMerchants(database, () => process.now),
    gateways: sharedAccount(database, gateway),
    threeDSServer,
    cardHold,
    clock: { now: () => process.now, sleep: () => unanswered('time') },
    elapsed: () => process.now,
    random: { id: () => seededId(ids) },
    log: silentLog,
    gatewayTimeoutMs: 20_000,
    ...HEALTHY_DISK_AND_CLOCK,
    ...cardTestingDependencies(() => process.now),
    ...WEBHOOK_PARTS,
    publicBase: new URL('http://localhost:3000'),
  }
  return Promise.race([comparableOutcome(() => operation(deps)), interrupted])
}
