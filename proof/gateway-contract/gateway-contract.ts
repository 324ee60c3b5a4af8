/** Gateway contract: all that an acquirer's adapter must keep before money depends on it. */
import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { testChargeContract } from './charge-contract.ts'
import { testFaultContract } from './fault-contract.ts'
import type { AcquirerUnderTest, OpenAcquirer } from './gateway-under-test.ts'
import { testLapsedKeysContract } from './lapsed-keys-contract.ts'
import { testRefundContract } from './refund-contract.ts'
import { testStatementContract } from './statement-contract.ts'

export const testGatewayContract = (name: string, open: OpenAcquirer): void => {
  describe(`the contract of every gateway, kept by ${name}`, { concurrency: true }, () => {
    let acquirer: AcquirerUnderTest | null = null
    before(async () => {
      acquirer = await open()
    })
    after(() => acquirer?.stop())
    const opened = (): AcquirerUnderTest => acquirer ?? assert.fail('the acquirer is not open')

    testChargeContract(name, opened)
    testFaultContract(name, opened)
    testRefundContract(name, opened)
    testStatementContract(name, open)
    testLapsedKeysContract(name, open)
  })
}
