/** Proof, acquirer: the contract of every gateway against a real test account at Stripe or Adyen, where its keys are given. */
import { fileURLToPath } from 'node:url'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { CannotRunHere, CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'

interface Account {
  readonly file: string
  /** Without them the account is not asked. */
  readonly variables: readonly string[]
  /** What even a run with a real account does not show. */
  readonly notTried: string
}

const ACCOUNTS: Readonly<Record<'stripe' | 'adyen', Account>> = {
  stripe: {
    file: 'stripe-account.ts',
    variables: ['STRIPE_TEST_KEY'],
    notTried: 'a payment that stays in processing, idempotency keys that have lapsed',
  },
  adyen: {
    file: 'adyen-account.ts',
    variables: ['ADYEN_TEST_API_KEY', 'ADYEN_TEST_MERCHANT_ACCOUNT', 'ADYEN_TEST_HMAC_KEY'],
    notTried:
      'refunds and statements (Adyen tells of them by notifications, which need a public address), idempotency keys that have lapsed',
  },
}

type AccountName = keyof typeof ACCOUNTS
const isAccountName = (name: string): name is AccountName => Object.hasOwn(ACCOUNTS, name)

/** Runs the test file of an account, and answers how many tests it has passed. */
export type RunAccount = (file: string) => Promise<{ readonly passed: number; readonly failed: number }>

const runAccount: RunAccount = async (file) => {
  const stream = run({ files: [fileURLToPath(new URL(file, import.meta.url))] })
  const counts = { passed: 0, failed: 0 }
  stream.on('test:pass', ({ details }) => {
    if (details.type !== 'suite') counts.passed += 1
  })
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') counts.failed += 1
  })
  for await (const text of stream.compose(spec)) process.stderr.write(String(text))
  return counts
}

const missingOf = (name: AccountName, env: NodeJS.ProcessEnv): string =>
  ACCOUNTS[name].variables.filter((variable) => (env[variable] ?? '') === '').join(', ')

const proveAccount = async (name: AccountName, env: NodeJS.ProcessEnv, runTests: RunAccount): Promise<Figures> => {
  const { file, notTried } = ACCOUNTS[name]
  const missing = missingOf(name, env)
  if (missing !== '') return { ran: 'not run', missing }
  const { passed, failed } = await runTests(file)
  if (failed > 0) throw new CommandError(`${failed} of ${passed + failed} clauses do not hold at ${name}, see above`)
  if (passed === 0) throw new CommandError(`no clause was tried at ${name}, which shows nothing`)
  return { ran: 'against a real test account', clauses: passed, failed, notTried }
}

export const parameters = '[stripe|adyen]'

/** Without a name both accounts are asked; an account that was not named is recorded as not run. */
export const measure = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  runTests: RunAccount = runAccount,
): Promise<Figures> => {
  const [name, ...rest] = args
  if (rest.length > 0 || (name !== undefined && !isAccountName(name)))
    throw new CommandError(`name one acquirer, stripe or adyen, or none for both: not ${args.join(' ')}`)
  const missing = (name === undefined ? (['stripe', 'adyen'] as const) : [name]).map((each) => missingOf(each, env))
  if (!missing.includes(''))
    throw new CannotRunHere(`no account was asked: set ${missing.join(', or ')} to the keys of a test account`)
  const figuresOf = async (each: AccountName): Promise<Figures> =>
    name === undefined || name === each ? proveAccount(each, env, runTests) : { ran: 'not run', missing: 'its name' }
  return { stripe: await figuresOf('stripe'), adyen: await figuresOf('adyen') }
}
