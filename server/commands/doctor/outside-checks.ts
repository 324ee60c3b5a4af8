/** Outside checks: whether the 3-D Secure server and the acquirer can be reached, and whether they are real. */
import type { Gateway, Readiness } from '#payment/ports.ts'
import type { Config } from '../../config/config.ts'
import { COMMAND_NAMES } from '../../config/release.ts'
import { createTransport, type Exchange, type Failure } from '../../three-ds/active-server/transport.ts'
import { readClientTls } from '../../three-ds/open.ts'
import { messageOf } from '../../log.ts'
import { fail, ok, START_SANDBOX, warn, type Finding } from './finding.ts'

const REACH = 'see that it runs, that THREE_DS_API_URL is right and that no firewall is between.'

const MENDS: Readonly<Record<Failure['kind'], string>> = {
  timeout: REACH,
  refused: REACH,
  broken: REACH,
  'hung up': 'see that THREE_DS_CLIENT_CERTIFICATE is the one that it expects.',
  'too large': REACH,
  untrusted: 'set THREE_DS_CA to the authority that has signed its certificate.',
  unwelcome: 'set THREE_DS_CLIENT_CERTIFICATE to a certificate that it accepts.',
  tls: 'see that THREE_DS_API_URL is an address for https.',
}

const describe = (failure: Failure): string => ('code' in failure ? `${failure.kind}, ${failure.code}` : failure.kind)

export const judgeThreeDS = (place: string, exchange: Exchange, isSimulated: boolean): Finding => {
  if (!exchange.ok) {
    const { failure } = exchange
    return fail(`${place} cannot be reached (${describe(failure)})`, isSimulated ? START_SANDBOX : MENDS[failure.kind])
  }
  const { status } = exchange.reply
  return status >= 500
    ? warn(`${place} answers HTTP ${status}`, 'ask whoever runs it: no card is authenticated meanwhile.')
    : ok(`${place} answers`)
}

const TIMEOUT_MS = 5000

export const lookAtThreeDS = async ({ threeDS }: Pick<Config, 'threeDS'>): Promise<Finding> => {
  const { server } = threeDS
  if (server === null)
    return warn('none is configured: no card can be authenticated', 'set THREE_DS_API_URL and what belongs to it.')
  const isSimulated = server.isSandbox
  const place = isSimulated ? `the sandbox's, simulated, at ${server.apiUrl.host},` : server.apiUrl.host
  try {
    const { apiUrl, merchantToken } = server
    const send = createTransport({ apiUrl, tls: await readClientTls(server) })
    const asked = { method: 'GET', url: apiUrl, merchantToken } as const
    return judgeThreeDS(place, await send(asked, AbortSignal.timeout(TIMEOUT_MS)), isSimulated)
  } catch (error) {
    return fail(
      `our certificate cannot be used (${messageOf(error)})`,
      'mend THREE_DS_CLIENT_CERTIFICATE, THREE_DS_CLIENT_PASSPHRASE or THREE_DS_CA.',
    )
  }
}

export interface AcquirerFacts {
  /** Host and port; null: there is none. */
  readonly sandbox: string | null
  readonly readiness: Readiness
  readonly isProduction: boolean
  /** Shops have accounts of their own, which are looked at by themselves. */
  readonly hasAccounts: boolean
}

export const judgeAcquirer = ({ sandbox, readiness, isProduction, hasAccounts }: AcquirerFacts): Finding => {
  if (sandbox === null)
    return hasAccounts
      ? ok('no sandbox: shops take payments at their own accounts')
      : warn(
          'none is configured: nothing can be paid',
          `${COMMAND_NAMES.program} acquirer set --help for an account, or SANDBOX=on for pretend money.`,
        )
  const place = `the sandbox at ${sandbox}`
  if (readiness !== 'ready')
    return fail(`${place} is ${readiness === 'refused' ? 'not there' : 'silent'}`, START_SANDBOX)
  const says = `${place} answers: test payments of shops without a test account move pretend money`
  return isProduction
    ? warn(says, 'deliver no order that was paid there: nobody is charged. SANDBOX=off takes it away.')
    : ok(says)
}

export const lookAtAcquirer = async (
  gateway: Pick<Gateway, 'ready'> | null,
  { sandbox }: Pick<Config, 'sandbox'>,
  isProduction: boolean,
  hasAccounts: Promise<boolean>,
): Promise<Finding> =>
  judgeAcquirer({
    sandbox: sandbox === null ? null : new URL(sandbox.origin).host,
    readiness: (await gateway?.ready()) ?? 'refused',
    isProduction,
    hasAccounts: await hasAccounts,
  })
