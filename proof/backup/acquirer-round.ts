/** Acquirer round: a backup under load, restored elsewhere and recovered through the adapter of a real acquirer and its double. */
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import { systemClock } from '../../server/dependencies.ts'
import { parseJson } from '../../server/parse-json.ts'
import { text } from '../../server/store/engine/columns.ts'
import type { Database } from '../../server/store/engine/database.ts'
import {
  CHARGED_CARD,
  orderCodesOf,
  payAllOpen,
  waitUntilSettled,
  withLostServer,
  type BackupOptions,
  type LostAndRestored,
} from '../crashes/backup-round.ts'
import { MERCHANT_KEY } from '../crashes/server-settings.ts'
import { runCommand } from '../harness/run-command.ts'
import { isPaid, shopClient } from '../harness/shop-client.ts'
import { openAcquirerDouble, type AcquirerDouble, type DoubleName } from './acquirer-double.ts'
import { doubleChargesOf, lostChargesOf, toldBefore, type LostCharge } from './lost-charges.ts'

export interface AcquirerReport {
  readonly lost: readonly string[]
  /** Charged at the acquirer for checkouts of the backup, and not in the backup. */
  readonly chargesAfter: number
  /** Closed to payment when the restored server was ready. */
  readonly held: number
  /** The acquirer was asked about the one order, and did not answer. */
  readonly silences: number
  readonly paidOnceMore: number
  readonly doubleCharges: number
  readonly faults: readonly string[]
}

/** As if ten minutes had passed since the doubt began: until then the server is left to ask. */
const age = async (database: Database, orderCode: string): Promise<void> => {
  const [row] = await database.rows('SELECT details FROM attempts WHERE order_code = $1', orderCode)
  const details: unknown = row === undefined ? null : parseJson(text(row, 'details'))
  if (!Check(Type.Object({ since: Type.Integer() }), details)) throw new Error(`order ${orderCode} is not in doubt`)
  const aged = JSON.stringify({ ...details, since: details.since - 11 * MINUTE_MS })
  await database.rows('UPDATE attempts SET details = $2 WHERE order_code = $1', orderCode, aged)
}

const Reconciled = Type.Object({
  isComplete: Type.Boolean(),
  inDoubt: Type.Integer(),
  breaks: Type.Array(
    Type.Object({ kind: Type.String(), movement: Type.Optional(Type.Object({ orderCode: Type.String() })) }),
  ),
})

const NOT_SETTLED = 'not settled'

/** Every break but a payment of a checkout that the backup does not hold. */
const breaksOf = async (parts: LostAndRestored): Promise<string[]> => {
  const { env, before, restored } = parts
  const from = new Date(systemClock.now() - HOUR_MS).toISOString()
  const { code, printed, errors } = await runCommand(['reconcile', '--json', '--from', from], env)
  const result = parseJson(printed.join('\n'))
  if (!Check(Reconciled, result)) return [`reconcile ended with ${code}: ${errors.join(' ')}`]
  const known = new Set((await restored.rows('SELECT id FROM checkouts')).map((row) => text(row, 'id')))
  const ofBefore = await orderCodesOf(before)
  const breaks = result.breaks.filter(({ kind, movement }) => {
    const checkoutId = ofBefore.get(movement?.orderCode ?? '')
    return kind !== 'unknown order' || checkoutId === undefined || known.has(checkoutId)
  })
  return [
    ...breaks.map((each) => JSON.stringify(each)),
    ...(result.isComplete && result.inDoubt === 0 ? [] : [`${NOT_SETTLED}: ${printed.join(' ')}`]),
  ]
}

const heldIn = async (database: Database): Promise<string[]> =>
  (await database.rows(`SELECT id FROM checkouts WHERE status = 'open' AND held_since IS NOT NULL`)).map((row) =>
    text(row, 'id'),
  )

const settleByHand = async (
  { env, restored }: LostAndRestored,
  { orderCode, reference, startedAt }: LostCharge,
): Promise<string[]> => {
  const at = new Date(startedAt).toISOString()
  const args = [
    'doubt',
    'settle',
    orderCode,
    '--as',
    'charged',
    '--transaction',
    reference,
    '--at',
    at,
    '--why',
    'seen there',
  ]
  const early = await runCommand(args, env)
  await age(restored, orderCode)
  const { code, errors } = await runCommand(args, env)
  return [
    ...(early.code === 2 ? [] : ['a doubt of less than ten minutes was settled by hand']),
    ...(code === 0 ? [] : [`doubt settle: ${errors.join(' ')}`]),
  ]
}

/** A loaded machine is slow; one that is not needs a few seconds. */
const RECOVERED_WITHIN_S = 180

/** Asks for what is missing until nothing is; then, or when the time is over, answers with it. */
const missingAtLast = async (missing: () => Promise<readonly string[]>): Promise<readonly string[]> => {
  const deadline = systemClock.now() + RECOVERED_WITHIN_S * 1000
  let found = await missing()
  while (found.length > 0 && systemClock.now() < deadline) {
    await systemClock.sleep(500)
    found = await missing()
  }
  return found
}

/** The longest that the double leaves a payment undecided, at the sandbox's time scale. */
const LATE_MS = 5000

const prove = async (parts: LostAndRestored, double: AcquirerDouble, name: DoubleName): Promise<AcquirerReport> => {
  const { again, port, env, restored } = parts
  const faults: string[] = []
  await systemClock.sleep(LATE_MS)
  const charges = await lostChargesOf(parts, double)
  const told = name === 'Adyen' ? await toldBefore(parts) : null
  const unanswered = charges.find(({ reference }) => told?.has(reference) ?? true)
  if (unanswered === undefined) return { ...NOTHING_SHOWN, lost: parts.lost }
  double.neverAnswerAbout(unanswered.reference)
  const shop = shopClient(port, MERCHANT_KEY)
  await again.start()
  const held = (await heldIn(restored)).length
  if (name === 'Adyen') {
    // It lists nothing before a report is closed: whatever was open stays closed, and new checkouts are paid.
    if (held === 0) faults.push('no checkout is held, though the acquirer lists nothing')
    for (const id of await heldIn(restored))
      if (isPaid(await shop.payWhole(id, { number: CHARGED_CARD })))
        faults.push(`checkout ${id} was paid, which may have been paid since the backup`)
    const created = await shop.merchant('POST', '/checkouts', { amount: 500 })
    if (!isPaid(await shop.payWhole(String(created.body['id']), { number: CHARGED_CARD })))
      faults.push('a new checkout could not be paid')
    await double.settle(restored)
    // A start compares at once what is compared every hour.
    await again.kill()
    await again.start()
    const isInDoubt = async (): Promise<boolean> => {
      const inDoubt = await restored.rows(`SELECT order_code FROM attempts WHERE state = 'unknown'`)
      return inDoubt.some((row) => text(row, 'order_code') === unanswered.orderCode)
    }
    // As an operator does before anything is opened: until nothing is missing here but what that one order has moved.
    const notRecovered = async (): Promise<string[]> => {
      if (!(await isInDoubt())) return [`order ${unanswered.orderCode} is not in doubt`]
      const breaks = await breaksOf(parts)
      return breaks.filter((each) => !each.startsWith(NOT_SETTLED) && !each.includes(unanswered.orderCode))
    }
    const missing = await missingAtLast(notRecovered)
    if (missing.length > 0) faults.push(`not recovered within ${RECOVERED_WITHIN_S} s: ${missing.join(' | ')}`)
  }
  const printed = again.outputs().flatMap(({ stdout }) => stdout)
  const isNamed = printed.some((line) => line.startsWith(`no answer about order ${unanswered.orderCode}`))
  if (name === 'Stripe' && !isNamed) faults.push(`the order without an answer is not named: ${printed.join(' | ')}`)
  const closed = await shop.payWhole(unanswered.checkoutId, { number: CHARGED_CARD })
  if (closed.answer.status !== 409) faults.push(`its checkout is not closed to payment: ${closed.answer.status}`)
  faults.push(...(await settleByHand(parts, unanswered)))
  if (name === 'Adyen') {
    const release = ['doubt', 'release', '--merchant', 'demo', '--mode', 'test', '--why', 'the report names all others']
    if ((await runCommand(release, env)).code !== 0) faults.push('doubt release failed')
  }
  // A refund of the settled payment is recorded by the comparison after it.
  await again.kill()
  await again.start()
  const paidOnceMore = await payAllOpen(port, CHARGED_CARD)
  await waitUntilSettled(restored)
  await double.settle(restored)
  await missingAtLast(() => breaksOf(parts))
  await again.kill()
  faults.push(...(await breaksOf(parts)))
  return {
    lost: parts.lost,
    chargesAfter: charges.length,
    held,
    silences: double.silences(),
    paidOnceMore,
    doubleCharges: await doubleChargesOf(parts, double),
    faults,
  }
}

const NOTHING_SHOWN = {
  chargesAfter: 0,
  held: 0,
  silences: 0,
  paidOnceMore: 0,
  doubleCharges: 0,
  faults: ['no charge was made after the backup of a checkout that it holds, which shows nothing'],
} as const

export const runAcquirerRound = async (name: DoubleName, options: BackupOptions): Promise<AcquirerReport> => {
  let double: AcquirerDouble | undefined
  const opened = (): AcquirerDouble => {
    if (double === undefined) throw new Error('the double is not open')
    return double
  }
  try {
    return await withLostServer(
      options,
      async (env, sandbox, port) => {
        double = await openAcquirerDouble(name, sandbox)
        await double.setUp(env, port)
      },
      (parts) => prove(parts, opened(), name),
    )
  } finally {
    await double?.stop()
  }
}
