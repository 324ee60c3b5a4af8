/** Command groups: every command by its name, in the order of the help, a developer's first. */
import { createAcquirerCheck } from './acquirer/check.ts'
import { createAcquirerSet } from './acquirer/set.ts'
import { acquirerShow } from './acquirer/show.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { changesCommand } from './changes.ts'
import { checkoutCancel, checkoutCreate, checkoutList, checkoutRefund, checkoutShow } from './checkout/checkouts.ts'
import { checkoutOpen, checkoutQr } from './checkout/links.ts'
import { cardHoldKey } from './card-hold.ts'
import { clockConfirm, clockShow } from './clock.ts'
import type { Command } from './command.ts'
import { createAcquirerAdapters } from '../gateways/adapters.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { doubtRelease } from './doubt-release.ts'
import { doubtSettle, doubtsCommand } from './doubts.ts'
import { eraseCommand } from './erase.ts'
import { figuresCheck, figuresRebuild } from './figures.ts'
import { keyCreate, keyList, keyRevoke, keyRoll } from './keys.ts'
import { mailAddressAdd, mailAddressList, mailAddressRemove } from './mail-addresses.ts'
import { merchantClose, merchantCreate, merchantList, merchantReopen, merchantShow } from './merchants.ts'
import { migrateCommand } from './migrate.ts'
import { outboxList, outboxRetry } from './outbox.ts'
import { personInvite, personList, personRecover, personRemove } from './people.ts'
import { probeCommand } from './probe/probe.ts'
import { reconcileCommand } from './reconcile.ts'
import { recoverCommand } from './recover.ts'
import { sandboxCards } from './sandbox-cards.ts'
import { sandboxDispute } from './sandbox/dispute.ts'
import { sandboxPay } from './sandbox/pay.ts'
import { secretReset, secretRetire, secretRotate } from './secret.ts'
import { setAsideDecide, setAsideDecideAll, setAsideList } from './set-aside.ts'
import { pictureRemove, pictureSet } from './shop/pictures.ts'
import { exportCommand, summaryCommand } from './shop/reports.ts'
import { settingsSet, settingsShow } from './shop/settings.ts'
import { listenCommand } from './webhook/listen.ts'
import * as webhooks from './webhook/webhooks.ts'

interface CommandGroup {
  readonly title: string
  /** By one or two words. */
  readonly commands: Readonly<Record<string, Command>>
}

const WITH_A_KEY = 'with KAIKEI_URL and KAIKEI_KEY'
const BESIDE = "with the server's own settings"

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: `Checkouts, ${WITH_A_KEY}`,
    commands: {
      'checkout create': checkoutCreate,
      'checkout show': checkoutShow,
      'checkout list': checkoutList,
      'checkout cancel': checkoutCancel,
      'checkout refund': checkoutRefund,
      'checkout open': checkoutOpen,
      'checkout qr': checkoutQr,
    },
  },
  {
    title: 'Tests',
    commands: { 'sandbox cards': sandboxCards, 'sandbox pay': sandboxPay, 'sandbox dispute': sandboxDispute },
  },
  {
    title: `Events, ${WITH_A_KEY}`,
    commands: {
      listen: listenCommand,
      'webhook add': webhooks.webhookAdd,
      'webhook list': webhooks.webhookList,
      'webhook ping': webhooks.webhookPing,
      'webhook deliveries': webhooks.webhookDeliveries,
      'webhook replay': webhooks.webhookReplay,
      'webhook enable': webhooks.webhookEnable,
      'webhook roll': webhooks.webhookRoll,
      'webhook remove': webhooks.webhookRemove,
    },
  },
  {
    title: `The shop, ${WITH_A_KEY}`,
    commands: {
      'settings show': settingsShow,
      'settings set': settingsSet,
      'picture set': pictureSet,
      'picture remove': pictureRemove,
      summary: summaryCommand,
      export: exportCommand,
    },
  },
  {
    title: `For operators: shops and keys, ${BESIDE}`,
    commands: {
      'merchant create': merchantCreate,
      'merchant list': merchantList,
      'merchant show': merchantShow,
      'merchant close': merchantClose,
      'merchant reopen': merchantReopen,
      'key create': keyCreate,
      'key list': keyList,
      'key roll': keyRoll,
      'key revoke': keyRevoke,
      'person invite': personInvite,
      'person list': personList,
      'person recover': personRecover,
      'person remove': personRemove,
      'acquirer set': createAcquirerSet(() => process.stdin),
      'acquirer show': acquirerShow,
      'acquirer check': createAcquirerCheck(({ config, clock, database }) => {
        const { gatewayTimeoutMs, publicBase } = config
        return createAcquirerAdapters({ gatewayTimeoutMs, publicBase, clock, sql: database })
      }),
      'mail-address add': mailAddressAdd,
      'mail-address list': mailAddressList,
      'mail-address remove': mailAddressRemove,
    },
  },
  {
    title: `For operators: money, ${BESIDE}`,
    commands: {
      changes: changesCommand,
      doubts: doubtsCommand,
      'doubt settle': doubtSettle,
      'doubt release': doubtRelease,
      'outbox list': outboxList,
      'outbox retry': outboxRetry,
      'set-aside list': setAsideList,
      'set-aside decide': setAsideDecide,
      'set-aside decide-all': setAsideDecideAll,
      reconcile: reconcileCommand,
      recover: recoverCommand,
      'figures check': figuresCheck,
      'figures rebuild': figuresRebuild,
    },
  },
  {
    title: `For operators: the server, ${BESIDE}`,
    commands: {
      doctor: doctorCommand,
      probe: probeCommand,
      migrate: migrateCommand,
      backup: backupCommand,
      restore: restoreCommand,
      erase: eraseCommand,
      'secret rotate': secretRotate,
      'secret retire': secretRetire,
      'secret reset': secretReset,
      'card-hold key': cardHoldKey,
      'clock show': clockShow,
      'clock confirm': clockConfirm,
    },
  },
]

/** Names of earlier releases, which scripts may still use: each runs the command of its new name, and says so. */
export const RENAMED: ReadonlyMap<string, string> = new Map([['reconcile settle', 'recover']])

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  COMMAND_GROUPS.flatMap(({ commands }) => Object.entries(commands)),
)
