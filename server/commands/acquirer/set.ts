/** Acquirer set: stores the account of a merchant at an acquirer, with its credentials sealed. */
import { isMerchantMode, MERCHANT_MODES, type MerchantMode } from '#contract/access.ts'
import { isLoopback, isOnThisMachine } from '#contract/loopback.ts'
import { ACQUIRER_KINDS, ACQUIRER_LIMITS, isAcquirerKind, type AcquirerKind } from '#payment/acquirer-limits.ts'
import { givenCredentials, hintOf, type AcquirerCredentials } from '../../gateways/credentials.ts'
import type { Sealing } from '../../config/sealed.ts'
import { hasCheckouts } from '../../store/checkout/has-checkouts.ts'
import {
  findAccount,
  openSealed,
  saveAccount,
  type StoredAccount,
  type NewAccount,
} from '../../store/merchant/acquirer-accounts.ts'
import { isMerchantToken } from '../../three-ds/active-server/transport.ts'
import { isProblem, PROGRAM, type Command, type CommandProblem, type Given } from '../command.ts'
import { namedMerchant, withConfirmedClock } from '../operator-database.ts'
import { factLines, instantText, timeText } from '../table.ts'
import { operatorSealing } from './operator-sealing.ts'
import { readSecretFile, STANDARD_INPUT, type SecretFileOptions } from './secret-file.ts'

const BASE_MAX = 200
const THREE_DS_ID = /^[\x21-\x7e]{1,35}$/

/** Card numbers and credentials travel there: in the clear on this machine alone. */
const readApiBase = (text: string | null): { readonly apiBase: string | null } | CommandProblem => {
  if (text === null) return { apiBase: null }
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url === null || !isSafe)
    return { problem: '--api-base must be an address that begins with https://, or with http:// on this machine.' }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || text.length > BASE_MAX)
    return { problem: '--api-base is scheme, host, port and path alone: leave the rest out.' }
  return { apiBase: url.href.replace(/\/$/, '') }
}

interface GivenAccount {
  readonly mode: MerchantMode
  readonly kind: AcquirerKind
  readonly apiBase: string | null
  readonly credentials: AcquirerCredentials
  /** Null: not given, so those of before stay. */
  readonly threeDS: Pick<NewAccount, 'threeDSMerchantId' | 'threeDSToken'> | null
}

const readThreeDS = async (
  given: Given,
  files: SecretFileOptions,
): Promise<{ readonly threeDS: GivenAccount['threeDS'] } | CommandProblem> => {
  const [threeDSMerchantId, file] = [given.textOrNull('three-ds-merchant-id'), given.textOrNull('three-ds-token-file')]
  if (threeDSMerchantId === null)
    return file === null
      ? { threeDS: null }
      : {
          problem:
            '--three-ds-token-file belongs to --three-ds-merchant-id: give both, or none to keep those of before.',
        }
  if (!THREE_DS_ID.test(threeDSMerchantId))
    return { problem: '--three-ds-merchant-id has 1 to 35 letters, digits or signs, without spaces.' }
  if (file === null) return { threeDS: { threeDSMerchantId, threeDSToken: null } }
  if (file === STANDARD_INPUT && given.text('secret-file') === STANDARD_INPUT)
    return { problem: 'Standard input can hold one secret: give --secret-file or --three-ds-token-file as a file.' }
  const read = await readSecretFile('three-ds-token-file', file, files)
  if (isProblem(read)) return read
  return isMerchantToken(read.text)
    ? { threeDS: { threeDSMerchantId, threeDSToken: read.text } }
    : { problem: '--three-ds-token-file holds no token: it must be one line of letters, digits and signs.' }
}

const readGiven = async (given: Given, files: SecretFileOptions): Promise<GivenAccount | CommandProblem> => {
  const [mode, kind] = [given.text('mode'), given.text('kind')]
  if (!isMerchantMode(mode)) return { problem: `--mode is "${mode}": give ${MERCHANT_MODES.join(' or ')}.` }
  if (!isAcquirerKind(kind)) return { problem: `--kind is "${kind}": give ${ACQUIRER_KINDS.join(' or ')}.` }
  const base = readApiBase(given.textOrNull('api-base'))
  if (isProblem(base)) return base
  const secret = await readSecretFile('secret-file', given.text('secret-file'), files)
  if (isProblem(secret)) return secret
  const credentials = givenCredentials(kind, secret.text, { mode, hasApiBase: base.apiBase !== null })
  if ('problem' in credentials) return { problem: `--secret-file: ${credentials.problem}. Mend: ${credentials.mend}` }
  const threeDS = await readThreeDS(given, files)
  return isProblem(threeDS) ? threeDS : { mode, kind, credentials, ...base, ...threeDS }
}

/** Those of the account before; a token that does not open must be given again. */
const keptThreeDS = (
  sealing: Sealing,
  before: StoredAccount | null,
): NonNullable<GivenAccount['threeDS']> | CommandProblem => {
  if (before === null || before.threeDSMerchantId === null) return { threeDSMerchantId: null, threeDSToken: null }
  const opened = openSealed(sealing, before)
  return opened === null && before.threeDSToken !== null
    ? {
        problem:
          'The 3-D Secure token of before cannot be opened: give --three-ds-merchant-id and --three-ds-token-file.',
      }
    : { threeDSMerchantId: before.threeDSMerchantId, threeDSToken: opened?.threeDSToken ?? null }
}

const isAtDouble = ({ apiBase }: Pick<StoredAccount, 'apiBase'>): boolean => isOnThisMachine(apiBase)

const otherPlaceProblem = (before: StoredAccount, label: string): string =>
  isAtDouble(before)
    ? `The live payments of ${label} were pretended, by a double on this machine, and its books would mix them with real ones. Nothing was changed: open another shop for real money (${PROGRAM} merchant create --help).`
    : `The live payments of ${label} are real, and a double on this machine can neither refund them nor say what became of them. Nothing was changed: open another shop to try something (${PROGRAM} merchant create --help).`

const otherKindProblem = (before: StoredAccount, label: string): string =>
  `The ${before.mode} payments of ${label} are at ${ACQUIRER_LIMITS[before.kind].name}, and another acquirer can neither refund them nor say what became of them. Nothing was changed: open another shop for the other acquirer (${PROGRAM} merchant create --help).`

export const createAcquirerSet = (standardInput: SecretFileOptions['standardInput']): Command => ({
  summary: 'stores the account of a merchant at an acquirer; its secrets are sealed and never shown',
  options: {
    merchant: { value: '<label>', help: 'whose account', isRequired: true },
    mode: { value: MERCHANT_MODES.join('|'), help: 'live: real money', isRequired: true },
    kind: { value: ACQUIRER_KINDS.join('|'), help: 'the acquirer', isRequired: true },
    'secret-file': {
      value: '<file>',
      help: 'stripe: the secret or restricted key; adyen: JSON with apiKey, merchantAccount, hmacKey, reportApiKey, liveUrlPrefix; - reads standard input',
      isRequired: true,
    },
    'api-base': { value: '<address>', help: 'where its API is; left out, the acquirer’s own' },
    'three-ds-merchant-id': {
      value: '<id>',
      help: 'the merchant’s id at the 3-D Secure server; left out, id and token stay as they are',
    },
    'three-ds-token-file': { value: '<file>', help: 'its token there, if it has one; - reads standard input' },
  },
  example: 'acquirer set --merchant tea --mode live --kind stripe --secret-file stripe.key --three-ds-merchant-id 1234',
  run: async (given, env, terminal) => {
    const account = await readGiven(given, { env, terminal, standardInput })
    if (isProblem(account)) return account
    return withConfirmedClock(env, async (deps) => {
      const merchant = await namedMerchant(deps.database, given.text('merchant'))
      if (isProblem(merchant)) return merchant
      const keys = await operatorSealing(deps)
      if (isProblem(keys)) return keys
      const { mode, kind, apiBase, credentials } = account
      const ref = { merchantId: merchant.id, mode }
      const before = await findAccount(deps.database, ref)
      if (mode === 'live' && before !== null && (await hasCheckouts(deps.database, ref))) {
        if (before.kind !== kind) return { problem: otherKindProblem(before, merchant.label) }
        if (isAtDouble(before) !== isAtDouble(account)) return { problem: otherPlaceProblem(before, merchant.label) }
      }
      const threeDS = account.threeDS ?? keptThreeDS(keys.sealing, before)
      if (isProblem(threeDS)) return threeDS
      const setAt = deps.clock.now()
      const plain = JSON.stringify(credentials)
      await saveAccount(deps.database, keys.sealing, { ...ref, kind, apiBase, credentials: plain, ...threeDS, setAt })
      const { threeDSMerchantId } = threeDS
      const facts = { merchant: merchant.label, mode, kind, apiBase, key: `…${hintOf(credentials)}`, threeDSMerchantId }
      const next =
        mode === 'live'
          ? 'Live keys of this shop are refused until it passes its check:'
          : 'From the next second on its tests are paid there. To look whether it can charge:'
      return {
        value: { ...facts, setAt: instantText(setAt) },
        lines: [
          ...factLines({ ...facts, setAt: timeText(setAt) }),
          `${next} ${PROGRAM} acquirer check --merchant ${merchant.label} --mode ${mode}`,
        ],
      }
    })
  },
})
