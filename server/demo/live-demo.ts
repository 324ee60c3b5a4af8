/** Live demo: a second shop in live mode, whose account is at the sandbox's double of Stripe. Nothing in it is real money. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { COMMAND_NAMES } from '../config/release.ts'
import { createSealing, type Sealing } from '../config/sealed.ts'
import type { Dependencies } from '../dependencies.ts'
import { openAccount } from '../gateways/accounts.ts'
import { createAcquirerAdapters } from '../gateways/adapters.ts'
import { accountProblems } from '../gateways/check-account.ts'
import { findAccount, saveAccount, saveCheck } from '../store/merchant/acquirer-accounts.ts'
import { demoMerchant, openForPayment, SHOP_HOST, type Demo } from './demo.ts'

export const LIVE_DEMO_LABEL = 'demo-live'

const CANNOT_BE_PAID = `The live demo (DEMO_LIVE) cannot be paid: its double of Stripe, or the 3-D Secure server of the sandbox, did not pass. Is the sandbox running? ${COMMAND_NAMES.program} acquirer check --merchant ${LIVE_DEMO_LABEL} --mode live says what is wrong.`

const newSecretKey = (): string => `sk_live_${randomBytes(20).toString('hex')}`

interface LiveDemoDependencies {
  readonly deps: Dependencies
  readonly config: Config
  readonly sealing: Sealing
}

/** Sets the account, or keeps the one that stands: at the double the key is the account, and another knows none of its payments. */
const setAccount = async (
  { deps, sealing }: LiveDemoDependencies,
  merchantId: string,
  apiBase: string,
): Promise<void> => {
  await deps.database.transact(async (sql) => {
    // Of two servers that start together the second keeps the account that the first has set.
    await sql.lockNames(LIVE_DEMO_LABEL)
    const before = await findAccount(sql, { merchantId, mode: 'live' })
    const opened = before === null ? null : openAccount(sealing, before)
    if (opened !== null && before?.apiBase === apiBase) return
    const credentials = JSON.stringify(opened?.account.credentials ?? { kind: 'stripe', secretKey: newSecretKey() })
    const none = { threeDSMerchantId: null, threeDSToken: null }
    const account = { merchantId, mode: 'live', kind: 'stripe', apiBase, credentials, ...none } as const
    await saveAccount(sql, sealing, { ...account, setAt: deps.clock.now() })
  })
}

/** As `acquirer check` does it; null: it passed, and live keys of the shop work. */
const checkAccount = async (
  { deps, config, sealing }: LiveDemoDependencies,
  merchantId: string,
): Promise<{ readonly problem: string } | null> => {
  const { database, clock } = deps
  const row = await findAccount(database, { merchantId, mode: 'live' })
  const opened = row === null ? null : openAccount(sealing, row)
  if (row === null || opened === null) throw new Error('the account of the live demo could not be stored')
  const { gatewayTimeoutMs, publicBase } = config
  const adapters = createAcquirerAdapters({ gatewayTimeoutMs, clock, sql: database, publicBase })
  if ((await accountProblems(adapters, opened, config)).length > 0) return { problem: CANNOT_BE_PAID }
  await saveCheck(database, row, { checkedAt: clock.now() })
  return null
}

/** A shop in live mode as any other, with an account that passed its check; only its acquirer is a double. */
export const openLiveDemo = async (
  deps: Dependencies,
  config: Config,
  { sandbox, secretKeys }: { readonly sandbox: string; readonly secretKeys: readonly string[] },
): Promise<Demo | { readonly problem: string }> => {
  const own = { deps, config, sealing: createSealing(secretKeys) }
  // A link of a live checkout leads to a registered host alone.
  const merchant = await demoMerchant(deps, LIVE_DEMO_LABEL, [SHOP_HOST])
  await setAccount(own, merchant.id, `${sandbox}/stripe`)
  const failed = await checkAccount(own, merchant.id)
  if (failed !== null) return failed
  return openForPayment(deps, merchant, { mode: 'live', acquirer: 'stripe', dataDir: config.dataDir, fixedKey: null })
}
