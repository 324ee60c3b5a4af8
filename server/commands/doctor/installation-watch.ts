/** Installation watch: what this server knows of its clock, its database and its certificate, for the operator in the console. */
import { DAY_MS, HOUR_MS, type Instant } from '#contract/jst.ts'
import type { InstallationWarning } from '#contract/merchant/attention.ts'
import { isClockSkewed } from '#payment/clock.ts'
import { iso } from '#contract/answer-fields.ts'
import { startWatch, type Watch } from '../../background/watch.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { CertificateFacts, Network } from './network.ts'
import { CERTIFICATE_WARN_DAYS } from './public-checks.ts'

/** A certificate is renewed days before it ends. */
const LOOK_INTERVAL_MS = 6 * HOUR_MS

interface Watched extends Pick<Dependencies, 'clock' | 'clockCheck' | 'writeProbe' | 'publicBase'> {
  readonly network: Pick<Network, 'resolve' | 'certificate'>
  /** How far this server's clock is ahead of the database's, as last measured. */
  readonly skewMs: () => number | null
}

export interface InstallationWatch extends Watch {
  /** Reads the certificate once more. Never fails. */
  look(): Promise<void>
  warnings(): Promise<readonly InstallationWarning[]>
}

const certificateWarning = (
  host: string,
  { untrusted, validTo }: CertificateFacts,
  now: Instant,
): InstallationWarning | null => {
  if (untrusted !== null) return { kind: 'certificate_refused', host, why: untrusted }
  return validTo - now < CERTIFICATE_WARN_DAYS * DAY_MS
    ? { kind: 'certificate_expires', host, validTo: iso(validTo) }
    : null
}

/** Of the base alone: the proxy has one certificate for it and for every host below, or `doctor` says so. */
export const createInstallationWatch = (watched: Watched): Omit<InstallationWatch, 'stop'> => {
  const { clock, clockCheck, writeProbe, publicBase, network, skewMs } = watched
  const { hostname: host, protocol, port } = publicBase
  let facts: CertificateFacts | null = null
  return {
    look: async () => {
      if (protocol === 'http:') return
      try {
        const [address] = await network.resolve(host)
        if (address !== undefined) facts = await network.certificate(host, port === '' ? 443 : Number(port), address)
      } catch {
        // A server that does not reach its own public address is no fault: behind some routers none does. Nothing is known then.
        facts = null
      }
    },
    warnings: async () => {
      const ofCertificate = facts === null ? null : certificateWarning(host, facts, clock.now())
      const skew = skewMs()
      return [
        ...((await writeProbe.takesWrites()) ? [] : [{ kind: 'database_not_writable' } as const]),
        ...(clockCheck.isConfirmed() ? [] : [{ kind: 'clock_not_confirmed' } as const]),
        ...(skew !== null && isClockSkewed(skew) ? [{ kind: 'clock_skew', aheadMs: skew } as const] : []),
        ...(ofCertificate === null ? [] : [ofCertificate]),
      ]
    },
  }
}

/** Looks at once and then every six hours, until it is stopped. */
export const startInstallationWatch = (watched: Watched): InstallationWatch => {
  const watch = createInstallationWatch(watched)
  void watch.look()
  return { ...watch, stop: startWatch(LOOK_INTERVAL_MS, watch.look).stop }
}
