/** Backup round: a backup under load, a server that is lost some payments later, and the backup restored elsewhere. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { Check } from 'typebox/value'
import type { Discrepancy } from '#payment/reconcile.ts'
import { SECRET_KEY_FILE } from '../../server/config/secret-key.ts'
import { createSandboxGateway } from '../../server/gateways/sandbox/gateway.ts'
import { accountOfAll } from '../promises/shared-account.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { reconcile } from '../../server/operations/reconcile.ts'
import { systemClock } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { text } from '../../server/store/engine/columns.ts'
import type { TestEngine } from '../harness/databases.ts'
import { restartableServer, type RestartableServer } from '../harness/restartable-server.ts'
import { startSandbox, type SandboxProcess } from '../harness/sandbox-process.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { createServerDatabase } from '../harness/server-databases.ts'
import { freePort, runKaikei } from '../harness/server-process.ts'
import { isPaid, shopClient, type ApiAnswer, type ShopClient } from '../harness/shop-client.ts'
import { readStoredRecords } from '../promises/stored-records.ts'
import { createApiClient } from './api-client.ts'
import { countPendingChargesAndRefunds } from './audit-report.ts'
import { audit, type Acknowledgement } from './audit.ts'
import { MERCHANT_KEY, serverSettings } from './server-settings.ts'
import { startShoppers } from './shoppers.ts'

export interface BackupReport {
  readonly acknowledgedBefore: number
  /** Acknowledged before the backup, and not in it. */
  readonly lost: readonly string[]
  /** Charged at the acquirer, and not in the backup. */
  readonly chargesAfter: number
  readonly refundsAfter: number
  /** Of checkouts that the backup does not hold: named, for a person. */
  readonly left: number
  readonly paidOnceMore: number
  /** Checkouts that were charged more than once. */
  readonly doubleCharges: number
  readonly faults: readonly string[]
  readonly backupMs: number
  readonly payCallsDuringBackup: number
}

const SHOPPERS = 8
/** Checkouts that wait while the backup is taken, and are paid after it: what the restored server must find at the acquirer. */
const PAID_AFTER_BACKUP = 4
/** Charged at once, with 3-D Secure: real acquirers take no other. */
export const CHARGED_CARD = '4242424242424242'
const SETTLE_TIMEOUT_MS = 120_000

const CheckoutPage = Type.Object({
  items: Type.Array(MerchantCheckoutAnswer),
  after: Type.Union([Type.String(), Type.Null()]),
})

export const orderCodesOf = async (database: Database): Promise<Map<string, string>> =>
  new Map(
    (await database.rows('SELECT order_code, checkout_id FROM attempts')).map((row) => [
      text(row, 'order_code'),
      text(row, 'checkout_id'),
    ]),
  )

const openCheckouts = async (shop: ShopClient): Promise<string[]> => {
  const ids: string[] = []
  for (let after: string | null = ''; after !== null;) {
    const path: string = `/checkouts?status=open&limit=100${after === '' ? '' : `&after=${after}`}`
    const { body }: ApiAnswer = await shop.merchant('GET', path)
    if (!Check(CheckoutPage, body)) throw new Error('the checkouts cannot be listed')
    ids.push(...body.items.map(({ id }) => id))
    after = body.after
  }
  return ids
}

export const waitUntilSettled = async (database: Database): Promise<void> => {
  const deadline = systemClock.now() + SETTLE_TIMEOUT_MS
  while ((await countPendingChargesAndRefunds(database)) > 0 && systemClock.now() < deadline)
    await systemClock.sleep(200)
}

/** Every acknowledgement that can be read in our own rows: what the acquirer says of later orders is not the backup's. */
const lostIn = async (database: Database, acknowledgements: readonly Acknowledgement[]): Promise<string[]> => {
  const own = acknowledgements.filter(({ event }) => event !== 'nothing charged' && event !== 'authenticated')
  const records = { stored: await readStoredRecords(database), acquirerOrders: [], checkCodes: new Map() }
  return audit({ ...records, acknowledgements: own })
    .filter(({ kind }) => kind === 'lost')
    .map(({ description }) => description)
}

interface Judged {
  readonly left: number
  readonly doubleCharges: number
  readonly faults: readonly string[]
}

/** By the acquirer's own record, with the orders of both databases. */
const judge = async (sandbox: SandboxProcess, before: Database, restored: Database): Promise<Judged> => {
  const [ofBefore, ofRestored] = [await orderCodesOf(before), await orderCodesOf(restored)]
  const known = new Set((await restored.rows('SELECT id FROM checkouts')).map((row) => text(row, 'id')))
  const charged = (await sandbox.ordersForPromises()).filter(({ status }) => status === 'charged')
  const byCheckout = Map.groupBy(charged, ({ orderCode }) => ofBefore.get(orderCode) ?? ofRestored.get(orderCode))
  const faults: string[] = []
  const left: Discrepancy[] = []
  const account = await accountOfAll(restored, createSandboxGateway(sandbox.origin, 60_000))
  const compared = await reconcile(restored, [account], ALL_TIME, (found) => void left.push(found))
  if (compared.outcome !== 'compared' || compared.inDoubt + compared.unanswered > 0)
    faults.push(`not settled: ${JSON.stringify(compared)}`)
  for (const found of left) {
    const order = 'movement' in found ? found.movement.orderCode : ''
    const checkoutId = ofBefore.get(order) ?? ofRestored.get(order)
    if (found.kind !== 'unknown order' || checkoutId === undefined || known.has(checkoutId))
      faults.push(`left, though the backup holds its checkout: ${JSON.stringify(found)}`)
  }
  return {
    left: left.length,
    doubleCharges: [...byCheckout.values()].filter((orders) => orders.length > 1).length,
    faults,
  }
}

export interface BackupOptions {
  readonly engine: TestEngine['name']
  readonly seed: number
  readonly paymentsBefore: number
  readonly paymentsAfter: number
}

/** A server whose data was lost after its backup, and the same data as it is restored elsewhere, before its server starts. */
export interface LostAndRestored {
  readonly sandbox: SandboxProcess
  readonly port: number
  /** The settings of the restored server, also for commands beside it. */
  readonly env: Readonly<Record<string, string>>
  readonly again: RestartableServer
  readonly before: Database
  readonly restored: Database
  readonly acknowledgedBefore: number
  readonly lost: readonly string[]
  readonly backupMs: number
  readonly payCallsDuringBackup: number
}

/** `setUp`: runs beside the first server, before the first shopper. `work`: what the restored server is proven by. */
export const withLostServer = async <Result>(
  options: BackupOptions,
  setUp: (env: Readonly<Record<string, string>>, sandbox: SandboxProcess, port: number) => Promise<void>,
  work: (parts: LostAndRestored) => Promise<Result>,
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-backups-'))
  const file = join(folder, 'taken.backup')
  const sandbox = await startSandbox()
  const [lostFolder, restoredFolder] = [join(folder, 'lost'), join(folder, 'restored')]
  const lostDatabase = await createServerDatabase(options.engine, lostFolder)
  const restoredDatabase = await createServerDatabase(options.engine, restoredFolder)
  const port = await freePort()
  const common = { ...serverSettings(port, sandbox), LOG_LEVEL: 'silent' }
  const api = createApiClient(port, MERCHANT_KEY)
  const server = restartableServer({ ...lostDatabase.env, ...common })
  const env = { ...restoredDatabase.env, ...common }
  const again = restartableServer(env)
  let isOver = false
  try {
    await server.start()
    await setUp({ ...lostDatabase.env, ...common }, sandbox, port)
    const shop = shopClient(port, MERCHANT_KEY)
    const waiting = await Promise.all(
      Array.from({ length: PAID_AFTER_BACKUP }, () => shop.merchant('POST', '/checkouts', { amount: 700 })),
    )
    const random = seededRandom(options.seed)
    const shoppers = startShoppers({ size: SHOPPERS, api, random, isTimeUp: () => isOver })
    await api.waitForCalls('pay', options.paymentsBefore)
    const acknowledged = [...shoppers.acknowledgements]
    const began = systemClock.now()
    let payCallsDuringBackup = 0
    const isTaken = runKaikei(['backup', file], { ...lostDatabase.env, ...common }).then(() => true)
    while (!(await Promise.race([isTaken, api.waitForCalls('pay', 1).then(() => false)]))) payCallsDuringBackup += 1
    const backupMs = systemClock.now() - began
    await Promise.all(waiting.map(({ body }) => shop.payWhole(String(body['id']), { number: CHARGED_CARD })))
    await api.waitForCalls('pay', options.paymentsAfter)
    await server.kill()
    isOver = true
    await shoppers.stop()

    await cp(join(lostFolder, SECRET_KEY_FILE), join(restoredFolder, SECRET_KEY_FILE))
    await runKaikei(['restore', file], env)
    const [before, restored] = [await lostDatabase.open(), await restoredDatabase.open()]
    const lost = await lostIn(restored, acknowledged)
    const acknowledgedBefore = acknowledged.length
    const facts = { acknowledgedBefore, lost, backupMs, payCallsDuringBackup }
    const result = await work({ sandbox, port, env, again, before, restored, ...facts })
    await Promise.all([before.close(), restored.close()])
    return result
  } finally {
    isOver = true
    await Promise.allSettled([server.kill(), again.kill()])
    await sandbox.stop()
    await Promise.all([lostDatabase.drop(), restoredDatabase.drop()])
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whoever finds the link open pays, by this card. How many did. */
export const payAllOpen = async (port: number, card?: string): Promise<number> => {
  let paid = 0
  const shop = shopClient(port, MERCHANT_KEY)
  for (const id of await openCheckouts(shop))
    if (isPaid(await shop.payWhole(id, card === undefined ? {} : { number: card }))) paid += 1
  return paid
}

export const runBackupRound = (options: BackupOptions): Promise<BackupReport> =>
  withLostServer(
    options,
    async () => undefined,
    async ({ sandbox, port, again, before, restored, ...facts }) => {
      const ofBackup = await orderCodesOf(restored)
      const ledger = new Set((await restored.rows('SELECT entry FROM ledger_lines')).map((row) => text(row, 'entry')))
      const orders = (await sandbox.ordersForPromises()).filter(({ status }) => status === 'charged')
      const chargesAfter = orders.filter(({ orderCode }) => !ledger.has(`charge ${orderCode}`)).length
      const refundsAfter = orders.flatMap(({ orderCode, refunds }) =>
        refunds.filter(({ refundId }) => !ledger.has(`refund ${orderCode} ${refundId}`)),
      ).length
      await again.start()
      const paidOnceMore = await payAllOpen(port)
      await waitUntilSettled(restored)
      await again.kill()
      const judged = await judge(sandbox, before, restored)
      const { acknowledgedBefore, lost, backupMs, payCallsDuringBackup } = facts
      const counts = { acknowledgedBefore, lost, chargesAfter, refundsAfter, paidOnceMore }
      const faults = [...judged.faults, ...(ofBackup.size === 0 ? ['the backup holds no attempt'] : [])]
      return { ...counts, ...judged, faults, backupMs, payCallsDuringBackup }
    },
  )
