/** Fault contract: every fault and every crash at every request of a charge, and what inquiry, fence and late requests then make of it. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { CRASHES, FAULTS, type Fault } from './fault-line.ts'
import { charge, connect, orderWithCard, withFault, type AcquirerUnderTest } from './gateway-under-test.ts'
import { assertTrue, settleCharge } from './settle.ts'

/** The acquirer did not answer, as far as the adapter can know. */
const SILENT: readonly Fault[] = [
  'answer swallowed',
  'dropped before the acquirer',
  '5xx after booking',
  '5xx before booking',
  'delayed',
  'late',
]

export const testFaultContract = (name: string, opened: () => AcquirerUnderTest, concurrency: number): void => {
  describe(`faults between us and ${name}`, { concurrency }, () => {
    let acquirer: AcquirerUnderTest
    before(() => {
      acquirer = opened()
    })

    for (const fault of FAULTS)
      test(`a charge with the fault "${fault}" at any of its requests is charged once or not at all, and no answer is wrong`, async (t) => {
        await Promise.all(
          acquirer.chargeSteps.map(async (step) => {
            const at = `with ${fault} at ${step.name}`
            const { faults, result } = await withFault(t, acquirer, step, fault, (each) =>
              charge(each, orderWithCard(acquirer.cards.charged)),
            )
            const { outcome, sent } = result
            if (outcome.outcome === 'declined') assert.fail(`declined ${at}`)
            if (SILENT.includes(fault) && outcome.outcome !== 'charged')
              assert.equal(outcome.isSilence, true, `${at}: the circuit breaker counts it`)
            if (outcome.outcome !== 'unknown') await assertTrue(acquirer, sent, outcome, at)
            // Inquired about in any case: a second answer may not contradict the first.
            const later = await connect(t, acquirer)
            const settled = await settleCharge(later, acquirer, sent)
            if (outcome.outcome !== 'unknown') assert.equal(settled.outcome, outcome.outcome, at)
            await assertTrue(acquirer, sent, settled, `${at}, after inquiry and fence`)
            await faults.deliverLate()
            await assertTrue(acquirer, sent, settled, `${at}, after the late request`)
            await faults.repeatAll()
            await assertTrue(acquirer, sent, settled, `${at}, after all requests came again`)
          }),
        )
      })

    for (const crash of CRASHES)
      test(`a charge whose process ends (${crash}) is charged once or fenced, and its late requests charge nothing more`, async (t) => {
        await Promise.all(
          acquirer.chargeSteps.map(async (step) => {
            const at = `${crash}, ${step.name}`
            const { faults, result } = await withFault(t, acquirer, step, crash, (each) =>
              charge(each, orderWithCard(acquirer.cards.charged)),
            )
            const { sent } = result
            const settled = await settleCharge(await connect(t, acquirer), acquirer, sent)
            assert.notEqual(settled.outcome, 'declined', at)
            await assertTrue(acquirer, sent, settled, at)
            await faults.repeatAll()
            await assertTrue(acquirer, sent, settled, `${at}, after all requests came again`)
            const again = await settleCharge(await connect(t, acquirer), acquirer, sent)
            assert.equal(again.outcome, settled.outcome, at)
          }),
        )
      })

    test('a request that arrives between inquiry and fence is found by the fence, or charges nothing', async (t) => {
      await Promise.all(
        acquirer.chargeSteps.map(async (step) => {
          const { faults, result } = await withFault(t, acquirer, step, 'late', (each) =>
            charge(each, orderWithCard(acquirer.cards.charged)),
          )
          const { sent } = result
          const later = await connect(t, acquirer)
          const inquiry = await later.gateway.inquire(sent)
          await faults.deliverLate()
          const fencing = inquiry.outcome === 'not_found' ? await later.gateway.fence(sent) : null
          const settled = await settleCharge(later, acquirer, sent)
          if (fencing?.outcome === 'fenced') assert.equal(settled.outcome, 'not_charged', step.name)
          await assertTrue(acquirer, sent, settled, `late at ${step.name}, before the fence`)
        }),
      )
    })

    test('a declined card is never charged and never said to be, with any fault at any request', async (t) => {
      await Promise.all(
        acquirer.chargeSteps.flatMap((step) =>
          FAULTS.filter((fault) => fault !== 'delayed').map(async (fault) => {
            const at = `with ${fault} at ${step.name}`
            const connection = await connect(t, acquirer)
            connection.faults.meetNext(step.matches, fault)
            const { outcome, sent } = await charge(connection, orderWithCard(acquirer.cards.declined))
            assert.notEqual(outcome.outcome, 'charged', at)
            const settled = await settleCharge(await connect(t, acquirer), acquirer, sent)
            assert.notEqual(settled.outcome, 'charged', at)
            await connection.faults.deliverLate()
            await connection.faults.repeatAll()
            await assertTrue(acquirer, sent, settled, at)
          }),
        ),
      )
    })

    test('an inquiry or a fence that meets a fault decides nothing, and the next one does', async (t) => {
      for (const fault of SILENT.filter((each) => each !== 'delayed')) {
        const crashed = await withFault(t, acquirer, firstStep(acquirer), 'crash before the request', (each) =>
          charge(each, orderWithCard(acquirer.cards.charged)),
        )
        const { sent } = crashed.result
        const { gateway, faults } = await connect(t, acquirer)
        faults.meetNext(() => true, fault)
        const inquiry = await gateway.inquire(sent)
        const fencing = faults.isMet() ? null : await gateway.fence(sent)
        assert.ok(faults.isMet(), 'neither of the two asks the acquirer')
        assert.equal(fencing === null ? inquiry.outcome : fencing.outcome, 'unknown', fault)
        const settled = await settleCharge({ gateway, faults }, acquirer, sent)
        await assertTrue(acquirer, sent, settled, fault)
      }
    })
  })
}

const firstStep = ({ chargeSteps: [first] }: AcquirerUnderTest) => first ?? assert.fail('a charge without a request')
