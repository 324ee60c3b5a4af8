/** Script inventory: every script that a page of ours runs, its hash, and why it is there (PCI DSS 6.4.3). */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { announce, relay } from '../../server/http/bridge/client-script.ts'
import { REFERENCE_SCRIPT } from '../../server/http/reference/client-script.ts'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'

export interface InventoryEntry {
  /** Its address, or where it stands in a document. */
  readonly file: string
  readonly integrity: string
  readonly why: string
}

/** By the source that a script is built of. One without a reason stops the build. */
const REASONS: readonly (readonly [source: RegExp, why: string])[] = [
  [/^page\/main\.tsx$/, 'The card form: reads and checks the card, starts and ends the payment.'],
  [/^page\/lazy-parts\.tsx$/, 'Every other screen: 3-D Secure, receipt, refund, errors.'],
  [/^page\/words\/[\w-]+\.ts$/, 'The words of one language; no code that acts.'],
  [/^page\/preview\/preview-page\.tsx$/, 'The preview that a merchant sees; it takes no card and reaches no server.'],
]
/** All scripts of the console, which takes no card. By what they are built of, or by their name where several screens share one. */
const CONSOLE_REASONS: readonly (readonly [source: RegExp, why: string])[] = [
  [/^console\/main\.tsx$/, 'On the console: signing in, navigation, and the calls of a person.'],
  [/^console\/screens\//, 'On the console: one of its screens.'],
  [/^_[\w.-]+\.js$/, 'On the console: what several of its screens share.'],
]
const WHY_PRE_HYDRATION = 'Groups the digits of the card before the other scripts have arrived.'
const WHY_WATCHDOG = 'Shows a notice where the other scripts never arrive, or fail.'
const WHY_RELAY = 'On the 3ds host: hands the 3-D Secure provider’s events to the card page; it sees no card.'
const WHY_ANNOUNCE = 'On the 3ds host: tells the frame above it of one event; it sees no card.'
const WHY_REFERENCE = 'On the reference for developers, which takes no card: search, copy, the place in the contents.'

const integrityOf = (bytes: Buffer | string): string => `sha384-${createHash('sha384').update(bytes).digest('base64')}`

const sourcesByFile = (folder: string, mode: 'client' | 'console'): ReadonlyMap<string, string> => {
  const file = join(folder, mode, '.vite', 'manifest.json')
  const manifest: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const entries = isRecord(manifest) ? Object.entries(manifest) : []
  return new Map(
    entries.flatMap(([source, entry]) => (isRecord(entry) ? [[String(entry['file']), source] as const] : [])),
  )
}

export const reasonFor = (source: string, reasons = REASONS): string => {
  const why = reasons.find(([pattern]) => pattern.test(source))?.[1]
  if (why !== undefined) return why
  throw new CommandError(`the page has a script of ${source}: say in tools/build/script-inventory.ts why it is there`)
}

const textOf = (folder: string, mode: string): string => readFileSync(join(folder, mode, `${mode}.js`), 'utf8').trim()

const scriptsOf = (folder: string, mode: 'client' | 'console', reasons = REASONS): InventoryEntry[] => {
  const assets = join(folder, mode, 'assets')
  const sources = sourcesByFile(folder, mode)
  const scripts = (existsSync(assets) ? readdirSync(assets) : []).filter((name) => name.endsWith('.js')).toSorted()
  return scripts.map((name) => ({
    file: `/assets/${name}`,
    integrity: integrityOf(readFileSync(join(assets, name))),
    why: reasonFor(sources.get(`assets/${name}`) ?? name, reasons),
  }))
}

/** `folder` holds the outputs of a build. */
export const scriptInventory = (folder: string): InventoryEntry[] => {
  return [
    ...scriptsOf(folder, 'client'),
    ...scriptsOf(folder, 'console', CONSOLE_REASONS),
    // As server/http/pages/document.ts writes them.
    {
      file: 'inline, in the head of every page',
      integrity: integrityOf(textOf(folder, 'pre-hydration')),
      why: WHY_PRE_HYDRATION,
    },
    {
      file: 'inline, at the end of every page',
      integrity: integrityOf(textOf(folder, 'watchdog')),
      why: WHY_WATCHDOG,
    },
    { file: 'inline, the function that a bridge page calls', integrity: integrityOf(relay.toString()), why: WHY_RELAY },
    {
      file: 'inline, the function that an event page calls',
      integrity: integrityOf(announce.toString()),
      why: WHY_ANNOUNCE,
    },
    { file: 'inline, at the end of the reference', integrity: integrityOf(REFERENCE_SCRIPT), why: WHY_REFERENCE },
  ]
}
