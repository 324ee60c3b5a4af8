/** Gateway contract: all that an acquirer's adapter must keep before money depends on it. */
import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { testChargeContract } from './charge-contract.ts'
import { testDisputeContract } from './dispute-contract.ts'
import { testFaultContract } from './fault-contract.ts'
import type { AcquirerUnderTest, OpenAcquirer } from './gateway-under-test.ts'
import { testLapsedKeysContract } from './lapsed-keys-contract.ts'
import { testRefundContract } from './refund-contract.ts'
import { testStatementContract } from './statement-contract.ts'

/** So many tests of each part at once: with all at once, an answer waits behind those of every other test. */
const AT_ONCE = 4

/**
 * Against a real account the tests run one after another: it takes only so many requests a second. An account whose
 * notifications do not reach us shows nothing about refunds and statements.
 */
interface Options {
  readonly concurrency?: number
  readonly hasNotifications?: boolean
}

export const testGatewayContract = (
  name: string,
  open: OpenAcquirer,
  { concurrency = AT_ONCE, hasNotifications = true }: Options = {},
): void => {
  describe(`the contract of every gateway, kept by ${name}`, { concurrency }, () => {
    let acquirer: AcquirerUnderTest | null = null
    before(async () => {
      acquirer = await open()
    })
    after(() => acquirer?.stop())
    const opened = (): AcquirerUnderTest => acquirer ?? assert.fail('the acquirer is not open')

    testChargeContract(name, opened, concurrency)
    testFaultContract(name, opened, concurrency)
    if (!hasNotifications) return
    testRefundContract(name, opened, concurrency)
    testStatementContract(name, open)
    testDisputeContract(name, opened)
    testLapsedKeysContract(name, open)
  })
}
