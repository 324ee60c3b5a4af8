/** Acquirer check: asks acquirer and 3-D Secure server whether an account can charge, and stores what they say. */
import { isMerchantMode, MERCHANT_MODES } from '#contract/access.ts'
import { ACQUIRER_LIMITS } from '#payment/acquirer-limits.ts'
import { openAccount, type AcquirerAdapters } from '../../gateways/accounts.ts'
import { accountProblems } from '../../gateways/check-account.ts'
import { secretsIn } from '../../gateways/credentials.ts'
import { findAccount, saveCheck } from '../../store/merchant/acquirer-accounts.ts'
import { isProblem, PROGRAM, type Command } from '../command.ts'
import { namedMerchant, withConfirmedClock, type OperatorDependencies } from '../operator-database.ts'
import { instantText, printable, timeText } from '../table.ts'
import { operatorSealing } from './operator-sealing.ts'

/** Too short to be a secret, and found in many words. */
const SECRET_MIN = 6

/** An acquirer's answer may quote a key, and an adapter the answer. */
const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= SECRET_MIN)
    .reduce((clean, secret) => clean.replaceAll(secret, '…'), printable(text))

const PROBLEMS_MAX = 20

export const createAcquirerCheck = (adaptersOf: (deps: OperatorDependencies) => AcquirerAdapters): Command => ({
  summary: 'asks acquirer and 3-D Secure server about an account; once it passes, its live keys work',
  options: {
    merchant: { value: '<label>', help: 'whose account', isRequired: true },
    mode: { value: MERCHANT_MODES.join('|'), help: 'which of its accounts', isRequired: true },
  },
  example: 'acquirer check --merchant tea --mode live',
  endsWithOne: 'the account has not passed',
  run: (given, env) =>
    withConfirmedClock(env, async (deps) => {
      const [label, mode] = [given.text('merchant'), given.text('mode')]
      if (!isMerchantMode(mode)) return { problem: `--mode is "${mode}": give ${MERCHANT_MODES.join(' or ')}.` }
      const merchant = await namedMerchant(deps.database, label)
      if (isProblem(merchant)) return merchant
      const row = await findAccount(deps.database, { merchantId: merchant.id, mode })
      const again = `${PROGRAM} acquirer set --merchant ${label} --mode ${mode}`
      if (row === null) return { problem: `${label} has no ${mode} account: ${again} --kind … --secret-file …` }
      const keys = await operatorSealing(deps)
      if (isProblem(keys)) return keys
      const opened = openAccount(keys.sealing, row)
      if (opened === null)
        return {
          problem: `The ${mode} account of ${label} cannot be opened with the secret key at hand: set it again (${again} --kind ${row.kind} --secret-file …).`,
        }
      const { name } = ACQUIRER_LIMITS[row.kind]
      const found = await accountProblems(adaptersOf(deps), opened, deps.config)
      const secrets = [...secretsIn(opened.account.credentials), opened.threeDS.own?.merchantToken ?? '']
      const problems = found.slice(0, PROBLEMS_MAX).map((each) => ({
        problem: withoutSecrets(each.problem, secrets),
        mend: withoutSecrets(each.mend, secrets),
      }))
      const lines = problems.map(({ problem, mend }) => `${problem}. Mend: ${mend}`)
      const checkedAt = deps.clock.now()
      const isPassed = lines.length === 0
      const isStored = await saveCheck(deps.database, row, isPassed ? { checkedAt } : { problems: lines.join('\n') })
      if (!isStored)
        return { problem: `The account was set anew meanwhile, and this check was of the one before: run it again.` }
      const live = mode === 'live' ? ' Its live keys work.' : ''
      return {
        value: { merchant: label, mode, kind: row.kind, passed: isPassed, checkedAt: instantText(checkedAt), problems },
        lines: isPassed
          ? [`The ${mode} account of ${label} at ${name} passed its check at ${timeText(checkedAt)}.${live}`]
          : lines,
        exitCode: isPassed ? 0 : 1,
      }
    }),
})
