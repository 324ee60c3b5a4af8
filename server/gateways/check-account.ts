/** Account check: asks acquirer and 3-D Secure server whether an account can charge. */
import { ACQUIRER_LIMITS } from '#payment/acquirer-limits.ts'
import type { Config } from '../config/config.ts'
import { COMMAND_NAMES } from '../config/release.ts'
import { threeDSCredentialsFor, type ThreeDSAccount } from '../three-ds/account-credentials.ts'
import { credentialsFault } from '../three-ds/active-server/check-credentials.ts'
import { createTransport } from '../three-ds/active-server/transport.ts'
import { readClientTls } from '../three-ds/open.ts'
import { checkOpened, type AcquirerAdapters, type OpenedAccount } from './accounts.ts'
import type { AccountProblem } from './credentials.ts'

const REFUSED_MEND =
  'set the account again with the --three-ds-merchant-id and the --three-ds-token-file that belong together there.'
const UNREACHED_MEND = `${COMMAND_NAMES.program} doctor says how to mend the connection to it.`

const threeDSProblems = async (account: ThreeDSAccount, config: Config): Promise<readonly AccountProblem[]> => {
  const credentials = threeDSCredentialsFor(account.mode, account, config)
  const { server } = config.threeDS
  if ('problem' in credentials) return [credentials]
  if (server === null) return []
  try {
    const { apiUrl, timeoutMs } = server
    const send = createTransport({ apiUrl, tls: await readClientTls(server) })
    const found = await credentialsFault(send, apiUrl, credentials, timeoutMs)
    if (found === null) return []
    const { fault, isRefused } = found
    return [
      isRefused
        ? { problem: `the 3-D Secure server does not take this merchant id (${fault})`, mend: REFUSED_MEND }
        : { problem: `the 3-D Secure server could not be asked (${fault})`, mend: UNREACHED_MEND },
    ]
  } catch {
    return [{ problem: 'the client certificate for the 3-D Secure server cannot be used', mend: UNREACHED_MEND }]
  }
}

/** What is wrong with an account; none: it can charge. An acquirer's answer may quote a secret: clean it before it is shown. */
export const accountProblems = async (
  adapters: AcquirerAdapters,
  { account, threeDS }: { readonly account: OpenedAccount; readonly threeDS: ThreeDSAccount },
  config: Config,
): Promise<readonly AccountProblem[]> => {
  const { name } = ACQUIRER_LIMITS[account.credentials.kind]
  // An exception is not told: its message may hold what was sent.
  const atAcquirer = await checkOpened(adapters, account).catch(() => [
    { problem: `${name} could not be asked`, mend: 'see that this machine reaches it by https, then run this again.' },
  ])
  return [...atAcquirer, ...(await threeDSProblems(threeDS, config))]
}
