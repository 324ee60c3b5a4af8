/** Finding: what one check of `doctor` says, and how to mend it. */
import { COMMAND_NAMES } from '../../config/release.ts'

export type Finding =
  | { readonly state: 'ok'; readonly says: string }
  | { readonly state: 'warn' | 'fail'; readonly says: string; readonly mend: string }

/** One thing that is looked at. It answers findings, and never throws for what it looks at. */
export interface DoctorCheck {
  readonly name: string
  look(): Promise<Finding>
}

export type NamedFinding = Finding & { readonly check: string }

export const ok = (says: string): Finding => ({ state: 'ok', says })
export const warn = (says: string, mend: string): Finding => ({ state: 'warn', says, mend })
export const fail = (says: string, mend: string): Finding => ({ state: 'fail', says, mend })

const NAMED_MAX = 3

/** The first three of a list, and how many more there are. */
export const firstThree = (texts: readonly string[], separator = ', '): string => {
  const more = texts.length - NAMED_MAX
  return [...texts.slice(0, NAMED_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join(separator)
}

export const START_SANDBOX = `start it with ${COMMAND_NAMES.start}, with the same PORT and SANDBOX_PORT.`

/** Until the time of a check is up; `signal` ends the wait. */
export type Wait = (signal: AbortSignal) => Promise<unknown>

/** Runs a check that must not hang the command, whatever it waits for. */
export const lookWithin = async ({ name, look }: DoctorCheck, wait: Wait): Promise<NamedFinding> => {
  const ending = new AbortController()
  const tooLate = wait(ending.signal).then(
    () => fail('no answer in time', 'run it again; if that does not help, look at what it asks by other means.'),
    // The check has ended first.
    () => fail('', ''),
  )
  const looked = look().catch((error: unknown) =>
    fail(`could not be looked at (${error instanceof Error ? error.message : 'no reason given'})`, 'run it again.'),
  )
  try {
    return { check: name, ...(await Promise.race([looked, tooLate])) }
  } finally {
    ending.abort()
  }
}
