/** Settings check: whether the server's environment can be read, and what in it will not do for a public server. */
import { isLoopback } from '#contract/loopback.ts'
import type { Config } from '../../config/config.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

/** Where the server keeps its data, in words. */
const place = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl === null ? `embedded database in ${dataDir}` : 'PostgreSQL'

export const unreadableSettings = (problem: string): Finding =>
  fail('the environment cannot be read', `${problem} Give this command the environment of the server.`)

export const judgeSettings = (config: Config, isProduction: boolean): Finding => {
  const { publicBase, port, trustedProxies } = config
  const says = `${publicBase.origin}, port ${port}, ${place(config)}`
  const isPublic = !isLoopback(publicBase.hostname)
  if (isPublic && publicBase.protocol === 'http:')
    return fail(
      `${says}: shoppers would send card numbers over plain http`,
      'set PUBLIC_BASE to an address that begins with https://, and end TLS in a proxy.',
    )
  if (isPublic && trustedProxies.length === 0)
    return warn(
      `${says}: no proxy is trusted, so all shoppers behind one count as one address`,
      'set TRUSTED_PROXIES to the address of the proxy.',
    )
  if (isPublic && !isProduction)
    return warn(`${says}: NODE_ENV is not production`, 'set NODE_ENV=production, so that nothing is left to defaults.')
  return isProduction && !isPublic
    ? warn(`${says}: only this machine reaches it`, 'set PUBLIC_BASE to where the world reaches it.')
    : ok(says)
}
