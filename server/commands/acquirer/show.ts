/** Acquirer show: the accounts of merchants at acquirers, without their secrets. */
import { hintOf } from '../../gateways/credentials.ts'
import { openAccount } from '../../gateways/accounts.ts'
import type { Sealing } from '../../config/sealed.ts'
import { listAccounts, type StoredAccount } from '../../store/merchant/acquirer-accounts.ts'
import { isProblem, PROGRAM, type Command } from '../command.ts'
import { namedMerchant, withOperatorDependencies } from '../operator-database.ts'
import { factLines, instantText, timeText } from '../table.ts'
import { operatorSealing } from './operator-sealing.ts'

const factsOf = (account: StoredAccount, sealing: Sealing) => {
  const opened = openAccount(sealing, account)
  return {
    merchant: account.label,
    mode: account.mode,
    kind: account.kind,
    apiBase: account.apiBase,
    key: opened === null ? 'cannot be opened: set the account again' : `…${hintOf(opened.account.credentials)}`,
    threeDSMerchantId: account.threeDSMerchantId,
    hasThreeDSToken: account.threeDSToken !== null,
    setAt: instantText(account.setAt),
    checkedAt: instantText(account.checkedAt),
    checkProblems: account.checkProblems?.split('\n') ?? [],
  }
}

const linesOf = ({ hasThreeDSToken, checkProblems, ...facts }: ReturnType<typeof factsOf>): string[] => [
  ...factLines({
    ...facts,
    threeDSToken: hasThreeDSToken ? 'set' : null,
    setAt: timeText(facts.setAt),
    checkedAt: timeText(facts.checkedAt) ?? 'never passed',
  }),
  ...checkProblems.map((line) => `last check: ${line}`),
]

export const acquirerShow: Command = {
  summary: 'shows accounts at acquirers: kind, address, when set and checked, the end of the key',
  options: { merchant: { value: '<label>', help: 'of this merchant alone' } },
  example: 'acquirer show --merchant tea',
  run: (given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const label = given.textOrNull('merchant')
      const wanted = label === null ? null : await namedMerchant(deps.database, label)
      if (wanted !== null && isProblem(wanted)) return wanted
      const keys = await operatorSealing(deps)
      if (isProblem(keys)) return keys
      const { accounts, unreadable } = await listAccounts(deps.database)
      const isWanted = (account: { readonly label: string }): boolean => label === null || account.label === label
      const items = accounts.filter(isWanted).map((account) => factsOf(account, keys.sealing))
      const broken = unreadable.filter(isWanted).map(({ label: merchant, mode, why }) => ({ merchant, mode, why }))
      const brokenLines = broken.map(
        ({ merchant, mode, why }) => `The ${mode} account of ${merchant} cannot be read (${why}): set it again.`,
      )
      return {
        value: { items, ...(broken.length === 0 ? {} : { unreadable: broken }) },
        lines:
          items.length + broken.length === 0
            ? [`No account yet: tests are paid at the sandbox. To set one: ${PROGRAM} acquirer set --help`]
            : [...items.flatMap((facts, at) => [...(at === 0 ? [] : ['']), ...linesOf(facts)]), ...brokenLines],
      }
    }),
}
