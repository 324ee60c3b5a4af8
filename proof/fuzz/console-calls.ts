/** Calls of the console under fuzz, of somebody who has not signed in: what a stranger can send. */
import { CONSOLE_BASE, CONSOLE_ROUTES } from '#contract/console/paths.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { RouteCall } from './route-call.ts'

const SIGNED_OUT = 401

/** An id that nobody has, for every parameter. */
const unknown = (path: string): string => CONSOLE_BASE + path.replaceAll(/:\w+/g, 'a'.repeat(32))

const link = (random: SeededRandom): unknown => ({ token: random.oneOf(['a', 'b']).repeat(32) })

const passkey = (): unknown => {
  const response = { clientDataJSON: 'YQ', authenticatorData: 'YQ', signature: 'YQ' }
  return { passkey: { id: 'YQ', rawId: 'YQ', type: 'public-key', response } }
}

/** Whoever has signed in makes the others: `console-access.test.ts`. */
const signedOut: Readonly<Record<string, RouteCall>> = Object.fromEntries(
  Object.values(CONSOLE_ROUTES).map(({ method, path }) => [
    `${method} ${CONSOLE_BASE}${path}`,
    { reached: SIGNED_OUT, path: () => unknown(path), ...(method === 'GET' ? {} : { json: () => ({}) }) },
  ]),
)

export const CONSOLE_CALLS: Readonly<Record<string, RouteCall>> = {
  ...signedOut,
  'POST /console/v1/links': {
    reached: 200,
    json: (random) => ({ email: 'taro@example.com', locale: random.oneOf(['ja', 'en-US']) }),
  },
  'POST /console/v1/links/read': { reached: 422, json: link },
  'POST /console/v1/links/use': { reached: 422, json: link },
  'POST /console/v1/sign-in': { reached: 200 },
  'POST /console/v1/sign-in/passkey': { reached: 422, json: passkey },
  'GET /console/v1/*': { reached: 405, path: () => `${CONSOLE_BASE}/nothing` },
}
