/** Secret commands: rotate the secret key, end keys before it, or go on without one that is lost. */
import type { AcquirerKind } from '#payment/acquirer-limits.ts'
import { secretKeyId } from '../config/secret-key-id.ts'
import { newSecretKey, readSecretKeys, writeSecretKeys } from '../config/secret-key.ts'
import { forgetSecretKey, placeOfSecretKey, secretUses, type SecretUse } from '../store/engine/secret-key-check.ts'
import { listAccounts, type StoredAccount } from '../store/merchant/acquirer-accounts.ts'
import type { Sql } from '../store/engine/database.ts'
import { otherKeyProblem } from '../store/prepare-database.ts'
import { PROGRAM, type Command, type CommandProblem } from './command.ts'
import { withOperatorDependencies, type OperatorDependencies, withConfirmedClock } from './operator-database.ts'

const IN_ENVIRONMENT =
  'SECRET_KEY is set in the environment, which this command cannot change: put what SECRET_KEY is now, and a space, before what SECRET_KEY_PREVIOUS holds, and set SECRET_KEY to a new one (openssl rand -hex 32); then start the server and its workers again.'
const RETIRE_IN_ENVIRONMENT =
  'SECRET_KEY is set in the environment, which this command cannot change: unset SECRET_KEY_PREVIOUS and start the server and its workers again.'

/** The keys of the file, of which the first is the one that the server uses. */
const keysInUse = async (
  { config, database }: OperatorDependencies,
  inEnvironment: string,
): Promise<{ readonly keys: readonly string[] } | CommandProblem> => {
  if (config.secretKey !== null) return { problem: inEnvironment }
  const reading = await readSecretKeys(config)
  if ('problem' in reading) return reading
  const place = reading.keys.length === 0 ? null : await placeOfSecretKey(database, reading.keys)
  if (place === null) return { problem: otherKeyProblem(config) }
  return place === 0 ? reading : { problem: 'The server has not used the new secret key yet: start it again first.' }
}

const earlierUses = (uses: readonly SecretUse[]): SecretUse[] => uses.filter(({ keyId }) => keyId !== null)

const useLines = (uses: readonly SecretUse[]): string[] =>
  uses.map(({ merchant, endpoints }) => `  ${merchant}: ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}`)

interface AccountUse extends Pick<StoredAccount, 'mode'> {
  readonly merchant: string
  /** Null: its row cannot be read. */
  readonly kind: AcquirerKind | null
}

/** Those that are sealed with another key than this one; null: all. One that cannot be read counts as they do. */
const readAccountUses = async (sql: Sql, currentKeyId: string | null): Promise<AccountUse[]> => {
  const { accounts, unreadable } = await listAccounts(sql)
  const all = [...accounts, ...unreadable.map((account) => ({ ...account, kind: null }))]
  return all
    .filter(({ secretKeyId: keyId }) => keyId !== currentKeyId || currentKeyId === null)
    .map(({ label, mode, kind }) => ({ merchant: label, mode, kind }))
}

const accountLines = (accounts: readonly AccountUse[]): string[] =>
  accounts.map(
    ({ merchant, mode, kind }) =>
      `  ${merchant}: ${PROGRAM} acquirer set --merchant ${merchant} --mode ${mode} --kind ${kind ?? 'KIND'} --secret-file FILE`,
  )

/** A heading above lines, where there are any. */
const listed = (heading: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [heading, ...lines])

export const secretRotate: Command = {
  summary: 'makes a new secret key, used from the next start on; secrets of webhooks stay valid',
  example: 'secret rotate',
  run: (_given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const inUse = await keysInUse(deps, IN_ENVIRONMENT)
      if ('problem' in inUse) return inUse
      const key = newSecretKey()
      await writeSecretKeys(deps.config.dataDir, [key, ...inUse.keys])
      return {
        value: { id: secretKeyId(key), earlier: inUse.keys.map(secretKeyId) },
        lines: [
          `The secret key ${secretKeyId(key)} is used from the next start of the server on. Keep a copy of the file anew.`,
          'Webhooks are signed as before: an endpoint gets a secret of the new key when its merchant rolls it.',
          'Accounts at acquirers are sealed with the new key by that start.',
          `When all have: ${PROGRAM} secret retire ends the keys before it. Cards are counted anew from the next start on.`,
        ],
      }
    }),
}

export const secretRetire: Command = {
  summary: 'ends the secret keys before the current one, and with them webhook secrets that were not rolled',
  options: {
    unless: { value: 'used', help: 'changes nothing while a webhook or an acquirer account needs an earlier key' },
  },
  example: 'secret retire --unless used',
  endsWithOne: 'an earlier key is still in use',
  run: (given, env) =>
    withConfirmedClock(env, async (deps) => {
      const inUse = await keysInUse(deps, RETIRE_IN_ENVIRONMENT)
      if ('problem' in inUse) return inUse
      const unless = given.textOrNull('unless')
      if (unless !== null && unless !== 'used') return { problem: `--unless is "${unless}": give used.` }
      const [current = '', ...earlier] = inUse.keys
      const uses = earlierUses(await secretUses(deps.database, deps.clock.now(), secretKeyId(current)))
      const accounts = await readAccountUses(deps.database, secretKeyId(current))
      const isUsed = uses.length > 0 || accounts.length > 0
      const isKept = unless === 'used' && isUsed
      if (!isKept) await writeSecretKeys(deps.config.dataDir, [current])
      const kept = [
        'Nothing was changed.',
        ...listed('Endpoints with secrets of an earlier key:', useLines(uses)),
        ...listed('Acquirer accounts that are sealed with an earlier key; set them again:', accountLines(accounts)),
      ]
      const done = [
        ...listed(
          'From the next start on these endpoints are signed for with secrets that their merchants must roll to learn:',
          useLines(uses),
        ),
        ...listed(
          'From the next start on these acquirer accounts cannot be opened; set them again:',
          accountLines(accounts),
        ),
      ]
      const unused = ['Only the current secret key is left, from the next start of the server on.']
      return {
        value: { retired: isKept ? [] : earlier.map(secretKeyId), uses, accounts },
        lines: isKept ? kept : isUsed ? done : unused,
        exitCode: isKept ? 1 : 0,
      }
    }),
}

export const secretReset: Command = {
  summary: 'for a lost secret key: takes another; webhook secrets change, acquirer accounts are lost',
  example: 'secret reset',
  run: (_given, env) =>
    withOperatorDependencies(env, async ({ database, clock }) => {
      const claim = await database.claimServer('alone')
      if (!claim.isOurs)
        return { problem: `A server with its key runs on this database, so it is not lost. ${claim.holder}` }
      const uses = await secretUses(database, clock.now(), null)
      const accounts = await readAccountUses(database, null)
      await forgetSecretKey(database)
      return {
        value: { uses, accounts },
        lines: [
          'The next start of the server takes the secret key at hand, or makes one.',
          ...listed('These endpoints have new secrets, which their merchants must roll to learn:', useLines(uses)),
          ...listed(
            'The credentials of these acquirer accounts are lost: nothing can be paid there, and live keys are refused, until they are set again and checked:',
            accountLines(accounts),
          ),
        ],
      }
    }),
}
