import { withThousandsSeparators } from '#contract/yen.ts'
import type { Movement } from '#payment/ledger-movement.ts'
import type { Break, Open } from '#payment/reconcile.ts'
import { readConfig, type Config } from '../config/config.ts'
import { openGateway } from '../gateways/open.ts'
import { reconcile, type Tally } from '../operations/reconcile.ts'
import { openStandingDatabase } from '../store/open.ts'
import { COMMAND_PATIENCE, type Command, type Ending } from './command.ts'

const yen = (amount: number): string => `${withThousandsSeparators(amount)} yen`

const count = (many: number, noun: string): string => `${withThousandsSeparators(many)} ${noun}${many === 1 ? '' : 's'}`

const placeOf = ({ orderCode }: Movement, checkoutId: string | null): string =>
  `order ${orderCode}, ${checkoutId === null ? 'no checkout of ours' : `checkout ${checkoutId}`}`

const movedThere = (movement: Movement, amount: number): string =>
  movement.kind === 'charge'
    ? `the acquirer charged ${yen(amount)}`
    : `the acquirer gave back ${yen(amount)} as refund ${movement.refundId}`

const standsHere = (movement: Movement, amount: number): string =>
  movement.kind === 'charge' ? `a charge of ${yen(amount)}` : `refund ${movement.refundId} of ${yen(amount)}`

const named = (movement: Movement): string =>
  movement.kind === 'charge' ? 'the charge' : `refund ${movement.refundId}`

const subjectOf = ({ kind }: Movement): string => (kind === 'charge' ? 'attempt' : 'refund')

/** One break as a person reads it. */
export const sentence = (found: Break): string => {
  switch (found.kind) {
    case 'not known here':
      return `${placeOf(found.movement, found.checkoutId)}: ${movedThere(found.movement, found.thereYen)}; we never asked for it`
    case 'not booked here':
      return `${placeOf(found.movement, found.checkoutId)}: ${movedThere(found.movement, found.thereYen)}; it is not in our ledger, and the ${subjectOf(found.movement)} is ${found.state}`
    case 'neither booked nor there':
      return `${placeOf(found.movement, found.checkoutId)}: ${standsHere(found.movement, found.hereYen)} is ${found.state} by its own record; neither our ledger nor the acquirer has it`
    case 'listed twice': {
      const amounts = found.listedYen.map(yen).join(' and ')
      return `${placeOf(found.movement, found.checkoutId)}: the acquirer lists ${named(found.movement)} ${found.listedYen.length} times, with ${amounts}`
    }
    case 'not there':
      return `${placeOf(found.movement, found.checkoutId)}: our ledger has ${standsHere(found.movement, found.hereYen)}; the acquirer has none`
    case 'amounts differ': {
      const ours = standsHere(found.movement, found.hereYen)
      const here = found.isBooked ? `our ledger has ${ours}` : `${ours} is in doubt here`
      return `${placeOf(found.movement, found.checkoutId)}: ${here}; ${movedThere(found.movement, found.thereYen)}`
    }
    case 'unbalanced':
      return `entry "${found.entry}", checkout ${found.checkoutId}: its lines add up to ${yen(found.balanceYen)}, not to zero`
    case 'strange entry':
      return `entry "${found.entry}", checkout ${found.checkoutId}: ${yen(found.hereYen)} in our ledger that are no charge and no refund of a merchant of ours`
  }
}

const at = (instant: number): string => new Date(instant).toISOString()

/** One movement that stays open, as whoever was called by an alarm looks for it. */
export const openSentence = (open: Open): string => {
  const place = placeOf(open.movement, open.checkoutId)
  if (open.kind === 'unasked')
    return `${place}: the acquirer did not answer about ${named(open.movement)} (${open.why})`
  const what = standsHere(open.movement, open.amountYen)
  return open.state === 'unknown'
    ? `${place}: ${what} is in doubt since ${at(open.since)}`
    : `${place}: ${what} is under way, and in doubt from ${at(open.since)}`
}

const endingOf = ({ breaks, unasked }: Tally): Ending => {
  if (breaks > 0) return { found: 'something wrong' }
  return { found: unasked > 0 ? 'not everything seen' : 'nothing wrong' }
}

const unreachable = ({ sandbox }: Config, why: string): string =>
  sandbox === null
    ? `There is no acquirer to compare with (${why}). Set SANDBOX as the server has it.`
    : `The acquirer at 127.0.0.1:${sandbox.port} did not say all that is needed (${why}), so the comparison is not complete. Run this beside npm start, with the same PORT and SANDBOX_PORT.`

export const reconcileCommand: Command = {
  name: 'reconcile',
  summary: 'compares our ledger with the acquirer’s statement and names every break',
  run: async ([more], env, say) => {
    if (more !== undefined) return { problem: `reconcile takes nothing more, and "${more}" was given: leave it out.` }
    const reading = readConfig(env)
    if (!reading.ok) return { problem: reading.problem }
    const { config } = reading
    const opened = await openStandingDatabase(config, COMMAND_PATIENCE)
    if ('problem' in opened) return opened
    const { database } = opened
    try {
      const gateway = openGateway(config)
      const compared = await reconcile(
        database,
        gateway,
        (found) => say(sentence(found)),
        (open) => say(openSentence(open)),
      )
      if (compared.outcome === 'unknown') return { problem: unreachable(config, compared.why) }
      const { charges, refunds, breaks, inDoubt, unasked } = compared
      say(
        `${count(charges, 'charge')} and ${count(refunds, 'refund')} agree; ${count(breaks, 'break')}; ${inDoubt} in doubt`,
      )
      if (unasked > 0)
        say(
          `${count(unasked, 'movement')} of money could not be asked about, so the comparison is not complete: run it again when the acquirer answers`,
        )
      return endingOf(compared)
    } finally {
      await database.close()
    }
  },
}
