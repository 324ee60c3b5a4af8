import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { YEN_MAX, YEN_MIN } from '#contract/yen.ts'
import { ADYEN_STEPS } from '../../../proof/gateway-contract/adyen-steps.ts'
import { testGatewayContract } from '../../../proof/gateway-contract/gateway-contract.ts'
import type { AcquirerUnderTest, OrderAtAcquirer } from '../../../proof/gateway-contract/gateway-under-test.ts'
import { STATEMENT_PAGE_SIZE } from '../../../proof/gateway-contract/statement-contract.ts'
import { onDatabase, type TestEngine } from '../../../proof/harness/databases.ts'
import { startSandbox } from '../../../proof/harness/sandbox-process.ts'
import { systemClock } from '../../dependencies.ts'
import { reportNotifications, storeNotifications } from '../../store/merchant/acquirer-notifications.ts'
import type { Database } from '../../store/engine/database.ts'
import { adyenAccountOf } from './account.ts'
import { createAdyenGateway } from './gateway.ts'
import { openAdyenInbox } from './inbox.ts'
import { readNotifications } from './parse-notification.ts'

const OrderAtDouble = Type.Object({ chargedYen: Type.Integer(), refundedYen: Type.Integer() })
const Disputed = Type.Object({ pspReference: Type.String() })
const SCOPE = { merchantId: 'tea', mode: 'test' } as const
const CREDENTIALS = {
  apiKey: 'test_key_1',
  merchantAccount: 'KaikeiTEST',
  hmacKey: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  reportApiKey: 'report_key_1',
}
/** The life of an idempotency key at Adyen, and a little more. */
const KEY_LIFE_MS = 8 * DAY_MS
/** Its times are whole seconds: a report of the same second would not be later than what it lists. */
const TICK_MS = 2000

const accountAt = (apiBase: string) => {
  const account = adyenAccountOf(CREDENTIALS, { mode: 'test', apiBase })
  if (account === null) throw new Error('a test account has an address')
  return account
}

/** Where the double sends its notifications: checked and stored as the server's route does it. */
const openReceiver = async (database: Database) => {
  const notified = { ...SCOPE, account: accountAt('http://127.0.0.1') }
  const server = createServer((incoming, outgoing) => {
    const receive = async (): Promise<number> => {
      // The double's clock is set forward in these tests: what it tells is not of the future.
      const read = readNotifications(await json(incoming), notified, systemClock.now() + 2 * KEY_LIFE_MS)
      if (read.is !== 'ours') return 401
      await storeNotifications(database, read.notifications)
      return 200
    }
    receive().then(
      (status) => outgoing.writeHead(status).end(),
      () => outgoing.writeHead(500).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const open = async (engine: TestEngine): Promise<AcquirerUnderTest> => {
  const database = await engine.open()
  const [sandbox, receiver] = [await startSandbox(), await openReceiver(database)]
  const { merchantAccount, apiKey, reportApiKey: reportKey, hmacKey } = CREDENTIALS
  const control = async (call: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${sandbox.origin}/adyen/control/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.status !== 200) throw new Error(`the double’s control ${call} answered ${answer.status}`)
    return answer.json()
  }
  const notify = async (): Promise<void> => {
    await control('webhooks/deliver', { merchantAccount })
  }
  const dispute = async (pspReference: string, event: string): Promise<string> => {
    const told = await control('disputes', { pspReference, event })
    if (!Check(Disputed, told)) throw new Error('the double has opened no dispute')
    await notify()
    // Every notification may come again.
    await control('webhooks/again', { merchantAccount, pspReference: told.pspReference })
    await notify()
    return told.pspReference
  }
  await control('accounts', { merchantAccount, apiKey, reportKey, webhookUrl: receiver.url, hmacKey })
  return {
    ...ADYEN_STEPS,
    origin: sandbox.origin,
    openGateway: (origin, timeoutMs) => {
      const inbox = openAdyenInbox(database, SCOPE)
      return createAdyenGateway({
        account: accountAt(`${origin}/adyen`),
        returnUrl: 'https://tea.example/',
        // The double names its own address; reports too come through the fault line.
        inbox: {
          ...inbox,
          reports: async (from) =>
            (await inbox.reports(from)).map((report) => ({
              ...report,
              address: report.address.replace(sandbox.origin, origin),
            })),
        },
        timeoutMs,
        clock: systemClock,
        disputePage: STATEMENT_PAGE_SIZE,
      })
    },
    cards: {
      charged: '4100000000000100',
      declined: '4100000000750001',
      pending:
        'Adyen answers a capture at once with "received", which counts as charged; one that fails later is an alarm',
    },
    limits: { minYen: YEN_MIN, maxYen: YEN_MAX },
    orderAtAcquirer: async (orderCode): Promise<OrderAtAcquirer> => {
      const order: unknown = await (await fetch(`${sandbox.origin}/adyen/control/orders/${orderCode}`)).json()
      if (!Check(OrderAtDouble, order)) throw new Error('the double’s record of an order cannot be read')
      return { chargedYen: order.chargedYen, refundedYen: order.refundedYen }
    },
    notify,
    settle: async (): Promise<Instant> => {
      await control('clock', { advanceMs: TICK_MS })
      await control('reports', { merchantAccount })
      await notify()
      const reports = await reportNotifications(database, SCOPE, 0)
      return Math.max(...reports.map(({ occurredAt }) => occurredAt))
    },
    disputes: {
      open: async ({ reference }) => {
        const disputeId = await dispute(reference, 'NOTIFICATION_OF_CHARGEBACK')
        return dispute(disputeId, 'CHARGEBACK')
      },
      end: async (disputeId, as) => {
        await dispute(disputeId, as === 'won' ? 'CHARGEBACK_REVERSED' : 'DISPUTE_DEFENSE_PERIOD_ENDED')
      },
    },
    forgetKeys: async () => {
      await control('clock', { advanceMs: KEY_LIFE_MS })
      return KEY_LIFE_MS
    },
    stop: async () => {
      await sandbox.stop()
      await receiver.stop()
    },
  }
}

// Of the database it needs the inbox alone, which the tests of notifications, disputes and recovery read on both engines.
onDatabase('PostgreSQL', (engine) => testGatewayContract('Adyen (its double)', () => open(engine)))
