/** Planted card hold bugs: faults in when a held card is put, found and wiped, and for whom it opens. */
import { schedule, type PlantedBug } from './planted-bug.ts'

const PUT =
  "  const held = await deps.cardHold.put({ merchantId, checkoutId, orderCode, amountYen }, card)\n  if (held.outcome === 'unavailable') {\n    // What stores nothing takes nothing of what the link may store.\n    counted?.giveBack()\n    deps.log.warn('a card could not be held', { why: held.why })\n    return refuse('gateway_unavailable')\n  }\n"
const ON_THREE_SERVERS = { ...schedule('storm', 3), servers: 3 }

export const CARD_HOLD_PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'cards are not wiped when a payment ends',
    file: 'server/operations/locked-checkout.ts',
    find: '  if (done?.wiped !== undefined && done.wiped.length > 0) await cardHold.wipe(done.wiped)\n',
    replace: '',
    caughtBy: schedule('storm', 1),
  },
  {
    name: 'a card is held after its attempt is committed',
    file: 'server/operations/start-payment.ts',
    find: PUT,
    replace: '',
    also: [
      {
        file: 'server/operations/start-payment.ts',
        find: '      return attempt\n    }\n    const ticket',
        replace: `      return attempt\n    }\n${PUT}    const ticket`,
      },
    ],
    caughtBy: ON_THREE_SERVERS,
  },
  {
    name: 'a sealed card opens for another payment',
    file: 'server/card-hold/sealing.ts',
    find: '      cipher.setAAD(additionalData(binding))\n',
    replace: '',
    also: [
      {
        file: 'server/card-hold/sealing.ts',
        find: '      decipher.setAAD(additionalData(binding))\n',
        replace: '',
      },
    ],
    caughtBy: 'server/card-hold/sealed.test.ts',
  },
  {
    name: 'a card is wiped before a commit that fails',
    file: 'server/operations/locked-checkout.ts',
    find: '    const wiped = cardsNotNeeded(locked, transitions)\n',
    replace: '    const wiped = cardsNotNeeded(locked, transitions)\n    await cardHold.wipe(wiped)\n',
    caughtBy: 'proof/whole-server/card-hold-wiped.test.ts',
  },
  {
    name: 'a transaction waits for the card hold',
    file: 'server/operations/authenticate.ts',
    find: "    const attempt = mustExist(attemptOf(locked, known.orderCode), 'an attempt that was started')\n    const decision = decideAuthenticate",
    replace:
      "    const attempt = mustExist(attemptOf(locked, known.orderCode), 'an attempt that was started')\n    await findHeldCard(deps, known)\n    const decision = decideAuthenticate",
    caughtBy: ON_THREE_SERVERS,
  },
]
