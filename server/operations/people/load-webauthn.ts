/** Load WebAuthn: the library that verifies passkeys, when it is first needed, or before that while the server has nothing to do. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Its 300 modules take as much CPU time as forty payments: a server that starts does not wait for them. */
export const loadWebAuthn = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
})

/** What it needs, each after what it needs itself. Loaded at once, all of it stops every payment for 150 ms. */
export const WEBAUTHN_PARTS: readonly string[] = [
  // Before what fails without it, and then fails for the library too.
  'reflect-metadata',
  'tslib',
  'asn1js',
  '@peculiar/asn1-schema',
  '@peculiar/utils',
  '@peculiar/asn1-x509',
  '@peculiar/asn1-rsa',
  '@peculiar/asn1-x509-post-quantum',
  '@peculiar/asn1-cms',
  '@peculiar/asn1-pkcs9',
  '@peculiar/x509',
  '@simplewebauthn/server/helpers',
]

const LOOK_MS = 100
/** The part of that time in which payments or other work ran. */
const IDLE_BELOW = 0.3
/** On a server that is never idle the parts come one in five seconds: the first passkey would need them all at once. */
const LOOKS_MAX = 50

export const untilIdle = async (): Promise<void> => {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const before = performance.eventLoopUtilization()
    await sleep(LOOK_MS, undefined, { ref: false })
    if (performance.eventLoopUtilization(before).utilization < IDLE_BELOW) return
  }
}

/** Loads one part after the other. One that a later release of the library does without is no fault. */
export const loadWebAuthnInParts = async (pause: () => Promise<void>): Promise<void> => {
  for (const part of WEBAUTHN_PARTS) {
    await pause()
    await import(part).catch(() => undefined)
  }
  await pause()
  await loadWebAuthn()
}
