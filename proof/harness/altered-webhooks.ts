/** Altered webhooks: one that was signed, offered to the independent library with something changed in it. */
import { mock } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { seededRandom, type SeededRandom } from './seeded-random.ts'

export interface SignedWebhook {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly now: number
}

const isTaken = ({ secret, headers, body }: Omit<SignedWebhook, 'now'>): boolean => {
  try {
    new Webhook(secret).verify(body, { ...headers })
    return true
  } catch {
    return false
  }
}

/** One character is another one, is missing, or stands there beside it. */
const altered = (random: SeededRandom, text: string): string => {
  const place = random.between(0, text.length - 1)
  const kind = random.between(0, 2)
  const other = String.fromCharCode(33 + ((text.charCodeAt(place) - 33 + random.between(1, 93)) % 94))
  if (kind === 0) return text.slice(0, place) + other + text.slice(place + 1)
  return kind === 1 ? text.slice(0, place) + text.slice(place + 1) : text.slice(0, place) + other + text.slice(place)
}

/** The library reads a time as a number: 01795403045 and +1795403045 are no other times. */
const alteredHeader = (random: SeededRandom, name: string, value: string): string => {
  const other = altered(random, value)
  return name === 'webhook-timestamp' && Number(other) === Number(value) ? alteredHeader(random, name, value) : other
}

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** How many of so many altered bodies, ids, times and signatures the library takes, and whether it takes the true one. */
export const offerAltered = (
  { now, ...signed }: SignedWebhook,
  count: number,
  seed: number,
): { readonly isTrueOneTaken: boolean; readonly accepted: number } => {
  const random = seededRandom(seed)
  // The library reads the clock itself.
  mock.timers.enable({ apis: ['Date'], now })
  try {
    let accepted = 0
    for (let each = 0; each < count; each += 1) {
      const name = HEADERS[each % (HEADERS.length + 1)]
      const { headers, body } = signed
      const changed =
        name === undefined
          ? { body: altered(random, body) }
          : { headers: { ...headers, [name]: alteredHeader(random, name, headers[name] ?? '') } }
      if (isTaken({ ...signed, ...changed })) accepted += 1
    }
    return { isTrueOneTaken: isTaken(signed), accepted }
  } finally {
    mock.timers.reset()
  }
}
