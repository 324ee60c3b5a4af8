/** Doubt release command: opens checkouts to payment that a restore has closed, because they may have been paid since the backup. */
import { isMerchantMode } from '#contract/access.ts'
import { releaseCheckouts } from '../store/backup/held-checkouts.ts'
import type { Command } from './command.ts'
import { readWhy } from './doubts.ts'
import { namedMerchant, withConfirmedClock } from './operator-database.ts'

export const doubtRelease: Command = {
  summary: 'opens checkouts to payment that a restore has closed and nobody has paid',
  options: {
    merchant: { value: '<label>', help: 'whose checkouts', isRequired: true },
    mode: { value: 'test|live', help: 'of which mode', isRequired: true },
    why: { value: '<text>', help: 'how you know; it is kept in the log of changes', isRequired: true },
    checkout: { value: '<id>', help: 'this one alone; left out: all that are closed' },
  },
  example: 'doubt release --merchant tea --mode live --why "no payment after 9:00 in the Customer Area"',
  run: (given, env) =>
    withConfirmedClock(env, async (deps) => {
      const mode = given.text('mode')
      if (!isMerchantMode(mode)) return { problem: `--mode is "${mode}": give test or live.` }
      const why = readWhy(given)
      if (typeof why !== 'string') return why
      const merchant = await namedMerchant(deps.database, given.text('merchant'))
      if ('problem' in merchant) return merchant
      const checkoutId = given.textOrNull('checkout')
      const released = await releaseCheckouts(
        deps.database,
        { merchantId: merchant.id, mode },
        { byHand: checkoutId === null ? 'all' : { only: checkoutId } },
        { actor: 'operator', why, now: deps.clock.now() },
      )
      if (released === 0 && checkoutId !== null)
        return { problem: `Checkout ${checkoutId} is not closed to payment by a restore: nothing was changed.` }
      return {
        value: { released },
        lines: [`${released} checkout${released === 1 ? ' is' : 's are'} open to payment again.`],
      }
    }),
}
